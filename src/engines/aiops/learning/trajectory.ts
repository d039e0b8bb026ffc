import type { Spoken } from '#kit/text';
import type { Evidence, ProposedAction, Recovery } from '#spec/data';
import { changesSomething, definitionOf, paramOf } from '#spec/data/operations';
import { showAction } from '../priors/show-action.ts';
import type { Sieve } from './clean-text.ts';
import type { Story } from './story.ts';
import type { LessonWords } from './words.ts';

type TrajectoryStep =
  | { readonly role: 'user' | 'assistant'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: '';
      readonly call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
    }
  /** What the call before it gave, in a sentence: never the raw result. */
  | { readonly role: 'tool'; readonly name: string; readonly content: string };

/** How an incident was handled, as steps that something can be trained or judged on. */
export interface Trajectory {
  readonly id: string;
  readonly incident: string;
  readonly steps: readonly TrajectoryStep[];
  readonly reward: {
    readonly label: 'recovered' | 'not_recovered' | 'confirmed_by_person' | 'unproven';
    readonly value: number;
  };
}

const TOOL_OF: Readonly<Partial<Record<Evidence['kind'], string>>> = {
  metric: 'prom_query',
  log: 'loki_query',
  trace: 'trace_search',
  change: 'recent_deploys',
};

export function trajectoryOf(story: Story, words: LessonWords, sieve: Sieve): Trajectory {
  const { incident } = story;
  return {
    id: `trj_${incident.id}`,
    incident: incident.id,
    steps: [
      { role: 'user', content: sieve.line(words.task(incident.severity, incident.title)) ?? incident.id },
      ...looking(story, sieve),
      ...concluding(story, sieve),
      ...acting(story, sieve),
      { role: 'assistant', content: finalAnswer(story, words) },
    ],
    reward: rewardOf(story),
  };
}

const called = (name: string, args: Readonly<Record<string, unknown>>, content: string): TrajectoryStep[] => [
  { role: 'assistant', content: '', call: { name, arguments: args } },
  { role: 'tool', name, content },
];

function looking({ deciding, service }: Story, sieve: Sieve): TrajectoryStep[] {
  return deciding.flatMap((evidence) => {
    const name = TOOL_OF[evidence.kind];
    const query = sieve.line(evidence.query, 500);
    const found = sieve.line(`${evidence.id}: ${evidence.summary}`);
    if (name === undefined || query === undefined || found === undefined) return [];
    const where = evidence.service ?? service;
    const about = where === undefined ? {} : { service: where };
    if (evidence.kind === 'metric') return called(name, { query }, found);
    if (evidence.kind === 'log') return called(name, { ...about, query }, found);
    return called(
      name,
      evidence.kind === 'trace' ? { ...about, error_only: true } : { ...about, since: '2h' },
      found,
    );
  });
}

function concluding({ incident: { rca, action }, category, service }: Story, sieve: Sieve): TrajectoryStep[] {
  const [first] = rca?.hypotheses ?? [];
  if (!rca || !first) return [];
  const ids = first.supports.join(', ');
  const verdict = `${rca.status}: ${first.category}, ${first.confidence.toFixed(2)}, ${ids}`;
  const about = service === undefined ? {} : { service };
  const steps = called('incident_rca_guard', { ...about, evidence: first.supports }, verdict);
  if (!action) return steps;
  const hypothesis = {
    category: category ?? first.category,
    confidence: first.confidence,
    evidence_ids: first.supports,
  };
  const shown = sieve.line(`${showAction(action)}: ${action.risk}`);
  return [...steps, ...called('action_policy_guard', { ...about, hypothesis }, shown ?? action.operation)];
}

function acting({ incident }: Story, sieve: Sieve): TrajectoryStep[] {
  const { action, rehearsal, execution, recovery, approval, checkpoint } = incident;
  if (!action || !changesSomething(action.operation)) return [];
  const { name, args } = actionCall(action);
  const gates = {
    ...(approval === undefined ? {} : { approval_id: approval }),
    ...(checkpoint === undefined ? {} : { checkpoint_id: checkpoint.id }),
  };
  const preview = rehearsal && (sieve.line(rehearsal.preview) ?? '');
  const detail = execution && (sieve.line(`${execution.status}: ${execution.detail}`) ?? execution.status);
  return [
    ...(preview === undefined ? [] : called(name, { ...args, dry_run: true }, preview)),
    ...(detail === undefined ? [] : called(name, { ...args, ...gates, dry_run: false }, detail)),
    ...(execution && recovery
      ? called('verify_recovery', { service: action.service }, verification(recovery, sieve))
      : []),
  ];
}

/** The call by which the agent would ask for an action. */
function actionCall(action: Spoken<ProposedAction>): { name: string; args: Record<string, unknown> } {
  const { operation, service, params } = action;
  const { tool } = definitionOf(operation);
  if (!tool) return { name: 'execute_controlled_action', args: { operation, service, params } };
  const given = Object.entries(tool.input)
    .map(([input, param]) => [input, paramOf(action, param)] as const)
    .filter(([, value]) => value !== undefined);
  return { name: operation, args: { service, ...Object.fromEntries(given) } };
}

function verification({ status, checks }: Spoken<Recovery>, sieve: Sieve): string {
  const told = checks.filter(({ ok }) => ok !== undefined).map(({ summary }) => summary);
  return sieve.line([status, ...told].join('; '), 600) ?? status;
}

function finalAnswer({ incident, category, service, deciding }: Story, words: LessonWords): string {
  const cause = words.final(
    category ? words.categories[category] : '–',
    service ?? '–',
    deciding.map(({ id }) => id).join(', ') || '–',
  );
  const { action, recovery } = incident;
  return action && recovery ? `${cause}${words.finalAction(showAction(action), recovery.status)}` : cause;
}

function rewardOf({ proof, incident: { recovery } }: Story): Trajectory['reward'] {
  if (proof === 'recovery') return { label: 'recovered', value: 1 };
  if (recovery?.status === 'not_recovered') return { label: 'not_recovered', value: -1 };
  return proof === 'person' ? { label: 'confirmed_by_person', value: 0.5 } : { label: 'unproven', value: 0 };
}
