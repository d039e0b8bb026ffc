import type { WorkflowEvent } from '#engines/skills';
import type { FinishedSpan } from '#spec/ports';
import { spanIdOf, traceIdOf } from './open-tracer.ts';

/**
 * A trace for each run of a workflow: the run and its steps. Its ids follow from the run, so a process that goes on with
 * it goes on in the same trace; the span of the run itself is told by a process that saw its beginning and its end.
 */
export function workflowSpans(add: (span: FinishedSpan) => void): (event: WorkflowEvent) => void {
  const begun = new Map<string, Extract<WorkflowEvent, { type: 'started' }>>();
  return (event) => {
    const { run, at: endMs } = event;
    const traceId = traceIdOf(run);
    const base = { traceId, kind: 'internal', endMs } as const;
    if (event.type === 'started') begun.set(run, event);
    else if (event.type === 'step.ended') {
      const { step, ok, ms, kind } = event;
      add({
        ...base,
        spanId: spanIdOf(`${run} ${step} ${endMs}`),
        parentId: spanIdOf(run),
        name: 'workflow.step',
        startMs: endMs - ms,
        attributes: { 'hermes.workflow.run': run, 'hermes.workflow.step': step },
        error: ok ? undefined : (kind ?? 'failed'),
      });
    } else if (event.type === 'finished') {
      const started = begun.get(run);
      begun.delete(run);
      if (!started) return;
      const { skill, version, dryRun, at: startMs } = started;
      add({
        ...base,
        spanId: spanIdOf(run),
        name: `workflow ${skill}`,
        startMs,
        attributes: {
          'hermes.workflow.run': run,
          'hermes.workflow.skill': skill,
          'hermes.workflow.version': version,
          'hermes.workflow.dry_run': dryRun,
          'hermes.status': event.state,
        },
        error: FINE.has(event.state) ? undefined : event.state,
      });
    }
  };
}

const FINE: ReadonlySet<string> = new Set(['done', 'shown', 'unmet', 'cancelled']);
