import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openFlows } from '../../src/adapters/store/durable/open-flows.ts';
import { type WorkflowResult, workflowFlow, workflowRun } from '../../src/engines/skills/workflow/index.ts';
import { crashDeps, type CrashTask } from './crash-world.ts';
import { worldLog } from './stage.ts';

const CHILD = join(import.meta.dirname, 'crash-child.ts');
const root = mkdtempSync(join(tmpdir(), 'workflow-crash-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Lets a process work, and tells how it ended. */
async function child(task: CrashTask): Promise<NodeJS.Signals | number> {
  const started = spawn(process.execPath, [CHILD, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'cache') },
  });
  const [code, signal] = (await once(started, 'close')) as [number, NodeJS.Signals | null];
  return signal ?? code;
}

/** Goes on in this process with what another one left. */
async function finish(folder: string, id: string) {
  const flow = workflowFlow(crashDeps(folder, () => undefined));
  const flows = await openFlows(join(folder, 'flows.db'), {
    flows: [flow],
    report: () => undefined,
    pollMs: 20,
  });
  try {
    return (await flows.get(id)) && (await flows.ended(id, AbortSignal.timeout(10_000)));
  } finally {
    await flows.close();
  }
}

/** Every so-manyth place is tried: a process takes its time to begin. */
const STRIDE = 4;

const CHANGES = ['left x', 'right x', 'asked x', 'notified done'];

describe('a run whose process is killed', () => {
  it('goes on wherever that was, and changes nothing twice', async () => {
    let place = 1;
    let unharmed = Number.POSITIVE_INFINITY;
    const ends: string[] = [];
    const worker = async () => {
      while (place < unharmed) {
        const killAt = place;
        place += STRIDE;
        const folder = mkdtempSync(join(root, 'k-'));
        const end = await child({ folder, killAt, runs: ['r1'] });
        if (end !== 'SIGKILL') unharmed = Math.min(unharmed, killAt);
        const record = await finish(folder, 'r1');
        // Killed before the start was on disk.
        if (!record) continue;
        const where = `killed at ${killAt}`;
        const words = worldLog(join(folder, 'world.log')).words();
        expect(record.state, where).toBe('done');
        const result = record.output as WorkflowResult;
        expect(new Set(words).size, `${where}: ${words.join()}`).toBe(words.length);
        if (result.state === 'done') {
          const changes = words.filter((word) => !word.includes('notified'));
          expect(changes, where).toHaveLength(3);
          // That a message was sent may be as uncertain as a change.
          if (result.warnings.length === 0) expect(words, where).toHaveLength(4);
        } else {
          expect(result.state, where).toBe('uncertain');
          const uncertain = result.steps.filter(({ state }) => state === 'uncertain');
          expect(uncertain.length, where).toBeGreaterThan(0);
          expect(workflowRun(record)?.steps, where).toEqual(result.steps);
        }
        ends.push(result.state);
      }
    };
    await Promise.all([worker(), worker()]);
    expect(ends.filter((state) => state === 'done').length).toBeGreaterThan(3);
    expect(ends.filter((state) => state === 'uncertain').length).toBeGreaterThan(1);
  }, 90_000);

  it('is shared with others: each change is made once', async () => {
    const folder = mkdtempSync(join(root, 'two-'));
    const runs = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(await Promise.all([0, 0].map((killAt) => child({ folder, killAt, runs })))).toEqual([0, 0]);
    const words = worldLog(join(folder, 'world.log')).words();
    expect([...words].toSorted()).toEqual(
      runs.flatMap((run) => CHANGES.map((what) => `${run} ${what}`)).toSorted(),
    );
  });
});
