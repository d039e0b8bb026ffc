import { toErrorRecord } from '#kit/app-error';
import { estimateTokens } from '#kit/estimate-tokens';
import { withoutFence } from '#kit/memory-fence';
import type { UserPart } from '#spec/data';

/** Where `@` references get their text. Undefined: there is no such thing. */
export interface ReferenceSources {
  file(path: string): Promise<string | undefined>;
  folder(path: string): Promise<string | undefined>;
  diff(staged: boolean): Promise<string | undefined>;
  url(address: string, signal: AbortSignal): Promise<string | undefined>;
}

interface Reference {
  readonly written: string;
  read(sources: ReferenceSources, signal: AbortSignal): Promise<string | undefined>;
}

const PATTERN = /(?<![\w@])@(?:(file|folder|url):(\S+)|(diff|staged)\b|([\w./~-]*[\w/]))/g;

/** What follows a name in a sentence and is no part of it. */
const SENTENCE_END = /[)\].,;:!?'"，。；：！？）】」』”’]+$/u;

/** The share of the window that everything referred to may take. */
const MOST_SHARE = 0.25;

/** Finds the references in a message: `@file:path`, `@folder:path`, `@diff`, `@staged`, `@url:…`, or just `@path`. */
export function findReferences(text: string): Reference[] {
  const found = new Map<string, Reference>();
  for (const [match, kind, given = '', word, path = ''] of text.matchAll(PATTERN)) {
    const target = given.replace(SENTENCE_END, '');
    const written = match.slice(0, match.length - given.length + target.length);
    found.set(written, {
      written,
      read: async (sources, signal) => {
        if (word) return sources.diff(word === 'staged');
        if (kind === 'url') return sources.url(target, signal);
        if (kind === 'folder') return sources.folder(target);
        if (kind === 'file') return sources.file(target);
        return (await sources.file(path)) ?? sources.folder(path);
      },
    });
  }
  return [...found.values()];
}

/** The message with what it refers to put behind it, and a notice for each that could not be read or did not fit. */
export async function expandReferences(
  content: readonly UserPart[],
  sources: ReferenceSources,
  window: number,
  signal: AbortSignal,
): Promise<{ content: readonly UserPart[]; notices: readonly string[] }> {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const added: UserPart[] = [];
  const notices: string[] = [];
  let room = Math.floor(window * MOST_SHARE);
  for (const reference of findReferences(text)) {
    const body = await reference.read(sources, signal).catch((thrown: unknown) => {
      notices.push(`${reference.written} could not be read: ${toErrorRecord(thrown).message}`);
      return null;
    });
    if (body === null) continue;
    // `@name` in ordinary speech is no reference; only an explicit one that leads nowhere is worth a word.
    if (body === undefined) {
      if (/^@(file|folder|url):/.test(reference.written))
        notices.push(`${reference.written} could not be read.`);
      continue;
    }
    const fits = startOf(body, room);
    if (fits.length < body.length)
      notices.push(`${reference.written} was cut: it does not fit the model's window.`);
    room = Math.max(0, room - estimateTokens(fits));
    added.push({
      type: 'text',
      text: `<reference name="${reference.written.slice(1)}">\n${fits}\n</reference>`,
    });
  }
  return { content: added.length ? [...content, ...added] : content, notices };
}

/** As much of the start of a text as fits into so many tokens. */
function startOf(text: string, mostTokens: number): string {
  let part = text;
  for (let size = estimateTokens(part); size > mostTokens; size = estimateTokens(part))
    part = part.slice(0, Math.floor((part.length * mostTokens) / size));
  return part.toWellFormed();
}

/** A message as the user wrote it, without what was brought along. */
export function withoutReferences(content: readonly UserPart[]): readonly UserPart[] {
  return withoutFence(content).filter(
    (part, index) => index === 0 || part.type !== 'text' || !BROUGHT.test(part.text),
  );
}

const BROUGHT = /^<reference name="[^"\n]*">\n[\s\S]*\n<\/reference>$/;
