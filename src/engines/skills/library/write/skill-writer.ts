import { fail } from '#kit/app-error';
import { findCredential } from '#kit/find-credential';
import { newId } from '#kit/new-id';
import type { SkillEdit, SkillVersion } from '#spec/data';
import type { SkillFiles, SkillHistory } from '#spec/ports';
import type { judgeSkill, SkillJudgement } from '../../guard/index.ts';
import { type PreparedChange, prepareChange, type SkillChange } from './prepare-change.ts';

export interface SkillWriterDeps {
  readonly files: SkillFiles;
  readonly history: Pick<SkillHistory, 'putVersion' | 'versions' | 'addEdit' | 'edits' | 'markUndone'>;
  readonly guard: typeof judgeSkill;
  readonly now: () => number;
  readonly newId?: (prefix: string) => string;
  /** Told after every write. */
  readonly wrote?: () => void;
}

/** The one way in which skills are written: judged, numbered, recorded, and to be undone. */
export interface SkillWriter {
  /** What the guard says of the skill as it would be. Fails when the change makes no sense. */
  check(change: SkillChange): Promise<SkillJudgement>;
  /**
   * A dangerous text is refused whoever wants it; one that needs care, or that has a credential in it, is refused to
   * all but the user.
   */
  apply(change: SkillChange): Promise<SkillEdit>;
  /** Puts the files back as they were before the edit, unless they have changed since. */
  undo(id: string): Promise<SkillEdit>;
}

export function skillWriter(deps: SkillWriterDeps): SkillWriter {
  const { files, history, now, wrote } = deps;
  const makeId = deps.newId ?? newId;
  // One after the other: each sees what the one before wrote.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    // Whoever asked for this one hears how it ended.
    last = mine.catch(() => undefined);
    return mine;
  };
  const record = async (
    change: Omit<SkillChange, 'changes'>,
    prepared: Pick<PreparedChange, 'changes' | 'before'>,
  ): Promise<SkillEdit> => {
    const edit: SkillEdit = {
      id: makeId('edit'),
      action: change.action,
      skill: change.skill,
      why: change.why,
      before: prepared.before.map(fileOf),
      after: prepared.changes.map(fileOf),
      by: change.by,
      undone: false,
      at: now(),
    };
    await history.addEdit(edit);
    wrote?.();
    return edit;
  };

  const prepare = async (change: SkillChange) =>
    prepareChange(change, files, await history.versions(change.skill));
  const apply = async (change: SkillChange): Promise<SkillEdit> => {
    const prepared = await prepare(change);
    refuse(deps.guard(prepared.parts), change);
    refuseSecrets(prepared, change);
    await files.write(prepared.changes);
    await keepVersions(change, prepared, history, now());
    return record(change, prepared);
  };

  const undo = async (id: string): Promise<SkillEdit> => {
    const [edit] = await history.edits({ id, limit: 1 });
    if (!edit)
      throw fail('input.invalid', `There is no edit '${id}'`, 'hermes learn status shows the last ones');
    if (edit.undone) throw fail('input.invalid', `The edit '${id}' was undone already`);
    for (const { path, text } of edit.after) {
      const bytes = await files.read('home', path);
      if ((bytes && new TextDecoder().decode(bytes)) !== text) {
        throw fail(
          'input.invalid',
          `${path} has changed since`,
          'Undo the later edits first, or edit it by hand',
        );
      }
    }
    if (!(await history.markUndone(id))) throw fail('input.invalid', `The edit '${id}' was undone already`);
    const changes = edit.before.map(({ path, text }) => ({ path, text }));
    await files.write(changes);
    await restoreVersion(edit, history);
    const why = `undo of ${edit.action}: ${edit.why}`;
    return record(
      { action: 'rolled_back', skill: edit.skill, why, by: 'user' },
      { changes, before: edit.after.map(({ path, text }) => ({ path, text })) },
    );
  };

  return {
    check: async (change) => deps.guard((await prepare(change)).parts),
    apply: (change) => inTurn(() => apply(change)),
    undo: (id) => inTurn(() => undo(id)),
  };
}

const fileOf = ({ path, text }: { readonly path: string; readonly text?: string | undefined }) =>
  text === undefined ? { path } : { path, text };

function refuse({ verdict, findings }: SkillJudgement, { skill, by }: SkillChange): void {
  if (verdict === 'safe' || (verdict === 'caution' && by === 'user')) return;
  const [first] = findings;
  const what = first ? `: ${first.rule} (${first.path}:${first.line})` : '';
  throw fail(
    'tool.refused',
    `The text of '${skill}' is judged ${verdict}${what}`,
    verdict === 'dangerous'
      ? 'Leave that part out'
      : 'A person can write it, or approve it when it is staged',
  );
}

/** Everybody reads a skill, whoever wrote it. What stood in it before may be a person's, written by hand. */
function refuseSecrets({ changes, before }: PreparedChange, { skill }: SkillChange): void {
  const old = new Set(before.flatMap(({ text }) => text?.split('\n') ?? []));
  const lines = changes.flatMap(({ text }) => text?.split('\n') ?? []).filter((line) => !old.has(line));
  const found = lines.map((line) => findCredential(line)).find(Boolean);
  if (found)
    throw fail(
      'tool.refused',
      `The text of '${skill}' holds a credential (${found})`,
      'Keep it in .env or a vault, and write where it is kept, never its value',
    );
}

/** The text that was there is kept as well, for a skill that was never written by us before. */
async function keepVersions(
  change: SkillChange,
  { old, made }: PreparedChange,
  history: SkillWriterDeps['history'],
  at: number,
): Promise<void> {
  const version = (
    one: NonNullable<PreparedChange['made']>,
    rest: Pick<SkillVersion, 'why' | 'state' | 'from' | 'at'>,
  ): SkillVersion => ({
    skill: change.skill,
    version: one.skill.version,
    path: one.skill.path,
    text: one.text,
    digest: one.skill.digest,
    ...rest,
  });
  const known = old ? await history.versions(change.skill) : [];
  if (old && !known.some(({ digest }) => digest === old.skill.digest)) {
    const from = old.skill.createdFrom;
    await history.putVersion(version(old, { why: 'as it was found', state: 'active', from, at: at - 1 }));
  }
  const from = [...(change.from ?? [])];
  if (made) await history.putVersion(version(made, { why: change.why, state: 'active', from, at }));
  else if (old) await history.putVersion(version(old, { why: change.why, state: 'archived', from, at }));
}

/** The version whose text is there again becomes the active one. */
async function restoreVersion(edit: SkillEdit, history: SkillWriterDeps['history']): Promise<void> {
  const texts = new Set(edit.before.map(({ text }) => text));
  const dropped = new Set(edit.after.map(({ text }) => text));
  const versions = await history.versions(edit.skill);
  for (const version of versions) {
    if (dropped.has(version.text)) await history.putVersion({ ...version, state: 'rolled_back' });
  }
  const again = versions.find(({ text }) => texts.has(text));
  if (again) await history.putVersion({ ...again, state: 'active' });
}
