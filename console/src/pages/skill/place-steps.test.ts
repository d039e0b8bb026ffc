import { expect, it } from 'vitest';
import { placeSteps } from './place-steps.ts';

const step = (id: string, startedAt?: number, endedAt?: number) => ({
  id,
  name: id,
  action: 'terminal',
  state: 'done' as const,
  attempts: 1,
  ...(startedAt === undefined ? {} : { startedAt }),
  ...(endedAt === undefined ? {} : { endedAt }),
});

it('places steps on the time of their run', () => {
  const placed = placeSteps(
    [step('a', 100, 150), step('b', 150, 200), step('c')],
    { startedAt: 100, endedAt: 200 },
    999,
  );
  expect(placed).toMatchObject([
    { left: 0, width: 0.5, ms: 50 },
    { left: 0.5, width: 0.5, ms: 50 },
    { step: { id: 'c' } },
  ]);
  expect(placed[2]).not.toHaveProperty('left');
});

it('lets what goes on reach to now, and nothing out of the picture', () => {
  const [going, early] = placeSteps([step('a', 150), step('b', 50, 120)], { startedAt: 100 }, 200);
  expect(going).toMatchObject({ left: 0.5, width: 0.5, ms: 50 });
  expect(early).toMatchObject({ left: 0, width: 0.7 });
});

it('lets a step whose beginning is not told follow the last that ended', () => {
  const steps = [step('a', 100, 150), { ...step('b'), state: 'running' as const }];
  expect(placeSteps(steps, { startedAt: 100 }, 200)[1]).toMatchObject({ left: 0.5, width: 0.5, ms: 50 });
});
