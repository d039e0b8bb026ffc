import { expect, it } from 'vitest';
import type { ChatEvent, ChatSnapshot } from './chat.ts';
import { chatLog } from './chat-log.ts';

const SNAPSHOT = { session: 's' } as ChatSnapshot;
const open = () => chatLog(() => SNAPSHOT, 1_000);

/** What a listener is given until it has heard `last`. */
async function hear(
  log: ReturnType<typeof open>,
  after: number | undefined,
  last: number,
): Promise<ChatEvent[]> {
  const stop = new AbortController();
  const heard: ChatEvent[] = [];
  for await (const events of log.listen(after, stop.signal)) {
    heard.push(...events);
    if ((heard.at(-1)?.seq ?? 0) >= last) stop.abort();
  }
  return heard;
}

it('gives a snapshot first, or what came after a place that is at hand', async () => {
  const log = open();
  log.tell('grow', { index: 0, text: 'a' });
  expect(await hear(log, undefined, 1_001)).toEqual([{ type: 'snapshot', data: SNAPSHOT, seq: 1_001 }]);
  expect(await hear(log, 1_000, 1_001)).toMatchObject([{ type: 'grow', data: { text: 'a' }, seq: 1_001 }]);
});

it.each([999, 5_000])('gives a snapshot for the place %s of another process', async (place) => {
  const log = open();
  expect((await hear(log, place, 1_000))[0]?.type).toBe('snapshot');
});

it('joins pieces of one text, and keeps those of others apart', async () => {
  const log = open();
  for (const [index, text] of [
    [0, 'a'],
    [0, 'b'],
    [1, 'c'],
  ] as const)
    log.tell('grow', { index, text });
  expect((await hear(log, 1_000, 1_003)).map(({ data }) => data)).toEqual([
    { index: 0, text: 'ab' },
    { index: 1, text: 'c' },
  ]);
});

it('a listener that has fallen behind gets a snapshot, and nothing is kept for it', async () => {
  const log = open();
  for (let count = 0; count < 5_000; count++) log.tell('grow', { index: 0, text: 'x' });
  expect((await hear(log, 1_001, 6_000)).map(({ type }) => type)).toEqual(['snapshot']);
  const large = open();
  for (let count = 0; count < 10; count++) large.tell('grow', { index: 0, text: 'x'.repeat(500_000) });
  expect((await hear(large, 1_001, 1_010)).map(({ type }) => type)).toEqual(['snapshot']);
});

it('ends with its listeners, and counts them', async () => {
  const log = open();
  const stop = new AbortController();
  const pieces = log.listen(undefined, stop.signal);
  await pieces.next();
  expect(log.listeners()).toBe(1);
  const waiting = pieces.next();
  log.close();
  expect(await waiting).toMatchObject({ done: true });
  expect(log.listeners()).toBe(0);
});
