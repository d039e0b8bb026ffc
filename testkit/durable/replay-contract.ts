import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineFlow } from '#spec/ports';
import { heldFlow } from './sample-flows.ts';
import { onStage, type Stage } from './stage.ts';
import type { DurableUnderTest } from './under-test.ts';

const PURE = { effect: 'pure' } as const;
const nothing = z.null();

/** A flow of two steps around a wait, with the names and the version that are asked for. */
const around = (first: string, second: string, version = 1) =>
  defineFlow({
    name: 'around',
    version,
    input: nothing,
    run: async (flow) => {
      await flow.step(first, PURE, async () => undefined);
      await flow.waitFor('go', { timeoutMs: 60_000 });
      if (second) await flow.step(second, PURE, async () => undefined);
      return version;
    },
  });

/** Flows that are begun by one engine and gone on with by another. */
export function describeDurableReplay(subject: DurableUnderTest): void {
  const on = (test: (stage: Stage) => Promise<void>) => onStage(subject, test);

  /** Starts a flow, lets it come to its wait, and closes the engine. */
  async function leaveWaiting({ open, until }: Stage, flow: ReturnType<typeof around>): Promise<void> {
    const engine = await open([flow]);
    await engine.start(flow, 'a1', null);
    await until('waits', async () => ((await engine.get('a1'))?.waitsFor?.length ?? 0) > 0);
    await engine.signal('a1', 'go', null, 'k1');
    await engine.close();
  }

  describe(`${subject.name}: replay`, () => {
    it(
      'gives back what was journalled, and goes on',
      on(async ({ open, end, until }) => {
        const runs: string[] = [];
        const times: number[] = [];
        const flow = defineFlow({
          name: 'paused',
          version: 1,
          input: nothing,
          run: async (context) => {
            times.push(await context.now());
            const made = await context.step('made', PURE, async () => {
              runs.push('made');
              return { at: new Date(0), nothing: undefined };
            });
            const failed = await context
              .step('failed', PURE, async () => {
                runs.push('failed');
                throw new Error('broken pipe');
              })
              .catch((error: unknown) => (error as Error).message);
            await context.waitFor('go', { timeoutMs: 60_000 });
            return { made, failed };
          },
        });
        const first = await open([flow]);
        await first.start(flow, 'p1', null);
        await until('waits', async () => ((await first.get('p1'))?.waitsFor?.length ?? 0) > 0);
        await first.close();
        const second = await open([flow]);
        await second.signal('p1', 'go', null, 'k1');
        expect((await end(second, 'p1')).output).toEqual({
          made: { at: '1970-01-01T00:00:00.000Z' },
          failed: 'broken pipe',
        });
        expect(runs).toEqual(['made', 'failed']);
        expect(times[1]).toBe(times[0]);
      }),
    );

    it(
      'names both when a flow takes another way',
      on(async (stage) => {
        await leaveWaiting(stage, around('evidence', 'act'));
        const engine = await stage.open([around('guess', 'act')]);
        const { state, failure } = await stage.end(engine, 'a1');
        expect([state, failure?.reason]).toEqual(['failed', 'diverged']);
        expect(failure?.error.message).toContain("step 'evidence'");
        expect(failure?.error.message).toContain("step 'guess'");
      }),
    );

    it(
      'notices a flow that ends before its journal does',
      on(async (stage) => {
        await leaveWaiting(stage, around('evidence', 'act'));
        const short = defineFlow({ name: 'around', version: 1, input: nothing, run: async () => 1 });
        const engine = await stage.open([short]);
        const { failure } = await stage.end(engine, 'a1');
        expect(failure).toMatchObject({ reason: 'diverged' });
        expect(failure?.error.message).toContain('its end');
      }),
    );

    it(
      'refuses an order of calls that could not be repeated',
      on(async ({ open, end }) => {
        const chains = defineFlow({
          name: 'chains',
          version: 1,
          input: nothing,
          run: async (flow) => {
            const chain = async (name: string, ms: number) => {
              await flow.step(`${name}1`, PURE, () => pause(ms));
              await flow.step(`${name}2`, PURE, () => pause(ms));
            };
            await Promise.all([chain('a', 200), chain('b', 1)]);
          },
        });
        const careless = defineFlow({
          name: 'careless',
          version: 1,
          input: nothing,
          run: async (flow) => void flow.step('left alone', PURE, () => pause(50)),
        });
        const engine = await open([chains, careless]);
        await engine.start(chains, 'c1', null);
        await engine.start(careless, 'c2', null);
        const { failure } = await end(engine, 'c1');
        expect(failure).toMatchObject({ reason: 'diverged' });
        expect(failure?.error.message).toContain("step 'b2'");
        expect((await end(engine, 'c2')).failure?.error.message).toContain("step 'left alone'");
      }),
    );

    it(
      'runs an instance with the version it began with',
      on(async (stage) => {
        await leaveWaiting(stage, around('one', 'two'));
        const engine = await stage.open([around('eins', 'zwei', 2), around('one', 'two')]);
        expect((await stage.end(engine, 'a1')).output).toBe(1);
      }),
    );

    it(
      'fails an instance whose version is no more, and leaves a newer one alone',
      on(async (stage) => {
        await leaveWaiting(stage, around('one', 'two', 2));
        const older = await stage.open([around('one', 'two', 1)]);
        expect(await older.resume()).toBe(0);
        expect((await older.get('a1'))?.state).toBe('waiting');
        await older.close();
        const newer = await stage.open([around('one', 'two', 3)]);
        const { failure } = await stage.end(newer, 'a1');
        expect(failure).toMatchObject({ reason: 'version' });
        expect(failure?.error.message).toMatch(/version 2 of 'around'.* 3$/);
      }),
    );

    it(
      'lets a sleep end when it would have',
      on(async ({ open, end, until }) => {
        const sleeper = defineFlow({
          name: 'sleeper',
          version: 1,
          input: nothing,
          run: async (flow) => {
            await flow.sleep('nap', 300);
          },
        });
        const first = await open([sleeper]);
        await first.start(sleeper, 's1', null);
        await until('sleeps', async () => ((await first.get('s1'))?.wakesAt ?? 0) > 0);
        const before = await first.get('s1');
        await first.close();
        const second = await open([sleeper]);
        expect((await second.get('s1'))?.wakesAt).toBe(before?.wakesAt);
        const { updatedAt, createdAt } = await end(second, 's1');
        expect(updatedAt - createdAt).toBeGreaterThanOrEqual(300);
      }),
    );

    it(
      'records a step that ends while its engine closes',
      on(async ({ open, end }) => {
        let runs = 0;
        const begun = Promise.withResolvers<void>();
        const slow = defineFlow({
          name: 'slow',
          version: 1,
          input: nothing,
          run: async (flow) => {
            const value = await flow.step('work', PURE, async ({ signal }) => {
              runs++;
              begun.resolve();
              await new Promise((resolve) => signal.addEventListener('abort', resolve));
              return runs;
            });
            await flow.step('next', PURE, async () => runs++);
            return value;
          },
        });
        const first = await open([slow]);
        await first.start(slow, 's1', null);
        await begun.promise;
        await first.close();
        expect(runs).toBe(1);
        const second = await open([slow]);
        expect((await end(second, 's1')).output).toBe(1);
        expect(runs).toBe(2);
      }),
    );

    it(
      'is not begun by a step of the clock',
      on(async ({ open, end, until, world }) => {
        const flow = heldFlow(world);
        const first = await open([flow], { leaseMs: 300 });
        await first.start(flow, 'h1', { how: 'keyed' });
        await until('runs', () => world.log.lines().length > 0);
        const ahead = await open([flow], { leaseMs: 300, now: () => Date.now() + 3_600_000 });
        await pause(900);
        expect(await ahead.resume()).toBe(0);
        expect(await ahead.get('h1')).toMatchObject({ state: 'running', fence: 1 });
        writeFileSync(world.goFile, '');
        expect((await end(ahead, 'h1')).output).toEqual({ status: 'done', value: 1 });
        expect(world.log.lines().map(({ what }) => what)).toEqual(['begun', 'still mine']);
      }),
    );
  });
}
