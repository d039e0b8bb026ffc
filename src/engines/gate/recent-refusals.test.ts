import { describe, expect, it } from 'vitest';
import { memoryLedger } from '#testkit/gate';
import { ANN, answering, NEVER, NO, runFor, stage, YES } from '#support/engines/gate/gate-stage';
import type { PermitRequest } from './assess.ts';

/** Refuses a call in turn 1, and tells whether another is put to a person at all. */
async function isAsked(next: PermitRequest, laterMs = 0): Promise<boolean> {
  let now = 1_000;
  const { gate } = stage(memoryLedger(), {}, { now: () => now });
  await gate.permit(runFor('make', { turn: 1 }), answering(NO), NEVER);
  now += laterMs;
  const again = answering(YES);
  const { allowed } = await gate.permit(next, again, NEVER);
  expect(allowed).toBe(again.asked.length > 0);
  return allowed;
}

describe('a call that was just refused', () => {
  it.each<[string, PermitRequest, number, boolean]>([
    ['in the same turn', runFor('make', { turn: 1 }), 0, false],
    ['in the same turn by another call', runFor('make', { turn: 1, call: 'c2' }), 0, false],
    ['after the next message', runFor('make', { turn: 2 }), 0, true],
    ['after a minute', runFor('make', { turn: 1 }), 60_000, true],
    ['when it is another one', runFor('make x', { turn: 1 }), 0, true],
    ['in another session', runFor('make', { turn: 1, requester: { ...ANN, session: 's2' } }), 0, true],
    ['where no turn is told', runFor('make'), 0, true],
  ])('is asked about again %s: %#', async (_, next, laterMs, expected) => {
    expect(await isAsked(next, laterMs)).toBe(expected);
  });

  it('is only remembered when a person has said no', async () => {
    const { gate, kinds } = stage(memoryLedger(), { waitMs: 20 });
    const request = runFor('make', { turn: 1 });
    await gate.permit(request, answering(undefined), NEVER);
    expect(await gate.permit(request, answering(YES), NEVER)).toMatchObject({ allowed: true });
    await gate.permit(request, answering(NO), NEVER);
    expect(await gate.permit(request, answering(YES), NEVER)).toEqual({
      allowed: false,
      reason: 'the same call was refused just now.',
    });
    expect((await kinds()).at(-1)).toBe('action.denied');
  });

  it('keeps a bounded number', async () => {
    const { gate } = stage(memoryLedger());
    for (let at = 0; at <= 500; at++)
      await gate.permit(runFor(`make ${at}`, { turn: 1 }), answering(NO), NEVER);
    const [first, last] = [answering(YES), answering(YES)];
    await gate.permit(runFor('make 0', { turn: 1 }), first, NEVER);
    await gate.permit(runFor('make 500', { turn: 1 }), last, NEVER);
    expect([first.asked.length, last.asked.length]).toEqual([1, 0]);
  });
});
