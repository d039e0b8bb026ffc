import { expect, it } from 'vitest';
import { ALLOWED } from '#testkit/shell-commands';
import { judgeCommand } from './judge-command.ts';
import { fuzz, sampleCommands } from './sample-commands.ts';

it('allows nothing that holds a word or an assignment that is not known', { timeout: 120_000 }, () => {
  // Every twentieth of what the tables can say; the benchmark tries all of it.
  const samples = sampleCommands().filter((_, at) => at % 20 === 0);
  const { tried, survivors } = fuzz([...Object.values(ALLOWED).flat(), ...samples], judgeCommand);
  expect(tried).toBeGreaterThan(10_000);
  expect(survivors).toEqual([]);
});
