import { describe, expect, it } from 'vitest';
import type { Message } from '#spec/data';
import { memoryBook } from '#support/engines/models/memory-book';
import { request, routeOver, run, scripted } from '#support/engines/models/scripted-route';

const OVER = { fail: 'model.overloaded' } as const;
const LIMITED = { fail: 'model.rate_limited' } as const;
const NO_AUTH = { fail: 'model.auth' } as const;

describe('a call that works', () => {
  it('is passed on as it is', async () => {
    const prime = scripted('prime', ['hello'], ['a']);
    const { turn, waits } = routeOver([prime, scripted('spare', [])]);
    const { log, outcome } = await run(turn());
    expect(log).toEqual(['start prime', 'shows hello', 'done']);
    expect(outcome).toMatchObject({ status: 'done', message: { content: [{ text: 'hello' }] } });
    expect(waits).toEqual([]);
  });

  it('has a start even when it says nothing', async () => {
    expect((await run(routeOver([scripted('prime', [''])]).turn())).log).toEqual(['start prime', 'done']);
  });

  it('needs no key where there is none', async () => {
    const prime = scripted('prime', []);
    await run(routeOver([prime]).turn());
    expect(prime.calls).toMatchObject([{ key: undefined }]);
  });
});

describe('retry', () => {
  it('waits and asks again, and shows only what came of it', async () => {
    const prime = scripted('prime', [OVER, OVER, 'hello'], ['a']);
    const { turn, waits } = routeOver([prime]);
    expect((await run(turn())).log).toEqual([
      '1 model.overloaded retry 2000',
      '2 model.overloaded retry 4000',
      'start prime',
      'shows hello',
      'done',
    ]);
    expect(waits).toEqual([2_000, 4_000]);
  });

  it('ends when it is told to stop while it waits', async () => {
    const caller = new AbortController();
    const prime = scripted('prime', [OVER], ['a']);
    const { turn } = routeOver([prime], {
      sleep: async () => {
        caller.abort();
        return false;
      },
    });
    const { log, outcome } = await run(turn(), request(), caller.signal);
    expect(log).toEqual(['1 model.overloaded retry 2000', 'aborted']);
    expect(outcome.status).toBe('aborted');
    expect(prime.calls).toHaveLength(1);
  });

  it('of a short rate limit asks the same key, and lets no key rest for it', async () => {
    for (const limited of [LIMITED, { ...LIMITED, afterMs: 3_000 }]) {
      const book = memoryBook();
      const prime = scripted('prime', [limited, 'hello'], ['a', 'b']);
      const { turn } = routeOver([prime, scripted('spare', [])], { book });
      const { log } = await run(turn());
      expect(log.slice(1)).toEqual(['start prime', 'shows hello', 'done']);
      expect(prime.calls.map((call) => call.key)).toEqual(['a', 'a']);
      expect(book.states.prime?.a).not.toHaveProperty('restsUntil');
    }
  });

  it('of a lone key does what it says, though there is a stand-in', async () => {
    const prime = scripted('prime', [LIMITED, 'hello'], ['a']);
    const spare = scripted('spare', []);
    expect((await run(routeOver([prime, spare]).turn())).log).toEqual([
      '1 model.rate_limited retry 2000',
      'start prime',
      'shows hello',
      'done',
    ]);
    expect(spare.calls).toEqual([]);
  });
});

describe('retry, whatever the strategy', () => {
  it.each(['fill_first', 'round_robin', 'random', 'least_used'] as const)(
    '%s asks the same key',
    async (strategy) => {
      const draws = [0.4, 0, 0.9, 0, 0.1];
      const prime = scripted('prime', [OVER, OVER, 'hello'], ['a', 'b', 'c'], { strategy });
      await run(routeOver([prime], { random: () => draws.shift() ?? 0 }).turn());
      expect(new Set(prime.calls.map((call) => call.key)).size).toBe(1);
      expect(prime.calls).toHaveLength(3);
    },
  );
});

