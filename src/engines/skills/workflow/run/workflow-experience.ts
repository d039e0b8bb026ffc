import { redact } from '#kit/redact';
import type { Experience, MemoryScope } from '#spec/data';
import type { StepRecord } from './run-records.ts';
import type { WorkflowRun } from './workflow-run.ts';

const RAN: readonly StepRecord['state'][] = ['done', 'recovered', 'failed', 'uncertain', 'refused'];

/** A run that has ended as something that can be learned from; undefined when nothing was tried. */
export function workflowExperience(run: WorkflowRun, scope: MemoryScope): Experience | undefined {
  const { result, input, skill, version } = run;
  if (!result || run.dryRun || ['unmet', 'cancelled'].includes(result.state)) return undefined;
  const steps = run.steps.filter(({ state, attempts }) => RAN.includes(state) && attempts > 0);
  const path = steps.map((step) => ({
    tool: step.action,
    input: readInput(step),
    ok: step.state === 'done' || step.state === 'recovered',
    ms: (step.endedAt ?? 0) - (step.startedAt ?? 0),
    summary: step.failure ? `${step.failure.kind}: ${step.summary ?? ''}` : (step.summary ?? ''),
  }));
  const tools = path.filter(({ ok }) => ok).map(({ tool }) => tool);
  return {
    id: `exp_${run.id}`,
    scope,
    kind: 'workflow',
    task: redact(input.task ?? skill),
    path,
    outcome: result.failure ? `${result.failure.kind}: ${result.failure.message}` : result.state,
    success: result.state === 'done',
    keyDecisions: steps.flatMap((step, i) => decisionOf(step, i)),
    toolCombos: tools.length > 1 ? [tools] : [],
    durationMs: result.endedAt - result.startedAt,
    tokens: 0,
    calls: steps.reduce((sum, { attempts }) => sum + attempts, 0),
    skill: { name: skill, version },
    session: input.requester.session,
    at: result.endedAt,
  };
}

function decisionOf({ state, failure, attempts }: StepRecord, step: number): Experience['keyDecisions'] {
  if (state === 'recovered') return [{ step, why: `${failure?.kind ?? 'failed'}: its handler mended it` }];
  if (failure) return [{ step, why: `${failure.kind}: ${failure.message.split('\n', 1)[0] ?? ''}` }];
  return attempts > 1 ? [{ step, why: `it took ${attempts} attempts` }] : [];
}

/** The shown call is JSON unless it was cut or is a command. */
function readInput({ input = '' }: StepRecord): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
}
