import { approveStaged, type MemoryView, NOTEBOOK_NAMES, rejectStaged, scopesOf } from '#engines/memory';
import type { SlashResult } from '#engines/session';
import { AppError } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { StagedWrite } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';
import { approveSkillWrite } from '../skills/approve-skill-write.ts';

type Needs = Pick<Dependencies, 'memory' | 'skills'>;

const TEXT = {
  en: {
    usage: (used: number, limit: number, entries: number) =>
      `${entries} entries, ${used} of ${limit} characters`,
    entries: (count: number, more: boolean) => `${count}${more ? '+' : ''} long-term entries`,
    pending: (count: number) => (count ? `${count} writes wait: \`/memory pending\`` : 'No write waits.'),
    nothing: 'Nothing is remembered about this.',
    approved: 'Done',
    rejected: (shown: string) => `Rejected: ${shown}`,
    forgotten: (count: number) => `${count} forgotten.`,
    unknown:
      '`/memory`, `/memory search WORDS`, `/memory pending`, `/memory approve|reject ID|all`, `/memory forget ID`, `/memory user`',
    noUser: 'Little is known about you yet.',
  },
  zh: {
    usage: (used: number, limit: number, entries: number) => `${entries} 条,${used} / ${limit} 字符`,
    entries: (count: number, more: boolean) => `长期记忆 ${count}${more ? '+' : ''} 条`,
    pending: (count: number) => (count ? `${count} 条写入待确认:\`/memory pending\`` : '没有待确认的写入。'),
    nothing: '没有相关记忆。',
    approved: '完成',
    rejected: (shown: string) => `已拒绝:${shown}`,
    forgotten: (count: number) => `已遗忘 ${count} 条。`,
    unknown:
      '`/memory`、`/memory search 关键词`、`/memory pending`、`/memory approve|reject ID|all`、`/memory forget ID`、`/memory user`',
    noUser: '目前对你了解不多。',
  },
};

const MOST_COUNTED = 1_000;

/** `/memory`: what is remembered, and what waits for a yes. */
export async function memoryCommand(
  deps: Needs,
  view: MemoryView,
  args: string,
  language: Language,
): Promise<SlashResult> {
  const [verb = '', ...rest] = args.trim().split(/\s+/);
  const run = VERBS[verb];
  if (!run) return { text: TEXT[language].unknown };
  try {
    return { text: await run(deps, view, rest.join(' '), language) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { text: [thrown.message, thrown.record.hint].filter(Boolean).join('. ') };
  }
}

type Verb = (deps: Needs, view: MemoryView, words: string, language: Language) => Promise<string>;

const VERBS: Readonly<Record<string, Verb>> = {
  '': overview,
  list: overview,
  search: async (deps, view, words, language) => {
    const { memory } = await deps.memory(language);
    const found = await memory.recall(words, view, { limit: 8 });
    await memory.shown(found.map(({ entry }) => entry.id));
    if (!found.length) return TEXT[language].nothing;
    return found
      .map(({ entry, score }) => `- ${entry.text} — ${entry.kind}, ${score.toFixed(2)}, \`${entry.id}\``)
      .join('\n');
  },
  pending: async (deps, view, _words, language) => {
    const waiting = await pendingOf(deps, view, language);
    if (!waiting.length) return TEXT[language].pending(0);
    return waiting.map(({ id, shown, why }) => `- \`${id}\` ${shown}\n  ${why}`).join('\n');
  },
  approve: async (deps, view, words, language) => {
    const done: string[] = [];
    for (const id of await chosen(deps, view, words, language))
      done.push(await approveWrite(deps, view, id, language));
    return done.join('\n') || TEXT[language].pending(0);
  },
  reject: async (deps, view, words, language) => {
    const { staged } = await deps.memory(language);
    const done: string[] = [];
    for (const id of await chosen(deps, view, words, language)) {
      const { shown } = await rejectStaged({ staged, view }, id);
      done.push(TEXT[language].rejected(shown));
    }
    return done.join('\n') || TEXT[language].pending(0);
  },
  forget: async (deps, view, words, language) => {
    const { memory } = await deps.memory(language);
    return TEXT[language].forgotten(await memory.forget(words.split(/\s+/).filter(Boolean), view));
  },
  user: async (deps, view, _words, language) => {
    const { user } = await deps.memory(language);
    const profile = Object.entries(await user.show(view, language));
    if (!profile.length) return TEXT[language].noUser;
    return profile.map(([field, known]) => `- **${field}** ${known.value}`).join('\n');
  },
};

async function overview(deps: Needs, view: MemoryView, _words: string, language: Language): Promise<string> {
  const { notebooks, memory } = await deps.memory(language);
  const lines: string[] = [];
  for (const name of NOTEBOOK_NAMES) {
    const { place, entries } = await notebooks.read(view, name);
    const used = entries.join('\n§\n').length;
    if (entries.length)
      lines.push(`- \`${place.file}\` ${TEXT[language].usage(used, place.limit, entries.length)}`);
  }
  const waiting = await pendingOf(deps, view, language);
  // Those that are seen here; how many others there are is nobody's business.
  const found = await memory.list(view, { limit: MOST_COUNTED });
  return [
    ...lines,
    `- ${TEXT[language].entries(found.length, found.length === MOST_COUNTED)}`,
    '',
    TEXT[language].pending(waiting.length),
  ].join('\n');
}

async function pendingOf(deps: Needs, view: MemoryView, language: Language): Promise<readonly StagedWrite[]> {
  return (await deps.memory(language)).staged.list(scopesOf(view));
}

async function chosen(deps: Needs, view: MemoryView, words: string, language: Language): Promise<string[]> {
  if (words.trim() !== 'all') return words.split(/\s+/).filter(Boolean);
  return (await pendingOf(deps, view, language)).map(({ id }) => id);
}

/** Makes a write that waited, whatever it changes, and tells what came of it. */
export async function approveWrite(
  deps: Needs,
  view: MemoryView,
  id: string,
  language: Language,
): Promise<string> {
  const open = await deps.memory(language);
  const written = await approveStaged({ ...open, view, language }, id);
  if (written) return written.text;
  const skill = (await pendingOf(deps, view, language)).find((write) => write.id === id);
  if (!skill) return TEXT[language].approved;
  const said = await approveSkillWrite(deps, skill);
  await open.staged.take(id);
  return said;
}
