import { writeSync } from 'node:fs';
import { effectLog } from './effect-log.ts';
import { heldFlow, incidentFlow } from './sample-flows.ts';
import type { DurableUnderTest } from './under-test.ts';

/** What a child process is told. */
export interface ChildTask {
  readonly place: string;
  readonly log: string;
  readonly goFile: string;
  readonly leaseMs: number;
  /** Kills itself when it comes to a place where it may be killed for the so-manyth time; 0: never. */
  readonly killAt: number;
  /** Flows that it starts, and waits for. */
  readonly incidents: readonly string[];
  readonly held?: { readonly id: string; readonly how: 'once' | 'keyed' };
}

/** Starts flows of every kind, runs them together with whoever else has the store open, and prints their ends. */
export async function runChild(open: DurableUnderTest['open'], task: ChildTask): Promise<void> {
  let points = 0;
  const point = () => {
    points++;
    if (points === task.killAt) process.kill(process.pid, 'SIGKILL');
  };
  const world = { log: effectLog(task.log), goFile: task.goFile, point };
  const incident = incidentFlow(world);
  const held = heldFlow(world);
  const engine = await open(task.place, {
    flows: [incident, held],
    leaseMs: task.leaseMs,
    pollMs: 25,
    report: (problem) => writeSync(2, `${JSON.stringify(problem)}\n`),
    onWrite: point,
  });
  if (task.held) await engine.start(held, task.held.id, { how: task.held.how });
  for (const id of task.incidents) {
    await engine.start(incident, id, { service: 'payments' });
    await engine.signal(id, 'decision', { approval: 'a1' }, 'a1');
  }
  for (const id of [...(task.held ? [task.held.id] : []), ...task.incidents]) {
    const record = await engine.ended(id, new AbortController().signal);
    writeSync(1, `${JSON.stringify(record)}\n`);
  }
  await engine.close();
}
