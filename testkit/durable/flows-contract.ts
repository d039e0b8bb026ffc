import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { defineFlow } from '#spec/ports';
import { incidentFlow } from './sample-flows.ts';
import { onStage, type Stage } from './stage.ts';
import type { DurableUnderTest } from './under-test.ts';

const PURE = { effect: 'pure' } as const;
const nothing = z.null();

/** Waits for one signal and gives it back. */
const waiting = defineFlow({
  name: 'waiting',
  version: 1,
  input: z.object({ timeoutMs: z.number() }),
  run: async (flow, { timeoutMs }) => (await flow.waitFor('go', { timeoutMs })) ?? 'nobody came',
});

/** Flows in one process: starting, signalling, waiting, failing. */
export function describeDurableFlows(subject: DurableUnderTest): void {
  const on = (test: (stage: Stage) => Promise<void>) => onStage(subject, test);

  describe(`${subject.name}: flows`, () => {
    it(
      'run to their end and keep what they gave',
      on(async ({ open, end, world }) => {
        const flow = incidentFlow(world);
        const engine = await open([flow]);
        expect(await engine.start(flow, 'i1', { service: 'payments' })).toBe(true);
        expect(await engine.signal('i1', 'decision', { approval: 'a1' }, 'a1')).toBe(true);
        const record = await end(engine, 'i1');
        expect(record).toMatchObject({
          id: 'i1',
          flow: 'incident',
          version: 1,
          state: 'done',
          input: { service: 'payments' },
        });
        expect(record.output).toMatchObject({
          found: ['metrics of payments', 'logs of payments'],
          decision: { approval: 'a1' },
          executed: 'done',
          happened: true,
        });
        const { calls = [], ...listed } = record;
        expect(await engine.list({ states: ['done'], limit: 10 })).toEqual([listed]);
        expect(calls.find(({ name }) => name === 'metrics')).toMatchObject({
          kind: 'step',
          state: 'done',
          value: 'metrics of payments',
        });
        expect(calls.find(({ kind }) => kind === 'once')).toMatchObject({ name: 'execute', state: 'done' });
        expect(await engine.list({ flow: 'other', limit: 10 })).toEqual([]);
      }),
    );

    it(
      'exist once for an id',
      on(async ({ open, end, world }) => {
        const flow = incidentFlow(world);
        const engine = await open([flow]);
        const started = [1, 2, 3].map((at) => engine.start(flow, 'i1', { service: `s${at}` }));
        expect((await Promise.all(started)).filter(Boolean)).toHaveLength(1);
        await engine.signal('i1', 'decision', null, 'a1');
        await end(engine, 'i1');
        expect(await engine.start(flow, 'i1', { service: 'later' })).toBe(false);
        expect(world.log.lines().filter(({ what }) => what === 'execute')).toHaveLength(1);
      }),
    );

    it(
      'refuse input that does not fit, before anything is written',
      on(async ({ open }) => {
        const engine = await open([waiting]);
        const bad = { timeoutMs: 'soon' } as unknown as { timeoutMs: number };
        await expect(engine.start(waiting, 'w1', bad)).rejects.toMatchObject({
          record: { code: 'input.invalid' },
        });
        await expect(engine.start(waiting, '', { timeoutMs: 1 })).rejects.toMatchObject({
          record: { code: 'input.invalid' },
        });
        const endless = { timeoutMs: 1, self: {} };
        endless.self = endless;
        await expect(engine.start(waiting, 'w1', endless)).rejects.toMatchObject({
          record: { code: 'input.invalid' },
        });
        expect(await engine.list({ limit: 10 })).toEqual([]);
      }),
    );

    it(
      'get a signal that came before they waited, once, in the order of coming',
      on(async ({ open, end }) => {
        const both = defineFlow({
          name: 'both',
          version: 1,
          input: nothing,
          run: async (flow) => {
            await flow.sleep('late', 30);
            const first = await flow.waitFor('go', { timeoutMs: 5_000 });
            const second = await flow.waitFor('go', { timeoutMs: 5_000 });
            const third = await flow.waitFor('go', { timeoutMs: 20 });
            return [first?.payload, second?.payload, third];
          },
        });
        const engine = await open([both]);
        await engine.start(both, 'b1', null);
        for (const key of ['k1', 'k1', 'k2', 'k1'])
          expect(await engine.signal('b1', 'go', key, key)).toBe(true);
        expect((await end(engine, 'b1')).output).toEqual(['k1', 'k2', null]);
      }),
    );

    it(
      'wait out of memory, and say for what',
      on(async ({ open, end, until }) => {
        const engine = await open([waiting]);
        await engine.start(waiting, 'w1', { timeoutMs: 60_000 });
        await until('waits', async () => ((await engine.get('w1'))?.waitsFor?.length ?? 0) > 0);
        const record = await engine.get('w1');
        expect(record).toMatchObject({ state: 'waiting', waitsFor: ['go'] });
        expect((record?.wakesAt ?? 0) - Date.now()).toBeGreaterThan(45_000);
        await engine.signal('w1', 'other', null, 'k1');
        expect(await engine.get('w1')).toMatchObject({ state: 'waiting', fence: record?.fence });
        await engine.signal('w1', 'go', { by: 'ann' }, 'k2');
        expect((await end(engine, 'w1')).output).toMatchObject({
          name: 'go',
          key: 'k2',
          payload: { by: 'ann' },
        });
      }),
    );

    it(
      'are woken by a process that runs none',
      on(async ({ open, end }) => {
        const runner = await open([waiting]);
        const front = await open([]);
        await front.start(waiting, 'w1', { timeoutMs: 60_000 });
        expect(await front.signal('w1', 'go', 7, 'k1')).toBe(true);
        expect((await end(front, 'w1')).output).toMatchObject({ payload: 7 });
        expect(await front.resume()).toBe(0);
        expect(await runner.resume()).toBe(0);
      }),
    );

    it(
      'tell whether a signal can still matter',
      on(async ({ open, end }) => {
        const engine = await open([waiting]);
        expect(await engine.signal('w1', 'go', null, 'k1')).toBe(false);
        await engine.start(waiting, 'w1', { timeoutMs: 10 });
        expect((await end(engine, 'w1')).output).toBe('nobody came');
        expect(await engine.signal('w1', 'go', null, 'k1')).toBe(false);
        await expect(engine.ended('w9', AbortSignal.timeout(1_000))).rejects.toMatchObject({
          record: { code: 'input.invalid' },
        });
        await engine.start(waiting, 'w2', { timeoutMs: 60_000 });
        expect(await engine.ended('w2', AbortSignal.abort())).toBeUndefined();
      }),
    );

    it(
      'try a step again as often as they say, and fail with what it threw',
      on(async ({ open, end }) => {
        const numbers: number[] = [];
        const keys = new Set<string>();
        const retried = defineFlow({
          name: 'retried',
          version: 1,
          input: nothing,
          run: async (flow) => {
            const value = await flow.step(
              'flaky',
              { effect: 'keyed', retries: 2 },
              async ({ number, key }) => {
                numbers.push(number);
                keys.add(key);
                const retry = { again: true, afterMs: 1 };
                if (number < 3) throw new AppError({ code: 'model.overloaded', message: 'later', retry });
                return number;
              },
            );
            const refused = await flow
              .step('refused', { effect: 'pure', retries: 5 }, async () => {
                throw new AppError({ code: 'tool.refused', message: 'no', retry: { again: false } });
              })
              .catch((error: unknown) => (error as AppError).record.code);
            const slow = await flow
              .step('slow', { effect: 'pure', timeoutMs: 20 }, () => new Promise(() => undefined))
              .catch((error: unknown) => (error as AppError).message);
            await flow.step('last', PURE, async () => {
              throw new Error(`after ${value}, ${refused} and ${String(slow)}`);
            });
          },
        });
        const engine = await open([retried]);
        await engine.start(retried, 'r1', null);
        const record = await end(engine, 'r1');
        const message = "after 3, tool.refused and Step 'slow' took longer than 20 ms";
        expect(record).toMatchObject({ state: 'failed', failure: { reason: 'threw', error: { message } } });
        expect([numbers, keys.size]).toEqual([[1, 2, 3], 1]);
      }),
    );

    it(
      'say of something that must not happen twice that they do not know, when it threw',
      on(async ({ open, end }) => {
        let runs = 0;
        const doubtful = defineFlow({
          name: 'doubtful',
          version: 1,
          input: nothing,
          run: async (flow) => {
            const outcome = await flow.once('restart', async () => {
              runs++;
              throw new Error('the connection was reset');
            });
            await flow.sleep('replayed', 1);
            return outcome;
          },
        });
        const engine = await open([doubtful]);
        await engine.start(doubtful, 'd1', null);
        const because = { message: 'the connection was reset' };
        expect((await end(engine, 'd1')).output).toMatchObject({ status: 'uncertain', because });
        expect(runs).toBe(1);
      }),
    );

    it(
      'run two hundred at once',
      on(async ({ open, end, world }) => {
        const flow = incidentFlow(world);
        const engine = await open([flow]);
        const ids = Array.from({ length: 200 }, (_, at) => `many-${at}`);
        await Promise.all(ids.map((id) => engine.start(flow, id, { service: id })));
        await Promise.all(ids.map((id) => engine.signal(id, 'decision', id, 'k')));
        const records = await Promise.all(ids.map((id) => end(engine, id)));
        expect(records.filter(({ state }) => state === 'done')).toHaveLength(200);
        expect(records.map(({ output }) => (output as { decision: string }).decision)).toEqual(ids);
        expect(world.log.lines().filter(({ what }) => what === 'execute')).toHaveLength(200);
      }),
      60_000,
    );
  });
}
