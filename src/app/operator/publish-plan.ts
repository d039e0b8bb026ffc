import { basename, dirname } from 'node:path';
import { lessonsOf } from '#engines/aiops';
import { draftOfOne } from '#engines/learning';
import { homeScope } from '#engines/memory';
import { shownChange } from '#engines/skills';
import { findCredential } from '#kit/find-credential';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import { localView } from '../terminal/index.ts';
import type { OperatorHome } from './operator-home.ts';
import { LEARNED_CHANGE } from '#app/skills';
import { operatorWords } from './operator-words.ts';

const MOST_FACTS = 5_000;
const MOST_LOOKED = 20;

interface Publishable {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly from: string;
  /** What it is made of, for whoever decides. */
  readonly of: string;
}

/**
 * "Save this as a runbook skill": of the newest incident with a concluded cause, or of what was done last in a
 * conversation, whichever is later. It waits for a person like every write of a skill that nobody typed.
 */
export async function publishText(home: OperatorHome, language: Language): Promise<string> {
  const words = operatorWords(language);
  const found = await newest(home, language);
  if (!found || findCredential(found.text)) return words.nothingToPublish;
  const { name, path, text, from, of } = found;
  const shelf = await home.skills();
  const known = (await shelf.library.all()).some((skill) => skill.name === name);
  const change = {
    action: known ? ('improved' as const) : ('created' as const),
    skill: name,
    changes: [{ path, text }],
    why: `asked for, from ${from}`,
    by: 'user' as const,
    from: [from],
  };
  const { staged } = await home.memory();
  const scope = homeScope('note', localView());
  const waiting = (await staged.list([scope])).find(
    ({ tool, why }) => tool === LEARNED_CHANGE && why === change.why,
  );
  const id = waiting?.id ?? newId('wr');
  const shown = shownChange(`${change.action} ${name}: ${change.why}`, [`${path}\n${text}`]);
  const write = { id, scope, target: 'skill' as const, tool: LEARNED_CHANGE, input: change, shown };
  if (!waiting) await staged.add({ ...write, why: change.why, at: Date.now() });
  return [words.published(name, id), words.publishedFrom(of)].join('\n');
}

async function newest(home: OperatorHome, language: Language): Promise<Publishable | undefined> {
  const words = operatorWords(language);
  const { store, archive } = await home.incidents();
  const incident = (await store.list({ limit: MOST_LOOKED })).find(({ rca }) => rca?.status === 'concluded');
  const { experiences, library } = await home.skills();
  const names = new Set((await library.all()).map(({ name }) => name));
  const scopes = [homeScope('note', localView())];
  for (const done of await experiences.list({ scopes, limit: MOST_LOOKED })) {
    // A run of a skill is one already.
    if (!done.success || done.kind !== 'chat' || done.skill || done.at < (incident?.updatedAt ?? 0)) continue;
    const draft = draftOfOne(done, (name) => names.has(name));
    if (draft) return { ...draft, from: done.id, of: words.theConversation(done.task.slice(0, 80)) };
  }
  if (!incident) return undefined;
  const [facts, alerts] = await Promise.all([
    store.facts(incident.id, 0, MOST_FACTS),
    store.alerts(incident.id),
  ]);
  const { secrets } = await home.memory();
  // Whoever wants it kept says with it that the cause is right: that is a person's verdict.
  const bundle = archive.folder(incident.id, incident.round);
  const { skill } = lessonsOf(incident, facts, alerts, { language, bundle, secrets, verdict: {} });
  if (!skill) return undefined;
  return {
    name: basename(dirname(skill.path)),
    ...skill,
    from: incident.id,
    of: words.theIncident(incident.id),
  };
}
