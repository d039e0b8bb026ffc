import { z } from 'zod';
import { defineTool, type Files, type ToolResult } from '#spec/ports';
import { PatchSyntaxError } from './edit/file-patch.ts';
import { fuzzyReplace } from './edit/fuzzy-replace.ts';
import { parsePatch } from './edit/parse-patch.ts';
import { type PlannedChange, planPatch } from './edit/plan-patch.ts';
import { saveBytes } from '../save-bytes.ts';
import { answer, refusal } from '../text/answer.ts';
import { changeReport } from '../text/change-report.ts';
import { copiedMark } from '../text/copied-mark.ts';
import { nearNames } from '../text/near-names.ts';
import { decodeText, encodeText } from '../text/text-file.ts';

const input = z
  .object({
    path: z.string().min(1).optional(),
    old: z.string().optional().describe('text to replace; unique unless all'),
    new: z.string().optional(),
    all: z.boolean().optional(),
    patch: z.string().min(1).optional().describe('unified diff or *** Begin Patch form, any number of files'),
  })
  .refine(
    ({ path, old, new: fresh, patch }) =>
      patch === undefined
        ? path !== undefined && old !== undefined && fresh !== undefined
        : old === undefined && fresh === undefined,
    'give either path, old and new, or patch alone',
  );
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'patch',
  toolset: 'file',
  description: 'Change files: replace text (path, old, new), or apply a patch; all of it or nothing.',
  input,
  effect: () => 2,
  footprint: (asked) => {
    const writes = written(asked);
    return writes && { writes };
  },
  deed: (asked) => ({ writes: written(asked) ?? ['.'] }),
  maxChars: 30_000,
  run: ({ path = '', old = '', new: fresh = '', all = false, patch }, { files, signal }) =>
    patch === undefined
      ? replaceText(path, { old, fresh, all }, files, signal)
      : applyPatch(patch, files, signal),
});

/** Undefined for a patch that cannot be read: the call then runs alone, and says so. */
function pathsIn(patch: string): string[] | undefined {
  const files = readPatch(patch);
  if ('problem' in files) return undefined;
  return files.list.flatMap((file) =>
    'moveTo' in file && file.moveTo ? [file.path, file.moveTo] : [file.path],
  );
}

function readPatch(patch: string) {
  try {
    return { list: parsePatch(patch) };
  } catch (cause) {
    if (cause instanceof PatchSyntaxError) return { problem: cause.message };
    throw cause;
  }
}

async function replaceText(
  path: string,
  { old, fresh, all }: { readonly old: string; readonly fresh: string; readonly all: boolean },
  files: Files,
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = await files.stat(path);
  if (!found) {
    const near = await nearNames(path, files, signal);
    return refusal(
      `There is no file ${path}.${near.length > 0 ? `\nDid you mean: ${near.join(', ')}?` : ''}`,
    );
  }
  if (found.kind === 'folder') return refusal(`${path} is a folder.`);
  const before = await files.read(path);
  const file = decodeText(before);
  if (!file) return refusal(`${path} is not text that can be edited.`);
  const edit = fuzzyReplace(file.text, old, fresh, all);
  if (!edit.ok) return refusal(`${path}: ${edit.problem}`);
  if (edit.text === file.text)
    return answer(`${path} already reads so; nothing was written.`, `unchanged ${path}`);
  const copied = copiedMark(path, file.text, edit.text);
  if (copied) return refusal(copied);
  await saveBytes(files, path, before, encodeText(edit.text, file));
  const { diff, added, removed, summary } = changeReport(path, file.text, edit.text);
  const note = edit.how === 'exact' ? '' : `\n[matched with differences in ${edit.how}]`;
  return answer(`${diff}${note}`, summary, { path, added, removed });
}

async function applyPatch(patch: string, files: Files, signal: AbortSignal): Promise<ToolResult> {
  const parsed = readPatch(patch);
  if ('problem' in parsed) return refusal(`The patch cannot be read: ${parsed.problem}.`);
  const { changes, problems } = await planPatch(parsed.list, files, signal);
  if (problems.length > 0) return refusal(`Nothing was written.\n${problems.join('\n')}`);
  if (changes.length === 0) return answer('The files already read so; nothing was written.', 'unchanged');
  // All files at once: what moves from one to another is no new mark.
  const copied = copiedMark(
    changes.map(({ path }) => path).join(', '),
    changes.map(({ textBefore }) => textBefore ?? '').join('\n'),
    changes.map(({ textAfter }) => textAfter ?? '').join('\n'),
  );
  if (copied) return refusal(copied);
  await saveAll(changes, files);
  const reports = changes.map(({ path, textBefore, textAfter }) => changeReport(path, textBefore, textAfter));
  const data = reports.map(({ added, removed }, at) => ({ path: changes[at]?.path, added, removed }));
  const summary = reports.map((report) => report.summary).join(', ');
  return answer(reports.map(({ diff }) => diff).join('\n'), summary, data);
}

/** Writes every file, or puts back those that were written before one failed. */
async function saveAll(changes: readonly PlannedChange[], files: Files): Promise<void> {
  const done: PlannedChange[] = [];
  try {
    for (const change of changes) {
      await saveBytes(files, change.path, change.before, change.after);
      done.push(change);
    }
  } catch (cause) {
    for (const { path, before, after } of done.toReversed()) await saveBytes(files, path, after, before);
    throw cause;
  }
}

/** The files that a call names. Undefined where the patch cannot be read. */
const written = ({ path, patch }: z.infer<typeof input>): readonly string[] | undefined =>
  patch === undefined ? [path ?? '.'] : pathsIn(patch);
