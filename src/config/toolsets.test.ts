import { expect, it } from 'vitest';
import { checkConfig } from './check-config.ts';
import { expandToolsets, includesItself } from '#kit/toolsets';

const OWN = {
  research: { tools: ['read_file'], includes: ['web'] },
  oncall: { tools: [], includes: ['research', 'incident'] },
};

it('follows toolsets into those that they include', () => {
  expect([...expandToolsets(['oncall'], OWN)]).toEqual([
    'oncall',
    'research',
    'web',
    'incident',
    'read_file',
  ]);
  expect([...expandToolsets(['terminal'], OWN)]).toEqual(['terminal']);
  expect([...expandToolsets(['constructor'], OWN)]).toEqual(['constructor']);
});

it('knows a circle, and comes to an end in one', () => {
  const circle = { a: { tools: [], includes: ['b'] }, b: { tools: ['x'], includes: ['a'] } };
  expect(includesItself(OWN)).toBe(false);
  expect(includesItself(circle)).toBe(true);
  expect(includesItself({ a: { tools: [], includes: ['a'] } })).toBe(true);
  expect([...expandToolsets(['a'], circle)]).toEqual(['a', 'b', 'x']);
});

it('is refused in the configuration when it is a circle', () => {
  const check = (text: string) => checkConfig(text, { file: 'config.yaml', env: {}, overrides: false });
  const circle = check('agent:\n  toolsets:\n    a: {includes: [b]}\n    b: {includes: [a]}\n');
  expect(circle.problems[0]?.message).toContain('that do not include themselves');
  expect(check('agent:\n  toolsets:\n    a: {includes: [web]}\n').config?.agent.toolsets).toEqual({
    a: { tools: [], includes: ['web'] },
  });
});
