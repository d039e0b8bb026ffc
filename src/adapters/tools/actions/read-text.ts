import { AppError, fail } from '#kit/app-error';
import type { Files } from '#spec/ports';
import { withPowers } from '../file-powers.ts';
import { decodeText } from '../text/text-file.ts';

const MOST_BYTES = 8 * 1024 * 1024;

/** The text of a file, or undefined where there is none, none that is text, or none that may be seen. */
export async function textIfAny(
  files: Files,
  path: string,
  mostBytes = MOST_BYTES,
): Promise<string | undefined> {
  try {
    const found = await files.stat(path);
    if (found?.kind !== 'file' || found.size > mostBytes) return undefined;
    return decodeText(await files.read(path))?.text;
  } catch (error) {
    if (error instanceof AppError && error.record.code === 'tool.refused') return undefined;
    throw error;
  }
}

/** The text of a file that has to be there. */
export async function textOfFile(files: Files, path: string): Promise<string> {
  const found = await files.stat(path);
  if (!found) throw fail('input.invalid', `There is no file ${path}.`);
  if (found.kind !== 'file') throw fail('input.invalid', `${path} is no file.`);
  if (found.size > MOST_BYTES)
    throw fail('input.invalid', `${path} is larger than ${MOST_BYTES / 1024 / 1024} MiB.`);
  const text = decodeText(await files.read(path))?.text;
  if (text === undefined) throw fail('input.invalid', `${path} is not text.`);
  return text;
}

/** The end of a file that may be of any size, from a full line on. */
export async function tailOfFile(
  files: Files,
  path: string,
  bytes: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const found = await files.stat(path);
  if (!found) throw fail('input.invalid', `There is no file ${path}.`);
  if (found.kind !== 'file') throw fail('input.invalid', `${path} is a folder: name one of its files.`);
  const { readPart } = withPowers(files);
  if (found.size <= bytes || !readPart)
    return { text: new TextDecoder().decode(await files.read(path)), cut: false };
  const part = new TextDecoder().decode(await readPart(path, found.size - bytes, bytes));
  return { text: part.slice(part.indexOf('\n') + 1), cut: true };
}