describe('retry without thinking', () => {
  const origin = { provider: 'prime', model: 'prime-1', protocol: 'chat_completions' } as const;
  const thinking = { type: 'thinking', text: 'hm', replay: { signature: 's' } } as const;
  const text = { type: 'text', text: 'b' } as const;
  const messages: Message[] = [{ role: 'assistant', content: [thinking, text], origin }];
  const refused = { fail: 'model.thinking_signature' } as const;

  it('is tried once, at once', async () => {
    const prime = scripted('prime', [refused, 'hello'], ['a']);
    const { turn, waits } = routeOver([prime]);
    const { log } = await run(turn(), request(messages));
    expect(log).toEqual(['1 model.thinking_signature retry 0', 'start prime', 'shows hello', 'done']);
    expect(waits).toEqual([]);
    expect(prime.calls[0]?.request.messages).toBe(messages);
    expect(prime.calls[1]?.request.messages).toMatchObject([{ content: [text] }]);
  });

  it('is not tried twice, nor for a request that has none', async () => {
    const twice = scripted('prime', [refused, refused], ['a']);
    expect((await run(routeOver([twice]).turn(), request(messages))).log.slice(1)).toEqual([
      '2 model.thinking_signature stop',
      'failed',
    ]);
    const none = scripted('prime', [refused], ['a']);
    const plain: Message[] = [{ role: 'assistant', content: [{ type: 'thinking', text: 'hm' }], origin }];
    expect((await run(routeOver([none]).turn(), request(plain))).log).toEqual([
      '1 model.thinking_signature stop',
      'failed',
    ]);
  });
});

describe('rotate', () => {
  it('goes through the keys, each with retries of its own, and lets bad ones rest', async () => {
    const book = memoryBook();
    const prime = scripted('prime', [NO_AUTH, { fail: 'model.billing' }, OVER, 'hello'], ['a', 'b', 'c']);
    const { turn } = routeOver([prime], { book });
    expect((await run(turn())).log).toEqual([
      '1 model.auth rotate B',
      '2 model.billing rotate C',
      '3 model.overloaded retry 2000',
      'start prime',
      'shows hello',
      'done',
    ]);
    expect(prime.calls.map((call) => call.key)).toEqual(['a', 'b', 'c', 'c']);
    expect(book.states.prime).toMatchObject({
      a: { uses: 1, restsBecause: 'model.auth' },
      b: { uses: 1, restsBecause: 'model.billing' },
      c: { uses: 2 },
    });
    expect(book.states.prime?.c).not.toHaveProperty('restsUntil');
    await run(turn());
    expect(prime.calls.at(-1)?.key).toBe('c');
  });

  it('turns to the key that it names, whatever the strategy', async () => {
    for (const strategy of ['fill_first', 'round_robin', 'random', 'least_used'] as const) {
      const draws = [0.4, 0.1, 0.9, 0.7, 0.2];
      const prime = scripted('prime', [NO_AUTH, NO_AUTH, 'hello'], ['a', 'b', 'c'], { strategy });
      const { turn } = routeOver([prime], { random: () => draws.shift() ?? 0 });
      const { log } = await run(turn());
      const named = log.flatMap((line) => /rotate (\w)/.exec(line)?.[1]?.toLowerCase() ?? []);
      expect(
        prime.calls.slice(1).map((call) => call.key),
        strategy,
      ).toEqual(named);
    }
  });

  it('leaves a long rate limit at once', async () => {
    const limited = { ...LIMITED, afterMs: 60_000 };
    const prime = scripted('prime', [limited, 'hello'], ['a', 'b']);
    const { turn, waits, clock } = routeOver([prime]);
    expect((await run(turn())).log[0]).toBe('1 model.rate_limited rotate B');
    expect(waits).toEqual([]);
    clock.now += 60_000;
    await run(turn());
    expect(prime.calls.at(-1)?.key).toBe('a');
  });

  it('gives up when all keys were refused and nothing stands in', async () => {
    const prime = scripted('prime', [NO_AUTH, NO_AUTH], ['a', 'b']);
    const { log, outcome } = await run(routeOver([prime]).turn());
    expect(log).toEqual(['1 model.auth rotate B', '2 model.auth stop', 'failed']);
    expect(outcome).toMatchObject({
      error: { details: { attempts: [{ credential: 'A', provider: 'prime' }, { credential: 'B' }] } },
    });
  });
});
