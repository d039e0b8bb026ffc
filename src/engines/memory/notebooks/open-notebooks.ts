import type { Language } from '#kit/language';
import type { MemoryStore, NotebookFiles } from '#spec/ports';
import { scanMemory } from '../scan/scan-memory.ts';
import type { MemoryView } from '../scopes.ts';
import { type NotebookName, type NotebookPlace, placeOf, placesOf } from './notebook-kinds.ts';
import type { NotebookOutcome, NotebookReply } from './notebook-reply.ts';
import { preview, readEntries, renderNotebook, sizeOf, writeEntries } from './notebook-text.ts';

/** What goes into the prompt of a session, and what a person should know about it. */
interface NotebookSnapshot {
  /** The notes and those of the team. */
  readonly memory: string;
  readonly user: string;
  /** Entries that were left out: which file, and why. */
  readonly notices: readonly string[];
}

export interface Notebooks {
  /** To be taken once a session: what is written later shows in the next one. */
  snapshot(view: MemoryView, language?: Language): Promise<NotebookSnapshot>;
  read(view: MemoryView, name: NotebookName): Promise<{ place: NotebookPlace; entries: readonly string[] }>;
  add(view: MemoryView, name: NotebookName, content: string, language?: Language): Promise<NotebookReply>;
  /** `oldText` has to stand in exactly one entry; that entry becomes `content`. */
  replace(
    view: MemoryView,
    name: NotebookName,
    oldText: string,
    content: string,
    language?: Language,
  ): Promise<NotebookReply>;
  remove(view: MemoryView, name: NotebookName, oldText: string): Promise<NotebookReply>;
}

export interface NotebookDeps {
  readonly files: NotebookFiles;
  /** Takes what no longer fits. */
  readonly store: Pick<MemoryStore, 'put'>;
  readonly now: () => number;
  /** Literals that must not be kept, such as the keys of the profile. */
  readonly secrets?: readonly string[];
}

/** What an edit makes of the entries: new ones, or only an outcome. */
interface Edit {
  readonly outcome: NotebookOutcome;
  readonly entries?: readonly string[];
  /** The entry that must stay. */
  readonly keep?: string;
}

/** The notebooks of a home. Every edit happens under the lock of its file, on what is there at that moment. */
export function openNotebooks({ files, store, now, secrets = [] }: NotebookDeps): Notebooks {
  const archive = async (place: NotebookPlace, entries: readonly string[]): Promise<void> => {
    const at = now();
    const { scope } = place;
    await store.put(
      entries.map((text) => ({ scope, kind: 'archive', text, provenance: { by: 'notebook' }, at })),
    );
  };

  const change = async (
    place: NotebookPlace,
    edit: (entries: readonly string[]) => Edit,
  ): Promise<NotebookReply> => {
    let reply: NotebookReply | undefined;
    await files.edit(place.folder, place.file, async (text) => {
      const before = readEntries(text);
      const { outcome, entries, keep } = edit(before);
      const { kept, left } = fit(entries ?? before, place.limit, keep);
      const archived = entries ? left : [];
      // First into the store, then out of the file: whatever fails in between, nothing is lost.
      if (archived.length) await archive(place, archived);
      const after = entries ? kept : before;
      reply = { outcome, notebook: place, used: sizeOf(after), entries: after, archived };
      return entries ? writeEntries(after) : undefined;
    });
    return reply as NotebookReply;
  };

  const read: Notebooks['read'] = async (view, name) => {
    const place = placeOf(name, view);
    return { place, entries: readEntries((await files.read(place.folder, place.file)) ?? '') };
  };

  return {
    read,
    snapshot: async (view, language = 'en') => {
      const blocks = await Promise.all(
        placesOf(view).map(async (place) => {
          const { entries } = await read(view, place.name);
          return { place, ...harmless(place, entries, language) };
        }),
      );
      const text = (user: boolean) =>
        blocks
          .filter(({ place }) => (place.name === 'user') === user)
          .map(({ place, entries }) => renderNotebook(place, entries))
          .filter(Boolean)
          .join('\n\n');
      return { memory: text(false), user: text(true), notices: blocks.flatMap(({ notices }) => notices) };
    },
    add: (view, name, content, language = 'en') => {
      const place = placeOf(name, view);
      return change(place, (entries) =>
        addEntry(entries, clean(content), (text) => problemOf(place, text, language, secrets)),
      );
    },
    replace: (view, name, oldText, content, language = 'en') => {
      const place = placeOf(name, view);
      return change(place, (entries) =>
        replaceEntry(entries, oldText, clean(content), (text) => problemOf(place, text, language, secrets)),
      );
    },
    remove: (view, name, oldText) =>
      change(placeOf(name, view), (entries) => {
        const found = findEntry(entries, oldText);
        if (typeof found !== 'number') return { outcome: found };
        return { outcome: { kind: 'removed' }, entries: entries.toSpliced(found, 1) };
      }),
  };
}

