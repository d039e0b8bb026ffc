import { tell } from '#kit/text';
import type { KnownSecrets } from '#kit/redact';
import type { Language } from '#kit/language';
import type { MemoryStore, NotebookFiles } from '#spec/ports';
import { scanMemory, scanTold } from '../scan/scan-memory.ts';
import type { MemoryView } from '../scopes.ts';
import { notebookHistory, type NotebookVersion, same } from './notebook-history.ts';
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
  /** What `add`, `replace` or `remove` would come to now. Nothing is written. */
  rehearse(view: MemoryView, edit: NotebookEdit, language?: Language): Promise<NotebookReply>;
  /** What it was before its last edits, newest first, without what may not be kept. */
  history(view: MemoryView, name: NotebookName): Promise<readonly NotebookVersion[]>;
  /**
   * Makes of it what it was before the last edit, or in the version that is named. That is an edit as well: the next
   * one without a version takes it back.
   */
  undo(view: MemoryView, name: NotebookName, version?: number): Promise<NotebookReply>;
  /** Leaves nothing of what it was before. */
  eraseHistory(view: MemoryView, name: NotebookName): Promise<void>;
}

/** An edit of a notebook, as the `memory` tool takes it. */
export interface NotebookEdit {
  readonly action: 'add' | 'replace' | 'remove';
  readonly target: NotebookName;
  readonly content?: string | undefined;
  readonly old_text?: string | undefined;
}

export interface NotebookDeps {
  readonly files: NotebookFiles;
  /** Takes what no longer fits. */
  readonly store: Pick<MemoryStore, 'put'>;
  readonly now: () => number;
  /** Literals that must not be kept, such as the keys of the profile. */
  readonly secrets?: KnownSecrets;
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

  const past = notebookHistory(files);
  const allowed = (entries: readonly string[]) =>
    entries.filter((entry) => !scanMemory(entry, 'en', secrets).refused);

  const change = async (
    place: NotebookPlace,
    edit: (entries: readonly string[]) => Edit | Promise<Edit>,
  ): Promise<NotebookReply> => {
    let reply: NotebookReply | undefined;
    await files.edit(place.folder, place.file, async (text) => {
      const before = readEntries(text);
      const edited = await edit(before);
      reply = replyOf(place, before, edited);
      // First into the store, then out of the file: whatever fails in between, nothing is lost.
      if (reply.archived.length) await archive(place, reply.archived);
      if (!edited.entries) return undefined;
      await past.keep(place, allowed(before), now());
      return writeEntries(reply.entries);
    });
    return reply as NotebookReply;
  };

  const editor = (
    place: NotebookPlace,
    { action, content = '', old_text = '' }: NotebookEdit,
    language: Language,
  ): ((entries: readonly string[]) => Edit) => {
    const problem: Problem = (text) => problemOf(place, text, language, secrets);
    if (action === 'add') return (entries) => addEntry(entries, clean(content), problem);
    if (action === 'replace') return (entries) => replaceEntry(entries, old_text, clean(content), problem);
    return (entries) => removeEntry(entries, old_text);
  };
  const make = (view: MemoryView, edit: NotebookEdit, language: Language): Promise<NotebookReply> => {
    const place = placeOf(edit.target, view);
    return change(place, editor(place, edit, language));
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
    add: (view, target, content, language = 'en') => make(view, { action: 'add', target, content }, language),
    replace: (view, target, oldText, content, language = 'en') =>
      make(view, { action: 'replace', target, content, old_text: oldText }, language),
    remove: (view, target, oldText) => make(view, { action: 'remove', target, old_text: oldText }, 'en'),
    rehearse: async (view, edit, language = 'en') => {
      const { place, entries } = await read(view, edit.target);
      return replyOf(place, entries, editor(place, edit, language)(entries));
    },
    history: (view, name) => past.read(placeOf(name, view)),
    undo: (view, name, version) => {
      const place = placeOf(name, view);
      return change(place, async (entries) => {
        const known = await past.read(place);
        const meant = known.find((one) =>
          version === undefined ? !same(one.entries, allowed(entries)) : one.version === version,
        );
        return meant
          ? { outcome: { kind: 'restored' }, entries: allowed(meant.entries) }
          : { outcome: { kind: 'no_version' } };
      });
    },
    eraseHistory: (view, name) => past.erase(placeOf(name, view)),
  };
}

/** What an edit comes to, with what has to leave for it. */
function replyOf(
  place: NotebookPlace,
  before: readonly string[],
  { outcome, entries, keep }: Edit,
): NotebookReply {
  const { kept, left } = entries ? fit(entries, place.limit, keep) : { kept: before, left: [] };
  return { outcome, notebook: place, used: sizeOf(kept), entries: kept, archived: left };
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

function removeEntry(entries: readonly string[], oldText: string): Edit {
  const found = findEntry(entries, oldText);
  if (typeof found !== 'number') return { outcome: found };
  return { outcome: { kind: 'removed' }, entries: entries.toSpliced(found, 1) };
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
  secrets: KnownSecrets = [],
): NotebookOutcome | undefined {
  if (!content) return { kind: 'empty' };
  const { refused } = scanTold(content, language, secrets);
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
      tell(
        `${place.file} has more than ${place.limit} characters: its oldest ${left.length} are not in the prompt.`,
        `${place.file} 超过 ${place.limit} 个字符:最早的 ${left.length} 条未进入提示。`,
      )[language],
    );
  }
  return { entries: kept, notices };
}

const leftOut = (file: string, why: string, language: Language): string =>
  tell(`An entry of ${file} was left out of the prompt: ${why}.`, `${file} 中有一条未进入提示:${why}。`)[
    language
  ];
