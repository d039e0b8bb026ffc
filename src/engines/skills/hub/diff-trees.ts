import { createTwoFilesPatch } from 'diff';
import { showHidden } from '#kit/hidden-characters';
import type { HubFile } from '#spec/ports';

const LONGEST = 200_000;

/** A unified diff of two folders, of bounded length, with nothing hidden in it. */
export function diffTrees(before: readonly HubFile[], after: readonly HubFile[]): string {
  const old = new Map(before.map((file) => [file.path, file.bytes]));
  const fresh = new Map(after.map((file) => [file.path, file.bytes]));
  let text = '';
  for (const path of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    text += diffFile(path, old.get(path), fresh.get(path));
    if (text.length > LONGEST) return `${text.slice(0, LONGEST)}\n…\n`;
  }
  return text;
}

function diffFile(path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  if (before && after && Buffer.from(before).equals(after)) return '';
  const from = before ? `a/${path}` : '/dev/null';
  const to = after ? `b/${path}` : '/dev/null';
  if ([before, after].some((bytes) => bytes?.includes(0))) return `Binary files ${from} and ${to} differ\n`;
  const options = { context: 3, maxEditLength: 20_000 };
  const patch = createTwoFilesPatch(from, to, textOf(before), textOf(after), undefined, undefined, options);
  return patch?.replace(/^=+\n/, '') ?? `--- ${from}\n+++ ${to}\n(too different to show)\n`;
}

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes ? showHidden(new TextDecoder().decode(bytes).replaceAll('\r\n', '\n')) : '';
