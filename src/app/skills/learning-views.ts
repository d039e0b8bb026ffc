import type { LearnStatus } from '#engines/learning';
import { isRecord } from '#kit/is-record';
import type { SkillEdit, StagedWrite } from '#spec/data';
import type { SkillFiles } from '#spec/ports';
import { filesDiff } from './text-diff.ts';

/** An edit in the ledger, without the texts. */
export interface EditRow extends Omit<SkillEdit, 'before' | 'after'> {
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
}

export interface EditView extends EditRow {
  readonly diff: string;
}

/** A change of a skill that waits for the owner. */
export interface DraftView {
  readonly id: string;
  readonly skill?: string;
  readonly action?: string;
  /** All that would be written, as it was told when it was asked for. */
  readonly shown: string;
  /** Against what is there now, where that can be told. */
  readonly diff?: string;
  readonly why: string;
  readonly session?: string;
  readonly at: number;
}

export interface LearningView extends Pick<LearnStatus, 'experiences' | 'proposals'> {
  /** Kinds of tasks, in words of those who set them; only for the owner. */
  readonly kinds?: LearnStatus['kinds'];
  readonly ledger: readonly EditRow[];
  readonly loop: {
    readonly enabled: boolean;
    /** Whether changes wait for the owner. */
    readonly approve: boolean;
    readonly threshold: number;
    readonly reflectEvery: number;
    readonly sinceReflected: number;
    readonly staleDays: number;
    readonly archiveDays: number;
    readonly curatedAt: number;
    readonly stale: readonly string[];
    readonly demoted: LearnStatus['marks']['demoted'];
    readonly pinned: readonly string[];
  };
}

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
