import type { Experience } from '#spec/data';
import type { LearnEvent } from '../learn-event.ts';
import type { LearningState } from '../learning-state.ts';
import type { Cluster } from '../similarity/experience-clusters.ts';
import { type Draft, draftOf } from './draft.ts';
import { coveringSkill } from './covering.ts';
import { betterDocument } from './model-document.ts';
import { type Verdict, verifyDraft } from './verify-draft.ts';
import { writeDocument } from './write-document.ts';
import { workflowName, writeWorkflow } from './write-workflow.ts';

const FIRST_VERSION = '1.0.0';

/** Drafts a skill for a kind of task that has succeeded often enough and that no skill does yet. */
export async function draftSkill(
  state: LearningState,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<LearnEvent[]> {
  const { settings, deps } = state;
  if (cluster.members.length < settings.draftAfter) return [];
  const offered = await state.offered();
  const recent = cluster.members.slice(-settings.draftAfter);
  const users = recent.filter(({ experience }) =>
    offered.some(({ name }) => name === experience.skill?.name),
  );
  if (users.length * 2 > recent.length || coveringSkill(offered, recent, state.clusters)) return [];
  const names = new Set((await deps.shelf.all()).map(({ name }) => name));
  const taken = (name: string) => names.has(name) || names.has(workflowName(name));
  const draft = draftOf(cluster, taken, state.clusters.rarities);
  if (!draft) return [];
  const tasks = cluster.members.map(({ experience }) => experience);
  const plain = writeDocument(draft, FIRST_VERSION);
  const verdict = verifyDraft(draft, plain, tasks.slice(-8), state.clusters.rarities.steps);
  await propose(state, draft, verdict, plain);
  if (verdict.problem !== undefined) return [{ kind: 'rejected', skill: draft.name, why: verdict.problem }];
  return store(state, draft, await betterDocument(state, draft, plain, tasks, signal), tasks);
}

async function store(
  state: LearningState,
  draft: Draft,
  document: string,
  tasks: readonly Experience[],
): Promise<LearnEvent[]> {
  const why = `${tasks.length} tasks were done this way`;
  const common = { action: 'created', by: 'learning', why, from: draft.from } as const;
  const path = `learned/${draft.name}/SKILL.md`;
  const made = await state.change(
    { ...common, skill: draft.name, changes: [{ path, text: document }] },
    'drafted',
  );
  const workflow = writeWorkflow(draft, '1.0');
  const { rehearse } = state.deps;
  if (made.kind !== 'drafted' || workflow === undefined || !rehearse) return [made];
  const name = workflowName(draft.name);
  const problem = await rehearse(workflow);
  if (problem !== undefined) return [made, { kind: 'rejected', skill: name, why: problem }];
  const changes = [{ path: `learned/${name}.yaml`, text: workflow }];
  return [made, await state.change({ ...common, skill: name, changes }, 'drafted')];
}

const propose = (state: LearningState, draft: Draft, { problem, score, replays }: Verdict, text: string) =>
  state.marks.propose({
    id: state.newId('prop'),
    kind: 'draft',
    skill: draft.name,
    what: `${draft.procedure.steps.length} steps from ${draft.from.length} tasks`,
    accepted: problem === undefined,
    why: problem ?? `it fits ${Math.round(score * 100)} % of what was done`,
    before: 0,
    after: score * replays.length,
    tasks: replays.length,
    text,
    at: state.deps.now(),
  });
