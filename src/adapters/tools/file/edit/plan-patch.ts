import { posix } from 'node:path';
import type { Files } from '#spec/ports';
import { nearNames } from '../../text/near-names.ts';
import { decodeText, encodeText, type TextFile } from '../../text/text-file.ts';
import { applyHunks } from './apply-hunks.ts';
import type { FilePatch } from './file-patch.ts';

/** What is to become of one file. `undefined` stands for a file that is not there. */
export interface PlannedChange {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly textBefore: string | undefined;
  readonly textAfter: string | undefined;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Why it cannot be done, one for each file. Nothing may be written unless this is empty. */
  readonly problems: readonly string[];
}

interface Draft {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly file: TextFile | undefined;
  text: string | undefined;
}

/** Works out what a patch does to every file, without writing any. */
export async function planPatch(
  patches: readonly FilePatch[],
  files: Files,
  signal: AbortSignal,
): Promise<Plan> {
  const drafts = new Map<string, Draft>();
  const problems: string[] = [];
  const open = async (path: string): Promise<Draft> => {
    const key = posix.normalize(path);
    const draft = drafts.get(key) ?? (await readDraft(path, files));
    drafts.set(key, draft);
    return draft;
  };
  for (const patch of patches) {
    const problem = await change(patch, open, files, signal);
    if (problem) problems.push(`${patch.path}: ${problem}`);
  }
  const changes = [...drafts.values()].map(({ path, before, file, text }) => ({
    path,
    before,
    after: text === undefined ? undefined : encodeText(text, file),
    textBefore: file?.text,
    textAfter: text,
  }));
  return { changes: changes.filter((one) => one.textBefore !== one.textAfter), problems };
}

async function readDraft(path: string, files: Files): Promise<Draft> {
  const found = await files.stat(path);
  if (!found) return { path, before: undefined, file: undefined, text: undefined };
  const before = await files.read(path);
  const file = decodeText(before);
  return { path, before, file, text: file?.text };
}

/** Gives what stands in the way; undefined when the drafts now hold the change. */
async function change(
  patch: FilePatch,
  open: (path: string) => Promise<Draft>,
  files: Files,
  signal: AbortSignal,
): Promise<string | undefined> {
  const draft = await open(patch.path);
  if (draft.before && !draft.file) return 'it is not text';
  if (patch.kind === 'add') {
    if (draft.text !== undefined) return 'it exists already; update it instead';
    const made = applyHunks('', patch.hunks);
    if (!made.ok) return made.problem;
    draft.text = made.text;
    return undefined;
  }
  if (draft.text === undefined) {
    const near = await nearNames(patch.path, files, signal);
    return near.length > 0
      ? `there is no such file. Did you mean: ${near.join(', ')}?`
      : 'there is no such file';
  }
  if (patch.kind === 'delete') {
    draft.text = undefined;
    return undefined;
  }
  const edited = applyHunks(draft.text, patch.hunks);
  if (!edited.ok) return edited.problem;
  if (patch.moveTo === undefined) {
    draft.text = edited.text;
    return undefined;
  }
  const target = await open(patch.moveTo);
  if (target.text !== undefined) return `${patch.moveTo} exists already`;
  [draft.text, target.text] = [undefined, edited.text];
  return undefined;
}