type Problem = (content: string) => NotebookOutcome | undefined;

function addEntry(entries: readonly string[], content: string, problemIn: Problem): Edit {
  const problem = problemIn(content);
  if (problem) return { outcome: problem };
  if (entries.includes(content)) return { outcome: { kind: 'already_there' } };
  return { outcome: { kind: 'added' }, entries: [...entries, content], keep: content };
}

function replaceEntry(
  entries: readonly string[],
  oldText: string,
  content: string,
  problemIn: Problem,
): Edit {
  const found = findEntry(entries, oldText);
  if (typeof found !== 'number') return { outcome: found };
  const problem = problemIn(content);
  if (problem) return { outcome: problem };
  if (entries[found] === content) return { outcome: { kind: 'already_there' } };
  const rest = entries.map((entry, at) => (at === found ? content : entry));
  return { outcome: { kind: 'replaced' }, entries: [...new Set(rest)], keep: content };
}

/** A line of `§` alone divides entries, so that it cannot stand inside one. */
const clean = (content: string): string =>
  content
    .replaceAll('\r\n', '\n')
    .replace(/^[ \t]*§[ \t]*$/gm, '')
    .trim();

/** What keeps a text from being an entry. */
export function problemOf(
  place: NotebookPlace,
  content: string,
  language: Language,
  secrets: readonly string[] = [],
): NotebookOutcome | undefined {
  if (!content) return { kind: 'empty' };
  const { refused } = scanMemory(content, language, secrets);
  if (refused) return { kind: 'refused', why: refused };
  return content.length > place.limit ? { kind: 'too_long', chars: content.length } : undefined;
}

/** The one entry that has the text; entries that say the very same count as one. */
export function findEntry(entries: readonly string[], oldText: string): number | NotebookOutcome {
  const text = oldText.trim();
  const found = entries.flatMap((entry, at) => (text && entry.includes(text) ? [at] : []));
  if (found.length > 1) {
    const exact = entries.indexOf(text);
    if (exact >= 0) return exact;
    return { kind: 'several', previews: found.map((at) => preview(entries[at] as string)) };
  }
  return found[0] ?? { kind: 'not_found' };
}

/** What fits, and the oldest that have to leave for it. */
function fit(
  entries: readonly string[],
  limit: number,
  keep: string | undefined,
): { kept: readonly string[]; left: readonly string[] } {
  let kept = entries;
  const left: string[] = [];
  while (sizeOf(kept) > limit) {
    const oldest = kept.findIndex((entry) => entry !== keep);
    if (oldest < 0) break;
    left.push(kept[oldest] as string);
    kept = kept.toSpliced(oldest, 1);
  }
  return { kept, left };
}

/** A file may have been edited by hand: what could harm is left out of the prompt, and said. */
function harmless(
  place: NotebookPlace,
  entries: readonly string[],
  language: Language,
): { entries: readonly string[]; notices: readonly string[] } {
  const notices: string[] = [];
  const passed = entries.filter((entry) => {
    const { refused } = scanMemory(entry, language);
    if (refused) notices.push(leftOut(place.file, refused, language));
    return !refused;
  });
  const { kept, left } = fit(passed, place.limit, undefined);
  if (left.length) {
    notices.push(
      language === 'zh'
        ? `${place.file} 超过 ${place.limit} 个字符:最早的 ${left.length} 条未进入提示。`
        : `${place.file} has more than ${place.limit} characters: its oldest ${left.length} are not in the prompt.`,
    );
  }
  return { entries: kept, notices };
}

const leftOut = (file: string, why: string, language: Language): string =>
  language === 'zh'
    ? `${file} 中有一条未进入提示:${why}。`
    : `An entry of ${file} was left out of the prompt: ${why}.`;
