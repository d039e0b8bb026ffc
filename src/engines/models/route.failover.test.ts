import { describe, expect, it } from 'vitest';
import { memoryBook } from '#support/engines/models/memory-book';
import { request, routeOver, run, scripted } from '#support/engines/models/scripted-route';

const GONE = { fail: 'model.not_found' } as const;
const NO_AUTH = { fail: 'model.auth' } as const;

describe('failover', () => {
  it('goes down the chain, with retries and keys of its own at each place', async () => {
    const prime = scripted('prime', [NO_AUTH], ['a']);
    const second = scripted('second', [{ fail: 'model.server' }, GONE], ['a', 'b']);
    const third = scripted('third', ['hello']);
    const { log, outcome } = await run(routeOver([prime, second, third]).turn());
    expect(log).toEqual([
      '1 model.auth failover second second-1',
      '2 model.server retry 2000',
      '3 model.not_found failover third third-1',
      'start third',
      'shows hello',
      'done',
    ]);
    expect(outcome.message.origin.provider).toBe('third');
  });

  it('stays on the stand-in for the rest of the turn, and says so', async () => {
    const prime = scripted('prime', [GONE], ['a']);
    const model = routeOver([prime, scripted('spare', [])]).turn();
    expect(model.info.provider).toBe('prime');
    await run(model);
    expect(model.info.provider).toBe('spare');
    expect((await run(model)).log).toEqual(['start spare', 'shows spare', 'done']);
    expect(prime.calls).toHaveLength(1);
  });

  it('starts at the primary again in a new turn', async () => {
    const prime = scripted('prime', [GONE], ['a']);
    const { turn } = routeOver([prime, scripted('spare', [])]);
    await run(turn());
    expect((await run(turn())).log).toEqual(['start prime', 'shows prime', 'done']);
  });

  it('does not go back up the chain when the stand-in fails too', async () => {
    const { log, outcome } = await run(
      routeOver([scripted('prime', [GONE]), scripted('spare', [GONE])]).turn(),
    );
    expect(log).toEqual(['1 model.not_found failover spare spare-1', '2 model.not_found stop', 'failed']);
    expect(outcome).toMatchObject({
      error: {
        message: 'spare says model.not_found',
        details: {
          attempts: [{ provider: 'prime', model: 'prime-1', code: 'model.not_found' }, { provider: 'spare' }],
        },
      },
    });
  });
});

describe('stop', () => {
  it('is the end for a request that no model can take', async () => {
    const spare = scripted('spare', []);
    const prime = scripted('prime', [{ fail: 'model.context_overflow' }], ['a', 'b']);
    const { log, outcome } = await run(routeOver([prime, spare]).turn());
    expect(log).toEqual(['1 model.context_overflow stop', 'failed']);
    expect(outcome).toMatchObject({ error: { code: 'model.context_overflow' } });
    expect(outcome.status === 'failed' && outcome.error.details).toBeUndefined();
    expect(spare.calls).toEqual([]);
  });

  it('is the end once part of the answer has been shown, and keeps that part', async () => {
    const spare = scripted('spare', []);
    const prime = scripted('prime', [{ fail: 'model.server', shows: 'The pool' }], ['a', 'b']);
    const { log, outcome } = await run(routeOver([prime, spare]).turn());
    expect(log).toEqual(['start prime', 'shows The pool', '1 model.server stop', 'failed']);
    expect(outcome.message.content).toEqual([{ type: 'text', text: 'The pool' }]);
    expect(spare.calls).toEqual([]);
  });

  it('is the end when the call was aborted', async () => {
    const spare = scripted('spare', []);
    const { log } = await run(routeOver([scripted('prime', ['ABORT'], ['a', 'b']), spare]).turn());
    expect(log).toEqual(['aborted']);
    expect(spare.calls).toEqual([]);
  });
});

describe('when all keys rest', () => {
  const resting = (until: Record<string, number>) =>
    memoryBook({
      prime: Object.fromEntries(
        Object.entries(until).map(([id, restsUntil]) => [id, { uses: 1, restsUntil }]),
      ),
    });

  it('the stand-in is asked at once', async () => {
    const prime = scripted('prime', [], ['a', 'b']);
    const book = resting({ a: 2_000_000, b: 3_000_000 });
    const { turn, waits } = routeOver([prime, scripted('spare', [], ['c'])], { book });
    expect((await run(turn())).log).toEqual(['start spare', 'shows spare', 'done']);
    expect(prime.calls).toEqual([]);
    expect(waits).toEqual([]);
  });

  it('and nothing stands in, the one that rests the shortest is tried', async () => {
    const prime = scripted('prime', [], ['a', 'b']);
    const { turn } = routeOver([prime], { book: resting({ a: 3_000_000, b: 2_000_000 }) });
    expect((await run(turn())).log).toEqual(['start prime', 'shows prime', 'done']);
    expect(prime.calls).toMatchObject([{ key: 'b' }]);
  });

  it('the last of the chain is tried all the same', async () => {
    const book = memoryBook({
      prime: { a: { uses: 1, restsUntil: 2_000_000 } },
      spare: { c: { uses: 1, restsUntil: 2_000_000 } },
    });
    const [prime, spare] = [scripted('prime', [], ['a']), scripted('spare', [], ['c'])];
    expect((await run(routeOver([prime, spare], { book }).turn())).log).toEqual([
      'start spare',
      'shows spare',
      'done',
    ]);
  });

  it('and their rest is over, the primary is asked again', async () => {
    const prime = scripted('prime', [], ['a']);
    const { turn, clock } = routeOver([prime, scripted('spare', [])], { book: resting({ a: 2_000_000 }) });
    await run(turn());
    clock.now = 2_000_000;
    expect((await run(turn())).log[0]).toBe('start prime');
  });
});

it('ends in a failure, and does not throw, when the book of keys cannot be read', async () => {
  const book = { read: () => Promise.reject(new Error('disk')), update: () => Promise.resolve() };
  const { log, outcome } = await run(routeOver([scripted('prime', [], ['a'])], { book }).turn(), request());
  expect(log).toEqual(['failed']);
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'internal', message: 'disk' } });
});
