import type { LearnEvent } from '../learn-event.ts';
import type { LearningState } from '../learning-state.ts';
import type { Cluster } from '../similarity/experience-clusters.ts';
import { draftOf } from './draft.ts';
import { workflowName, writeWorkflow } from './write-workflow.ts';

/**
 * A workflow that is no longer offered because the world has changed gets the steps by which the same task was done
 * since, and is offered again.
 */
export async function renewWorkflow(state: LearningState, cluster: Cluster): Promise<LearnEvent[]> {
  const { settings, deps, marks } = state;
  if (!settings.repair) return [];
  const demoted = await marks.demoted();
  const recent = cluster.members.filter(({ experience }) => !experience.skill).slice(-settings.draftAfter);
  if (recent.length < settings.draftAfter) return [];
  const draft = draftOf({ ...cluster, members: recent }, () => false, state.clusters.rarities);
  const name = draft && workflowName(draft.name);
  const since = name === undefined ? undefined : demoted[name]?.at;
  if (!draft || !name || since === undefined || recent.some(({ experience }) => experience.at <= since))
    return [];
  const skill = (await deps.shelf.all()).find(
    (one) => one.name === name && one.trust === 'own' && one.form === 'workflow',
  );
  const text = skill && writeWorkflow(draft, skill.version);
  if (!skill || text === undefined || (await deps.rehearse?.(text)) !== undefined) return [];
  const why = `${recent.length} tasks were done another way since`;
  const changes = [{ path: skill.path, text }];
  const made = await state.change(
    { action: 'repaired', skill: name, changes, why, by: 'learning', from: draft.from },
    'repaired',
  );
  if (made.kind === 'repaired') await marks.setDemoted(name, undefined);
  return [made];
}
