import { describe, expect, it } from 'vitest';
import { sleep } from '#kit/sleep';
import type { PlacedEvent } from './event-frame.ts';
import { type EventHub, openEventHub } from './event-hub.ts';

/** A log of events that counts who reads it. */
function scriptedLog() {
  const events: PlacedEvent[] = [];
  const log = {
    reads: 0,
    broken: undefined as Error | undefined,
    add: (count = 1) => {
      for (let more = 0; more < count; more++) {
        const seq = events.length + 1;
        events.push({ type: 'fact', data: { seq }, seq });
      }
    },
    read: async (after: number | 'last', limit: number) => {
      log.reads++;
      if (log.broken) throw log.broken;
      return after === 'last' ? events.slice(-1) : events.slice(after, after + limit);
    },
  };
  return log;
}

/** The places of the events in a piece. */
const placesIn = (piece: Uint8Array): number[] =>
  [
    ...Buffer.from(piece)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id));

/** Listens until `count` events came, one after the other. */
async function hear(hub: EventHub, count: number, after?: number): Promise<number[]> {
  const leaving = new AbortController();
  const heard: number[] = [];
  for await (const piece of hub.listen(after, leaving.signal)) {
    heard.push(...placesIn(piece));
    if (heard.length >= count) break;
  }
  leaving.abort();
  return heard;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('openEventHub', () => {
  it('gives everyone everything from now on, with one look for all', async () => {
    const log = scriptedLog();
    log.add(7);
    const hub = openEventHub({ read: log.read, everyMs: 5 });
    const all = Promise.all(Array.from({ length: 50 }, () => hear(hub, 40)));
    while (hub.clients() < 50 || log.reads < 3) await sleep(1, new AbortController().signal);
    const before = log.reads;
    for (let tick = 0; tick < 4; tick++) {
      log.add(10);
      await sleep(12, new AbortController().signal);
    }
    for (const heard of await all) expect(heard).toEqual(range(8, 47));
    // Not one look for each of the fifty.
    expect(log.reads - before).toBeLessThan(40);
    expect(hub.clients()).toBe(0);
  });

  it('makes what it sends once for all who keep up', async () => {
    const log = scriptedLog();
    log.add();
    const hub = openEventHub({ read: log.read, everyMs: 5 });
    const leaving = new AbortController();
    const streams = [0, 1].map(() => hub.listen(undefined, leaving.signal));
    for (const stream of streams) await stream.next();
    const next = Promise.all(streams.map((stream) => stream.next()));
    log.add();
    const [one, other] = await next;
    expect(one?.value).toBeInstanceOf(Uint8Array);
    expect(one?.value).toBe(other?.value);
    leaving.abort();
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('goes on after a place, within what it has at hand and before that', async () => {
    const log = scriptedLog();
    log.add(300);
    const hub = openEventHub({ read: log.read, everyMs: 1, keep: 20 });
    expect(await hear(hub, 300, 0)).toEqual(range(1, 300));
    const slow = new AbortController();
    const stream = hub.listen(290, slow.signal);
    await stream.next();
    expect(Buffer.from((await stream.next()).value ?? []).toString()).toMatch(/^id: 291\n/);
    // It takes nothing while more comes than is kept.
    const other = hear(hub, 100);
    log.add(100);
    await other;
    const late: number[] = [];
    while (late.length < 100) {
      const { value } = await stream.next();
      late.push(...placesIn(value ?? new Uint8Array()));
    }
    expect(late).toEqual(range(301, 400));
    slow.abort();
    expect((await stream.next()).done).toBe(true);
  });

  it('reads nothing while nobody listens', async () => {
    const log = scriptedLog();
    const hub = openEventHub({ read: log.read, everyMs: 1 });
    const heard = hear(hub, 1);
    await sleep(5, new AbortController().signal);
    log.add();
    expect(await heard).toEqual([1]);
    const { reads } = log;
    await sleep(20, new AbortController().signal);
    expect(log.reads - reads).toBeLessThanOrEqual(1);
  });

  it('cuts whoever listens when the log cannot be read, and serves them when they come back', async () => {
    const log = scriptedLog();
    log.add(3);
    const hub = openEventHub({ read: log.read, everyMs: 1 });
    const cut = hear(hub, 1).catch(String);
    await sleep(5, new AbortController().signal);
    log.broken = new Error('the disk is gone');
    expect(await cut).toBe('Error: the disk is gone');
    await expect(hear(hub, 1)).rejects.toThrow('the disk is gone');
    log.broken = undefined;
    log.add(2);
    expect(await hear(hub, 2, 3)).toEqual([4, 5]);
    expect(hub.clients()).toBe(0);
  });

  it('takes a place that does not exist yet for now', async () => {
    const log = scriptedLog();
    log.add(2);
    const hub = openEventHub({ read: log.read, everyMs: 1 });
    const heard = hear(hub, 1, 1_000_000);
    await sleep(5, new AbortController().signal);
    log.add();
    expect(await heard).toEqual([3]);
  });
});
