import { join } from 'node:path';
import { openFlows } from '../../src/adapters/store/durable/open-flows.ts';
import { type WorkflowInput, workflowFlow } from '../../src/engines/skills/workflow/index.ts';
import { crashDeps, type CrashTask, crashInput } from './crash-world.ts';

/** Starts runs, works on them together with whoever else has the file open, and kills itself when it is told to. */
const task = JSON.parse(process.argv[2] ?? '') as CrashTask;
let points = 0;
const point = () => {
  points++;
  if (points === task.killAt) process.kill(process.pid, 'SIGKILL');
};
const flow = workflowFlow(crashDeps(task.folder, point));
const flows = await openFlows(join(task.folder, 'flows.db'), {
  flows: [flow],
  report: (problem) => process.stderr.write(`${JSON.stringify(problem)}\n`),
  pollMs: 20,
  onWrite: point,
});
const input: WorkflowInput = crashInput();
for (const id of task.runs) await flows.start(flow, id, input);
for (const id of task.runs) await flows.ended(id, new AbortController().signal);
await flows.close();
