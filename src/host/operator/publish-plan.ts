import { basename, dirname, join } from 'node:path';
import { readText } from '#adapters/store';
import { lessonsOf } from '#engines/aiops';
import { homeScope } from '#engines/memory';
import { shownChange } from '#engines/skills';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import { ENDED_STATES } from '#spec/data';
import { localView } from '../find-session.ts';
import type { Host } from '../open-host.ts';
import { LEARNED_CHANGE } from '../skills/staging-pen.ts';
import { operatorWords } from './operator-words.ts';

const MOST_FACTS = 5_000;

/**
 * "Save this as a runbook skill": of the incident that ended last, or the newest one that was diagnosed. It is drafted
 * as a closed incident's own lesson is, and waits for a person like every write of a skill that nobody typed.
 */
export async function publishText(host: Host, language: Language): Promise<string> {
  const words = operatorWords(language);
  const { store, archive } = await host.incidents();
  const [ended] = await store.list({ states: ENDED_STATES, limit: 1 });
  const incident = ended ?? (await store.list({ limit: 5 })).find(({ rca }) => rca !== undefined);
  if (!incident) return words.nothingToPublish;
  const [facts, alerts] = await Promise.all([store.facts(incident.id, 0, MOST_FACTS), store.alerts(incident.id)]);
  const { secrets, staged } = await host.memory();
  const { skill } = lessonsOf(incident, facts, alerts, {
    language,
    bundle: archive.folder(incident.id, incident.round),
    secrets,
  });
  if (!skill) return words.nothingToPublish;
  const name = basename(dirname(skill.path));
  const known = await readText(join(host.home.dir('skills'), skill.path));
  const change = {
    action: known === undefined ? ('created' as const) : ('improved' as const),
    skill: name,
    changes: [{ path: skill.path, text: skill.text }],
    why: `asked for, from ${incident.id}`,
    by: 'user' as const,
    from: [incident.id],
  };
  const scope = homeScope('note', localView());
  const waiting = (await staged.list([scope])).find(({ tool, shown }) => tool === LEARNED_CHANGE && shown.includes(change.why));
  const id = waiting?.id ?? newId('wr');
  if (!waiting)
    await staged.add({
      id,
      scope,
      target: 'skill',
      tool: LEARNED_CHANGE,
      input: change,
      shown: shownChange(`${change.action} ${name}: ${change.why}`, [`${skill.path}\n${skill.text}`]),
      why: change.why,
      at: Date.now(),
    });
  return [words.published(name, id), words.publishedFrom(words.theIncident(incident.id))].join('\n');
}
