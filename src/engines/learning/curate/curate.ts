import type { Skill } from '#spec/data';
import type { LearnEvent } from '../learn-event.ts';
import type { LearningState } from '../learning-state.ts';
import { addLine } from '../procedure/edit-document.ts';
import { examplesIn } from '../procedure/examples.ts';
import { editFront } from '../procedure/front-matter.ts';
import { duplicates } from './duplicates.ts';

const DAY_MS = 86_400_000;
const MOST_EDITS = 10;

/**
 * Tidies what Hermes wrote itself: what says the same becomes one, what nobody has used for long is marked and later
 * archived. Pinned skills and those of others stay as they are; every edit can be undone.
 */
export async function curate(state: LearningState, signal: AbortSignal): Promise<LearnEvent[]> {
  const pinned = new Set(await state.marks.pinned());
  const own = (await state.deps.shelf.all()).filter(
    ({ trust, name }) => trust === 'own' && !pinned.has(name),
  );
  const last = new Map(
    await Promise.all(own.map(async (skill) => [skill.name, await lastUse(state, skill)] as const)),
  );
  const events: LearnEvent[] = [];
  const gone = new Set<string>();
  for (const [a, b] of duplicates(own)) {
    if (signal.aborted || events.length >= MOST_EDITS) break;
    if (gone.has(a.name) || gone.has(b.name)) continue;
    const [kept, other] = (last.get(a.name)?.uses ?? 0) >= (last.get(b.name)?.uses ?? 0) ? [a, b] : [b, a];
    const merged = await merge(state, kept, other);
    events.push(merged);
    if (merged.kind === 'merged') gone.add(other.name);
  }
  const age = (skill: Skill) => (state.deps.now() - (last.get(skill.name)?.at ?? state.deps.now())) / DAY_MS;
  const left = own.filter(({ name }) => !gone.has(name));
  const known = new Set(await state.marks.stale());
  const stale = left.filter(
    (skill) => age(skill) >= state.settings.staleDays && age(skill) < state.settings.archiveDays,
  );
  await state.marks.setStale(stale.map(({ name }) => name));
  for (const skill of stale) {
    if (known.has(skill.name)) continue;
    events.push({ kind: 'stale', skill: skill.name, why: `not used for ${Math.floor(age(skill))} days` });
  }
  for (const skill of left.filter((one) => age(one) >= state.settings.archiveDays)) {
    if (signal.aborted || events.length >= MOST_EDITS) break;
    events.push(await archive(state, skill, `not used for ${Math.floor(age(skill))} days`));
  }
  return events;
}

/** When a skill was used or written last. */
async function lastUse({ deps }: LearningState, { name }: Skill) {
  const uses = await deps.history.uses({ skill: name, limit: 50 });
  const [version] = await deps.history.versions(name);
  return { uses: uses.length, at: Math.max(uses[0]?.at ?? 0, version?.at ?? 0) || deps.now() };
}

async function archive(state: LearningState, skill: Skill, why: string): Promise<LearnEvent> {
  const changes = await archiving(state, skill);
  return state.change({ action: 'archived', skill: skill.name, changes, why, by: 'curator' }, 'archived');
}

async function archiving(state: LearningState, skill: Skill) {
  const text = await state.textOf(skill);
  return [
    { path: skill.path, text: undefined },
    { path: `.archive/${skill.path}`, text },
  ];
}

/** The examples and the provenance of the one go to the other; the file goes to the archive. */
async function merge(state: LearningState, kept: Skill, other: Skill): Promise<LearnEvent> {
  const [text, more] = await Promise.all([state.textOf(kept), state.textOf(other)]);
  const why = `${other.name} says the same`;
  if (text === undefined || more === undefined) return { kind: 'refused', skill: kept.name, why };
  const longer = examplesIn(more).reduce((all, line) => addLine(all, 'when', `- ${line}`), text);
  const from = [...new Set([...kept.createdFrom, ...other.createdFrom])];
  const merged =
    kept.form === 'document' ? editFront(longer, { 'metadata.hermes.created_from': from }) : text;
  const changes = [{ path: kept.path, text: merged }, ...(await archiving(state, other))];
  return state.change({ action: 'merged', skill: kept.name, changes, why, by: 'curator', from }, 'merged');
}
