import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Attempt, defineFlow } from '#spec/ports';
import type { EffectLog } from './effect-log.ts';

export interface SampleWorld {
  readonly log: EffectLog;
  /** A place where a process may be killed. */
  readonly point: () => void;
  /** A file that a held step waits for. */
  readonly goFile: string;
}

const PURE = { effect: 'pure' } as const;
const KEYED = { effect: 'keyed' } as const;

/** Makes use of every call that a flow has, and has an effect on the world in each step. */
export function incidentFlow({ log, point }: SampleWorld) {
  return defineFlow({
    name: 'incident',
    version: 1,
    input: z.object({ service: z.string() }),
    run: async (flow, { service }) => {
      const act = (what: string) => async (attempt: Attempt) => {
        point();
        log.add({ what, flow: flow.id, key: attempt.key, fence: attempt.fence });
        point();
        return `${what} of ${service}`;
      };
      const passed = (what: string) => log.add({ what: `passed ${what}`, flow: flow.id });

      const at = await flow.now();
      const found = await Promise.all([
        flow.step('metrics', PURE, act('metrics')),
        flow.step('logs', PURE, act('logs')),
      ]);
      passed('metrics');
      passed('logs');
      const ticket = await flow.step('ticket', KEYED, act('ticket'));
      passed('ticket');
      await flow.sleep('settle', 20);
      const decision = await flow.waitFor(['decision', 'withdrawn'], { timeoutMs: 60_000 });
      const executed = await flow.once('execute', act('execute'));
      passed('execute');
      const happened = await flow.step('probe', PURE, async () =>
        log.lines().some(({ what, flow: of }) => what === 'execute' && of === flow.id),
      );
      return { at, found, ticket, decision: decision?.payload, executed: executed.status, happened };
    },
  });
}

/** Has one step that lasts until a file appears. */
export function heldFlow({ log, point, goFile }: SampleWorld) {
  return defineFlow({
    name: 'held',
    version: 1,
    input: z.object({ how: z.enum(['once', 'keyed']) }),
    run: async (flow, { how }) => {
      const hold = async ({ key, fence, stillMine }: Attempt) => {
        log.add({ what: 'begun', flow: flow.id, key, fence });
        point();
        while (!existsSync(goFile)) await pause(10);
        const mine = await stillMine();
        log.add({ what: mine ? 'still mine' : 'not mine', flow: flow.id, key, fence });
        return fence;
      };
      if (how === 'keyed') return { status: 'done', value: await flow.step('hold', KEYED, hold) };
      return flow.once('hold', hold);
    },
  });
}
