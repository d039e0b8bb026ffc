import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ErrorRecord } from '#spec/data';
import type { DurableEngine, Flow, FlowRecord } from '#spec/ports';
import type { ChildTask } from './child.ts';
import { effectLog } from './effect-log.ts';
import type { SampleWorld } from './sample-flows.ts';
import { type Child, startChild } from './start-child.ts';
import type { DurableUnderTest, OpenOptions } from './under-test.ts';

/** One store and one world of effects, with everything that a test opens on them. */
export interface Stage {
  readonly place: string;
  readonly world: SampleWorld;
  open(flows: readonly Flow[], more?: Partial<OpenOptions>): Promise<DurableEngine>;
  child(task: Partial<ChildTask>): Child;
  /** Resolves to the record of a flow that has ended, within half a minute. */
  end(engine: DurableEngine, id: string): Promise<FlowRecord>;
  /** Resolves when something has become true, within half a minute. */
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<void>;
}

const COMPILE_CACHE = join(tmpdir(), `hermes-durable-cache-${process.pid}`);
const PATIENCE_MS = 30_000;
/** Long enough that a busy machine is not taken for a dead process; tests of takeover ask for a shorter one. */
export const LEASE_MS = 5_000;

/** Runs a test on a stage of its own, closes what it opened, and sees that nothing went wrong behind its back. */
export const onStage =
  (subject: DurableUnderTest, test: (stage: Stage) => Promise<void>) => async (): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-durable-'));
    const place = subject.newPlace();
    const log = join(folder, 'effects.ndjson');
    const goFile = join(folder, 'go');
    const problems: ErrorRecord[] = [];
    const engines: DurableEngine[] = [];
    const children: Child[] = [];
    const stage: Stage = {
      place,
      world: { log: effectLog(log), goFile, point: () => undefined },
      open: async (flows, more = {}) => {
        const report = (problem: ErrorRecord) => problems.push(problem);
        const engine = await subject.open(place, { flows, report, leaseMs: LEASE_MS, pollMs: 25, ...more });
        engines.push(once(engine));
        return engines.at(-1) as DurableEngine;
      },
      child: (task) => {
        const all = { place, log, goFile, leaseMs: LEASE_MS, killAt: 0, incidents: [], ...task };
        const child = startChild(subject, all, COMPILE_CACHE);
        children.push(child);
        return child;
      },
      end: async (engine, id) => {
        const record = await engine.ended(id, AbortSignal.timeout(PATIENCE_MS));
        if (!record) throw new Error(`flow '${id}' did not end: ${JSON.stringify(await engine.get(id))}`);
        return record;
      },
      until: async (what, holds) => {
        const giveUp = performance.now() + PATIENCE_MS;
        while (!(await holds())) {
          if (performance.now() > giveUp) throw new Error(`it never came to this: ${what}`);
          await pause(5);
        }
      },
    };
    try {
      await test(stage);
      expect(problems).toEqual([]);
    } finally {
      for (const { process } of children) process.kill('SIGKILL');
      await Promise.all(children.map(({ ended }) => ended));
      await Promise.all(engines.map((engine) => engine.close()));
      rmSync(folder, { recursive: true });
    }
  };

/** To be called when no further child will be started. */
export const clearStage = (): void => rmSync(COMPILE_CACHE, { recursive: true, force: true });

/** May be closed by the test and again by the stage. */
function once(engine: DurableEngine): DurableEngine {
  let closing: Promise<void> | undefined;
  return { ...engine, close: () => (closing ??= engine.close()) };
}
