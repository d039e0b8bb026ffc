import { fail } from '#kit/app-error';
import type { ToolContext } from '#spec/ports';
import { sizeText } from '../text/file-kind.ts';

const TIMEOUT_MS = 60_000;

/** What stands at a path of the workspace or at a web address. */
export function loadBytes(place: string, most: number, context: ToolContext): Promise<Uint8Array> {
  return isWebAddress(place) ? fetchBytes(place, most, context) : readBytes(place, most, context);
}

export const isWebAddress = (place: string): boolean => /^https?:\/\//i.test(place);

export async function fetchBytes(url: string, most: number, context: ToolContext): Promise<Uint8Array> {
  const answer = await context.web.fetch({ url, maxBytes: most, timeoutMs: TIMEOUT_MS }, context.signal);
  if (answer.status !== 200) throw fail('tool.failed', `${answer.url} answered ${answer.status}.`);
  if (answer.cut) throw fail('tool.failed', `${answer.url} is larger than ${sizeText(most)}.`);
  return answer.body;
}

async function readBytes(path: string, most: number, { files }: ToolContext): Promise<Uint8Array> {
  const found = await files.stat(path);
  if (found?.kind !== 'file') throw fail('tool.failed', `There is no file ${path}.`);
  if (found.size > most) throw fail('tool.failed', `${path} is larger than ${sizeText(most)}.`);
  return files.read(path);
}
