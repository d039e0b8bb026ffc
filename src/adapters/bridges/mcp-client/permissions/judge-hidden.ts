import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isRecord } from '#kit/is-record';
import { followLinks, IGNORES_CASE, inside } from './follow-links.ts';

/** What a relative path may start from, and what `~` may stand for. */
export interface HiddenPlace {
  readonly bases: readonly string[];
  readonly homes: readonly string[];
}

const REFUSED = 'it reaches into the folder in which Hermes keeps its own files';
const UNCHECKED = 'it has more arguments than can be checked';
const MOST_STRINGS = 10_000;
const MOST_PATH_CHARS = 4_096;
const MOST_WORDS = 2_000;
const MOST_BASES = 20;
const DECODINGS = 3;

/**
 * Why the arguments of a call may not be sent: something in them is a path into a folder that no server may be led into,
 * or has one in it. Every string counts, names of fields too, however it is encoded. What a server puts together itself
 * cannot be seen here.
 */
export function judgeHidden(
  input: unknown,
  folders: readonly string[],
  place: HiddenPlace,
): string | undefined {
  if (folders.length === 0) return undefined;
  const written = stringsOf(input);
  if (!written) return UNCHECKED;
  const hidden = [...new Set(folders.flatMap((folder) => [resolve(folder), followLinks(resolve(folder))]))];
  const forms = [...new Set(written.flatMap(formsOf))];
  const spelled = spellings(hidden, place.homes);
  if (forms.some((text) => spelled.test(text))) return REFUSED;
  const paths = [...new Set(forms.flatMap(pathsIn))].map((path) => expandHome(path, place.homes)).flat();
  const given = paths.filter((path) => isAbsolute(path)).slice(0, MOST_BASES);
  const bases = [...new Set([...place.bases, '/', ...given])];
  const leadsIn = (path: string) =>
    hidden.some((folder) => inside(path, folder) || globReaches(path, folder)) ||
    hidden.some((folder) => inside(followLinks(path), folder));
  const reaches = paths.some((path) =>
    isAbsolute(path)
      ? leadsIn(resolve(path))
      : bases.some((base) => leadsIn(resolve(base, path)) && (!leadsIn(base) || namesFile(base, path))),
  );
  return reaches ? REFUSED : undefined;
}

/** Where a server stands in the folder itself, every word would lead there: only those count that name a file. */
function namesFile(base: string, path: string): boolean {
  const target = resolve(base, path);
  if (/^\S*\.\w{1,8}$/.test(path) || existsSync(target)) return true;
  return path.includes('/') && existsSync(dirname(target));
}

/** Values, names of fields, and lists of names put together as a path. Undefined: more than anybody would check. */
function stringsOf(input: unknown): string[] | undefined {
  const out: string[] = [];
  const open: unknown[] = [input];
  for (let value = open.pop(), seen = 0; value !== undefined || open.length > 0; value = open.pop(), seen++) {
    if (seen > MOST_STRINGS || open.length > MOST_STRINGS) return undefined;
    if (typeof value === 'string') out.push(value);
    else if (Array.isArray(value)) {
      if (value.length > MOST_STRINGS) return undefined;
      open.push(...value);
      if (value.length > 1 && value.length < 64 && value.every((item) => typeof item === 'string'))
        out.push(value.join('/'));
    } else if (isRecord(value)) open.push(...Object.keys(value), ...Object.values(value));
  }
  return out;
}

/** A text as it is, and as it reads once encodings are taken off; with one sort of slash, and each of them once. */
function formsOf(text: string): string[] {
  const forms = [text];
  for (let i = 0; i < DECODINGS; i++) {
    const last = forms.at(-1) ?? '';
    const next = decoded(last);
    if (next === last) break;
    forms.push(next);
  }
  return forms.map((form) =>
    form
      .replaceAll('\\', '/')
      .replaceAll(/file:(?:\/\/[^/\s]*)?(?=\/)/gi, ' ')
      .replaceAll(/\/(?:\.?\/)+/g, '/')
      .normalize('NFC'),
  );
}

const decoded = (text: string): string =>
  text
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    );

const NAME = String.raw`[\p{L}\p{N}_]`;
/** A path does not begin in the middle of a longer one, but may follow an option, as in `-f/etc/hosts`. */
const BEFORE = String.raw`(?:(?<![\p{L}\p{N}_.-])|(?<=(?:^|\s)--?[A-Za-z]{1,20}))`;
const AFTER = String.raw`(?!${NAME}|-|\.${NAME})`;

/** Finds the folders in a text, also as they are written from the home of the user. */
function spellings(hidden: readonly string[], homes: readonly string[]): RegExp {
  const words = hidden.flatMap((folder) => [
    folder,
    ...homes
      .filter((home) => inside(folder, home))
      .flatMap((home) => HOME_WORDS.map((word) => join(word, folder.slice(resolve(home).length)))),
  ]);
  const plain = words.map((word) => word.normalize('NFC').replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`${BEFORE}(?:${plain.join('|')})${AFTER}`, IGNORES_CASE ? 'iu' : 'u');
}

const HOME_WORDS = ['~', '$HOME', '${HOME}', ...userWord()];

/** `~name`, where this machine knows the name of the user. */
function userWord(): string[] {
  try {
    return [`~${userInfo().username}`];
  } catch {
    // A container may run as a number that has no name.
    return [];
  }
}

function expandHome(path: string, homes: readonly string[]): string[] {
  const word = HOME_WORDS.find((one) => path === one || path.startsWith(`${one}/`));
  return word === undefined ? [path] : homes.map((home) => join(home, path.slice(word.length)));
}

const BETWEEN_WORDS = /[\s"'`=,;|<>()[\]{}:@&!]+/;

/** The text as one path, and the words in it that could be one. */
function pathsIn(text: string): string[] {
  const whole = text.trim();
  const words = text
    .split(BETWEEN_WORDS, MOST_WORDS)
    .map((word) => word.replace(/^--?[A-Za-z]{1,20}(?=[/~])/, ''))
    .filter((word) => word.includes('/') || word.startsWith('~') || word.startsWith('..'));
  return [whole, ...words].filter(
    (path) => path !== '' && path.length <= MOST_PATH_CHARS && !path.includes('\0'),
  );
}

/** Whether a pattern such as `/home/ada/.her*` would find the folder or something in it. */
function globReaches(pattern: string, folder: string): boolean {
  if (!/[*?]|\[.*\]/.test(pattern)) return false;
  const names = folder.split(/[/\\]/);
  const parts = pattern.split('/');
  for (const [i, name] of names.entries()) {
    const part = parts[i];
    if (part === undefined) return false;
    if (part === '**') return true;
    const rule = part.replaceAll(/\[[^\]]*\]|[.+^${}()|[\]\\]|[*?]+/g, (sign) =>
      /^(?:\[.+\]|[*?]+)$/.test(sign) ? '.*' : `\\${sign}`,
    );
    if (!new RegExp(`^${rule}$`, IGNORES_CASE ? 'i' : '').test(name)) return false;
  }
  return true;
}
