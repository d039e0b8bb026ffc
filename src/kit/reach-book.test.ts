import { asText } from './text.ts';
import { describe, expect, it } from 'vitest';
import type { Probed, Reach } from '#spec/data';
import { fail } from './app-error.ts';
import { type Reachable, reachBook } from './reach-book.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

/** A thing that answers as it was last told to, and a clock that moves when it is told to. */
function scene(more: Partial<Reachable> = {}) {
  let now = START;
  let answer: () => Promise<Probed> = async () => ({ state: 'reached' });
  const turns: [string, Reach['state'], Reach['state']][] = [];
  let asked = 0;
  const thing: Reachable = {
    id: 'one',
    probe: () => {
      asked += 1;
      return answer();
    },
    ...more,
  };
  const book = reachBook([thing], {
    now: () => now,
    limitMs: 50,
    onTurn: (id, before, after) => turns.push([id, before.state, after.state]),
  });
  return {
    book,
    turns,
    asked: () => asked,
    answers: (next: () => Promise<Probed>) => (answer = next),
    later: (seconds: number) => (now += seconds * 1_000),
  };
}
const refused = () => Promise.reject(fail('backend.unreachable', 'It cannot be reached.', 'Start it.'));

describe('reachBook', () => {
  it('claims nothing before the first answer', async () => {
    const { book } = scene();
    expect(book.reach('one')).toEqual({ state: 'waiting' });
    expect(await book.ask('one')).toEqual({ state: 'reached', at: '2026-01-01T00:00:00.000Z' });
    expect(book.reach('two')).toBeUndefined();
  });

  it('remembers since when something fails, and forgets it when it is reached again', async () => {
    const { book, answers, later, turns } = scene();
    await book.ask('one');
    later(10);
    answers(refused);
    const failing = { state: 'failing', because: asText('It cannot be reached.'), fix: asText('Start it.') };
    expect(await book.ask('one')).toEqual({
      ...failing,
      since: '2026-01-01T00:00:10.000Z',
      at: '2026-01-01T00:00:10.000Z',
    });
    later(60);
    answers(() => Promise.reject(new Error('other words')));
    expect(await book.ask('one')).toEqual({
      state: 'failing',
      because: asText('other words'),
      since: '2026-01-01T00:00:10.000Z',
      at: '2026-01-01T00:01:10.000Z',
    });
    later(5);
    answers(async () => ({ state: 'reached', detail: 'v2' }));
    expect(await book.ask('one')).toEqual({ state: 'reached', at: '2026-01-01T00:01:15.000Z', detail: 'v2' });
    later(5);
    answers(refused);
    expect(await book.ask('one')).toMatchObject({ since: '2026-01-01T00:01:20.000Z' });
    expect(turns).toEqual([
      ['one', 'waiting', 'reached'],
      ['one', 'reached', 'failing'],
      ['one', 'failing', 'reached'],
      ['one', 'reached', 'failing'],
    ]);
  });

  it('gives up on what does not answer, whether or not it heeds the signal', async () => {
    const { book, answers } = scene();
    answers(() => new Promise(() => undefined));
    expect(await book.ask('one')).toMatchObject({
      state: 'failing',
      because: { en: 'It did not answer within 0.05 s.', zh: '0.05 秒内没有应答。' },
    });
    const throws = scene({
      probe: () => {
        throw new Error('at once');
      },
    });
    expect(await throws.book.ask('one')).toMatchObject({ state: 'failing', because: asText('at once') });
  });

  it('asks once at a time', async () => {
    const { book, answers, asked } = scene();
    let finish: (probed: Probed) => void = () => undefined;
    answers(() => new Promise((resolve) => (finish = resolve)));
    const both = Promise.all([book.ask('one'), book.askAll(), book.ask('one')]);
    finish({ state: 'reached' });
    await both;
    expect(asked()).toBe(1);
  });

  it('does not ask what lacks something or cannot be asked', async () => {
    const lacking = scene({ missing: { what: 'No key.', fix: 'Set it.' }, probe: undefined });
    expect(await lacking.book.ask('one')).toEqual({
      state: 'not_set_up',
      because: 'No key.',
      fix: 'Set it.',
    });
    const mute = scene({ probe: undefined });
    await mute.book.askAll();
    expect(mute.book.all()).toMatchObject([{ id: 'one', reach: { state: 'not_probed' } }]);
    const shy = scene();
    shy.answers(async () => ({ state: 'not_probed', because: 'Asking would cost.' }));
    expect(await shy.book.ask('one')).toEqual({ state: 'not_probed', because: 'Asking would cost.' });
  });

  it('keeps asking each at its own pace until it is told to stop', async () => {
    const waits: number[] = [];
    const counts = { often: 0, seldom: 0 };
    const stop = new AbortController();
    const thing = (id: 'often' | 'seldom', everyMs: number): Reachable => ({
      id,
      everyMs,
      probe: async () => {
        counts[id] += 1;
        return { state: 'reached' };
      },
    });
    const book = reachBook([thing('often', 10_000), thing('seldom', 300_000), { id: 'never' }], {
      now: () => START,
      random: () => 1,
      wait: async (ms) => {
        waits.push(ms);
        if (waits.length >= 6) stop.abort();
        return !stop.signal.aborted;
      },
    });
    await book.watch(stop.signal);
    expect(new Set(waits)).toEqual(new Set([12_000, 360_000]));
    expect(counts.often).toBeGreaterThanOrEqual(2);
    expect(counts.seldom).toBeGreaterThanOrEqual(2);
  });
});
