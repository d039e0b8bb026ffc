import { isRecord } from '#kit/is-record';
import type * as api from '#spec/api';
import type { SkillEdit, StagedWrite } from '#spec/data';
import type { SkillFiles } from '#spec/ports';
import { filesDiff } from './text-diff.ts';

/** An edit in the ledger, without the texts. */
export type EditRow = api.Given<api.EditRow>;

export type EditView = api.Given<api.AnswerOf<api.Calls['GET /api/skill-edits/:id']>>;

/** A change of a skill that waits for the owner. */
export type DraftView = api.Given<api.DraftView>;

export type LearningView = api.Given<api.LearningView>;

export function editRow({ before, after, ...edit }: SkillEdit): EditRow {
  const diff = filesDiff(before, after);
  return {
    ...edit,
    files: [...new Set([...before, ...after].map(({ path }) => path))],
    added: count(diff, /^\+(?!\+\+ )/gm),
    removed: count(diff, /^-(?!-- )/gm),
  };
}

export const editView = (edit: SkillEdit): EditView => ({
  ...editRow(edit),
  diff: filesDiff(edit.before, edit.after),
});

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** What waits. Wishes of the loop name their files; what a tool would write is told in its own words. */
export async function draftView(write: StagedWrite, files: Pick<SkillFiles, 'read'>): Promise<DraftView> {
  const { id, shown, why, session, at, input } = write;
  const { skill, name, action } = isRecord(input) ? input : {};
  const changes = changesIn(input);
  const before = await Promise.all(
    changes.map(async ({ path }) => {
      const bytes = await files.read('home', path);
      return { path, text: bytes && new TextDecoder().decode(bytes) };
    }),
  );
  const named = [skill, name].find((one): one is string => typeof one === 'string');
  return {
    id,
    ...(named === undefined ? {} : { skill: named }),
    ...(typeof action === 'string' ? { action } : {}),
    shown,
    ...(changes.length ? { diff: filesDiff(before, changes) } : {}),
    why,
    ...(session === undefined ? {} : { session }),
    at,
  };
}

/** Files outside of the skills are none of ours to read. */
function changesIn(input: unknown): { path: string; text: string | undefined }[] {
  if (!isRecord(input) || !Array.isArray(input.changes)) return [];
  return input.changes.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each.path !== 'string') return [];
    return [{ path: each.path, text: typeof each.text === 'string' ? each.text : undefined }];
  });
}
