import { z } from 'zod';
import { looksPrivate } from '#kit/looks-secret';
import { fail } from '#kit/app-error';
import { defineTool, type FileStat, type Files, type ToolResult } from '#spec/ports';
import { withPowers } from '../file-powers.ts';
import { answer, count, refusal } from '../text/answer.ts';
import { binaryKind, imageType, sizeText } from '../text/file-kind.ts';
import { nearNames } from '../text/near-names.ts';
import { type Lines, type LinesSource, readLines } from '../text/read-lines.ts';
import { showHidden } from '#kit/hidden-characters';
import { detectEncoding } from '../text/text-file.ts';

const LINES = 2_000;
const HEAD_BYTES = 64 * 1024;
const MOST_IMAGE_BYTES = 5 * 1024 * 1024;
const MOST_NAMES = 500;
/** What is read as a whole where a place cannot give parts. */
const WHOLE_BYTES = 10 * 1024 * 1024;

const input = z.object({
  path: z.string().min(1),
  offset: z
    .int()
    .refine((line) => line !== 0, 'lines count from 1')
    .optional()
    .describe('first line, from 1; -50: the last 50'),
  limit: z.int().min(1).optional().describe(`lines, default ${LINES}`),
});

export const tool = defineTool<z.infer<typeof input>>({
  name: 'read_file',
  toolset: 'file',
  description: 'Read a text file as numbered lines, look at an image, or list a folder.',
  input,
  effect: () => 0,
  level: 0,
  footprint: ({ path }) => ({ reads: [path] }),
  deed: ({ path }) => (looksPrivate(path) ? { brings: ['private'] } : {}),
  maxChars: 102_000,
  async run({ path, offset = 1, limit = LINES }, { files, signal }) {
    const found = await files.stat(path);
    if (!found) return missing(path, files, signal);
    if (found.kind === 'folder') return listing(path, files, signal);
    const readPart = partReader(path, found, files);
    const head = await readPart(0, HEAD_BYTES);
    const media = imageType(head);
    if (media) return image(path, found, media, files);
    const { encoding, skip } = detectEncoding(head);
    if (encoding === 'utf-8' && head.includes(0))
      return refusal(`${path} is not text: ${binaryKind(head)}, ${sizeText(found.size)}.`);
    const source = { encoding, start: skip, readPart, format: numbered, signal };
    const first = offset > 0 ? offset : await fromEnd(source, -offset);
    return report(path, await readLines(source, first, limit), first);
  },
});

/** The line that begins the last so many. The file is read through for its number, and kept nowhere. */
async function fromEnd(source: LinesSource, last: number): Promise<number> {
  const { total } = await readLines(source, Number.MAX_SAFE_INTEGER, 1);
  return Math.max(1, total - last + 1);
}

const numbered = (line: string, number: number): string =>
  `${String(number).padStart(5)}\t${showHidden(line)}`;

function report(path: string, { lines, total, counted, broken }: Lines, offset: number): ToolResult {
  const last = offset + lines.length - 1;
  const size = counted ? count(total, 'line') : `more than ${count(total, 'line')}`;
  if (lines.length === 0) {
    if (counted && total === 0) return answer(`${path} is empty.`, 'empty file');
    return refusal(`${path} has ${size}; there is no line ${offset}.`);
  }
  const notes: string[] = [];
  if (!counted || last < total)
    notes.push(`[lines ${offset}–${last} of ${size}; go on with offset=${last + 1}]`);
  if (broken) notes.push('[not all of it is valid text: � stands for what could not be read]');
  const shown = offset === 1 && last === total ? size : `lines ${offset}–${last} of ${size}`;
  return answer([...lines, ...notes].join('\n'), shown, { first: offset, last, total, counted });
}

function partReader(path: string, found: FileStat, files: Files) {
  const { readPart } = withPowers(files);
  if (readPart) return (start: number, length: number) => readPart(path, start, length);
  let whole: Promise<Uint8Array> | undefined;
  return async (start: number, length: number) => {
    if (found.size > WHOLE_BYTES)
      throw fail('tool.failed', `${path} is too large to be read here: ${sizeText(found.size)}`);
    whole ??= files.read(path);
    return (await whole).subarray(start, start + length);
  };
}

async function image(
  path: string,
  found: FileStat,
  mediaType: NonNullable<ReturnType<typeof imageType>>,
  files: Files,
): Promise<ToolResult> {
  const size = sizeText(found.size);
  if (found.size > MOST_IMAGE_BYTES)
    return refusal(`${path} is an image (${mediaType}) of ${size}: more than 5 MB cannot be shown.`);
  const data = Buffer.from(await files.read(path)).toString('base64');
  return {
    content: [
      { type: 'text', text: `${path}: ${mediaType}, ${size}` },
      { type: 'image', mediaType, data },
    ],
    summary: `${mediaType}, ${size}`,
  };
}

async function listing(path: string, files: Files, signal: AbortSignal): Promise<ToolResult> {
  const { list } = withPowers(files);
  const names = list ? await list(path) : await files.find(`${path}/*`, MOST_NAMES + 1, signal);
  const shown = names.slice(0, MOST_NAMES).map(showHidden);
  const rest = names.length - shown.length;
  const note = rest > 0 ? `[${count(rest, 'more entry', 'more entries')}; search_files finds names]` : '';
  const size = count(names.length, 'entry', 'entries');
  return answer([`${path} is a folder (${size}):`, ...shown, note].join('\n').trimEnd(), `folder, ${size}`);
}

async function missing(path: string, files: Files, signal: AbortSignal): Promise<ToolResult> {
  const near = await nearNames(path, files, signal);
  const hint = near.length > 0 ? `\nDid you mean: ${near.map(showHidden).join(', ')}?` : '';
  return refusal(`There is no file ${path}.${hint}`);
}
