import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waited } from './waited.ts';

it('resolves after the time has been waited', async () => {
  const began = performance.now();
  await waited(60, new AbortController().signal);
  expect(performance.now() - began).toBeGreaterThanOrEqual(55);
});

it('does not count what the process was busy with itself', async () => {
  let over = false;
  void waited(200, new AbortController().signal).then(() => (over = true));
  const until = performance.now() + 400;
  while (performance.now() < until) Math.sqrt(performance.now());
  await nextRound();
  await nextRound();
  expect(over).toBe(false);
});

it('ends in the end', async () => {
  const began = performance.now();
  const state = { over: false };
  void waited(20, new AbortController().signal).then(() => (state.over = true));
  while (!state.over && performance.now() - began < 20_000) {
    const until = performance.now() + 5;
    while (performance.now() < until) Math.sqrt(performance.now());
    await nextRound();
  }
  expect(state.over).toBe(true);
});

it('leaves nothing behind when it is not needed any more', async () => {
  const stop = new AbortController();
  let over = false;
  void waited(20, stop.signal).then(() => (over = true));
  stop.abort();
  await waited(60, new AbortController().signal);
  expect(over).toBe(false);
});
