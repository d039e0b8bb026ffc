import { tell } from '#kit/text';
import type { KnownSecrets } from '#kit/redact';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import type { StagedWrite } from '#spec/data';
import type { StagedWrites } from '#spec/ports';
import type { Memory, Telling } from './entries/memory.ts';
import { placeOf } from './notebooks/notebook-kinds.ts';
import { type NotebookOutcome, replyText, succeeded } from './notebooks/notebook-reply.ts';
import { preview, sizeOf } from './notebooks/notebook-text.ts';
import { findEntry, type NotebookEdit, type Notebooks, problemOf } from './notebooks/open-notebooks.ts';
import { scanTold } from './scan/scan-memory.ts';
import { homeScope, type MemoryView } from './scopes.ts';

/** What a write came to, in words. */
export interface Written {
  readonly ok: boolean;
  readonly staged: boolean;
  readonly text: string;
}

export interface WriterDeps {
  readonly notebooks: Notebooks;
  readonly memory: Memory;
  readonly view: MemoryView;
  readonly now: () => number;
  readonly language: Language;
  /** Where writes wait for a person; without it they are made at once. */
  readonly staged?: StagedWrites;
  readonly session?: string;
  /** Literals that must not wait anywhere either. */
  readonly secrets?: KnownSecrets;
  /** Why the writes are made, for whoever decides about them. */
  readonly why: string;
}

/** The one way in which writes that nobody typed are made: the same for tools, reviews and rules. */
export interface MemoryWriter {
  notebook(edit: NotebookEdit): Promise<Written>;
  entry(telling: Telling): Promise<Written>;
}

export function memoryWriter(deps: WriterDeps): MemoryWriter {
  const { notebooks, memory, view, now, language, staged, session, why, secrets = [] } = deps;
  const stage = async (
    write: Pick<StagedWrite, 'scope' | 'target' | 'tool' | 'input' | 'shown'>,
  ): Promise<Written> => {
    const id = newId('wr');
    await staged?.add({ ...write, id, why, at: now(), ...(session === undefined ? {} : { session }) });
    const line = preview(write.shown, 160);
    const text = tell(
      `Waiting for approval, nothing is written yet: ${line} (see /memory pending)`,
      `等待批准,尚未写入:${line}(/memory pending 查看)`,
    )[language];
    return { ok: true, staged: true, text };
  };
  const refuse = (reason: string): Written => ({
    ok: false,
    staged: false,
    text: tell(`Not kept: ${reason}.`, `未保存:${reason}。`)[language],
  });

  return {
    notebook: async (edit) => {
      if (!staged) return editNotebook(notebooks, view, edit, language);
      const meant = await exactly(notebooks, view, edit, language, secrets);
      if (!('edit' in meant)) return meant;
      const { scope, file } = placeOf(edit.target, view);
      const shown = editLine(meant.edit, file);
      return stage({ scope, target: 'notebook', tool: 'memory', input: meant.edit, shown });
    },
    entry: async (telling) => {
      const { refused } = scanTold(telling.text, language, secrets);
      if (refused) return refuse(refused);
      if (!staged) return keepEntry(memory, telling, view, language);
      const scope = telling.scope ?? homeScope(telling.kind, view);
      return stage({
        scope,
        target: 'entry',
        tool: 'remember',
        input: { ...telling, scope },
        shown: whole(`${telling.kind}: ${telling.text}`),
      });
    },
  };
}

export async function editNotebook(
  notebooks: Notebooks,
  view: MemoryView,
  { action, target, content = '', old_text = '' }: NotebookEdit,
  language: Language,
): Promise<Written> {
  const reply =
    action === 'add'
      ? await notebooks.add(view, target, content, language)
      : action === 'replace'
        ? await notebooks.replace(view, target, old_text, content, language)
        : await notebooks.remove(view, target, old_text);
  return { ok: succeeded(reply), staged: false, text: replyText(reply, language) };
}

export async function keepEntry(
  memory: Memory,
  telling: Telling,
  view: MemoryView,
  language: Language,
): Promise<Written> {
  const kept = await memory.remember(telling, view);
  const zh = language === 'zh';
  if (kept.status === 'refused')
    return {
      ok: false,
      staged: false,
      text: tell(`Not kept: ${kept.why}.`, `未保存:${kept.why}。`)[language],
    };
  const [en, chinese] = {
    new: ['Remembered', '已记住'],
    same: ['Known already', '早已记住'],
    replaced: ['Remembered, in place of what was known', '已记住,并取代旧内容'],
  }[kept.status] as [string, string];
  return { ok: true, staged: false, text: `${zh ? chinese : en}: ${preview(kept.entry.text, 120)}` };
}

/**
 * An edit that names the whole entry it changes, so that what a person agrees to is what happens, or nothing does. What
 * would be refused later is told at once: it need not bother anybody.
 */
async function exactly(
  notebooks: Notebooks,
  view: MemoryView,
  edit: NotebookEdit,
  language: Language,
  secrets: KnownSecrets,
): Promise<{ readonly edit: NotebookEdit } | Written> {
  const { action, target, content = '', old_text = '' } = edit;
  const { place, entries } = await notebooks.read(view, target);
  const outcomeOf = (outcome: NotebookOutcome): Written => {
    const reply = { outcome, notebook: place, used: sizeOf(entries), entries, archived: [] };
    return { ok: false, staged: false, text: replyText(reply, language) };
  };
  const problem = action === 'remove' ? undefined : problemOf(place, content.trim(), language, secrets);
  if (problem) return outcomeOf(problem);
  if (action === 'add') return { edit };
  const found = findEntry(entries, old_text);
  return typeof found === 'number' ? { edit: { ...edit, old_text: entries[found] } } : outcomeOf(found);
}

/** All of it: what is cut off here would be agreed to unseen. */
const whole = (text: string): string => text.trim().replaceAll('\n', '\n    ');

function editLine({ action, content = '', old_text = '' }: NotebookEdit, file: string): string {
  const sign = { add: '+', replace: '~', remove: '-' }[action];
  const text = action === 'remove' ? old_text : action === 'replace' ? `${old_text} → ${content}` : content;
  return whole(`${file} ${sign} ${text}`);
}
