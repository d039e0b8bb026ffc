import { tell } from '#kit/text';
import type { KnownSecrets } from '#kit/redact';
import { z } from 'zod';
import { cutTerms, isStopTerm } from '#engines/retrieval';
import type { Language } from '#kit/language';
import { defineTool, type StagedWrites, type Tool, type ToolResult } from '#spec/ports';
import { age } from '../age.ts';
import type { Memory, RecalledMemory } from '../entries/memory.ts';
import { memoryWriter } from '../memory-writer.ts';
import { NOTEBOOK_NAMES } from '../notebooks/notebook-kinds.ts';
import type { NotebookEdit, Notebooks } from '../notebooks/open-notebooks.ts';
import { asksForLastTime } from '../route/route-message.ts';
import { scanMemory } from '../scan/scan-memory.ts';
import type { MemoryView } from '../scopes.ts';
import { lastSummaries } from '../summary/session-summaries.ts';

export interface MemoryToolDeps {
  readonly notebooks: Notebooks;
  readonly memory: Memory;
  readonly view: MemoryView;
  readonly now: () => number;
  readonly language?: Language;
  /** With it, writes wait for a person. */
  readonly staged?: StagedWrites;
  /** Literals that must not be kept. */
  readonly secrets?: KnownSecrets;
  /** Told when the model wrote by itself, so that the next review is put off. */
  readonly onWrite?: () => void;
}

/** The tools of a conversation that remember. */
export const memoryTools = (deps: MemoryToolDeps): readonly Tool[] => [
  memoryTool(deps),
  searchTool(deps),
  cleanupTool(deps),
];

const said = (text: string, more: Partial<ToolResult> = {}): ToolResult => ({
  content: [{ type: 'text', text }],
  summary: text.split('\n', 1)[0] ?? '',
  ...more,
});

const MemoryInput = z
  .strictObject({
    action: z.enum(['add', 'replace', 'remove']),
    target: z.enum(NOTEBOOK_NAMES).default('memory'),
    content: z.string().max(4_000).optional(),
    old_text: z.string().max(4_000).optional(),
  })
  .refine(({ action, content }) => action === 'remove' || Boolean(content?.trim()), 'content is missing')
  .refine(({ action, old_text }) => action === 'add' || Boolean(old_text?.trim()), 'old_text is missing');

function memoryTool({ onWrite, language = 'en', ...deps }: MemoryToolDeps): Tool {
  return defineTool<NotebookEdit>({
    name: 'memory',
    toolset: 'memory',
    description:
      'Keeps short notes that later sessions begin with. target: memory (facts, lessons), user (who the user is), service, fault, habit (of the team). replace and remove name the entry by old_text, a part that only it has.',
    input: MemoryInput,
    effect: () => 1,
    footprint: () => ({ writes: ['memory:'] }),
    run: async (edit, { session }) => {
      const writer = memoryWriter({ ...deps, language, session, why: 'the agent found it worth keeping' });
      const { ok, text } = await writer.notebook(edit);
      if (ok) onWrite?.();
      return said(text, ok ? {} : { isError: true });
    },
  });
}

const MOST_FOUND = 20;
/** Conversations that a question about the last one is answered with. */
const LAST_TOLD = 2;

function searchTool({ memory, notebooks, view, now }: MemoryToolDeps): Tool {
  return defineTool<{ query?: string | undefined; limit?: number | undefined }>({
    name: 'memory_search',
    toolset: 'memory',
    description:
      'Searches what is remembered for long: facts, lessons, archived notes, past incidents, summaries of earlier conversations. Without a query: the newest.',
    input: z.strictObject({
      query: z.string().min(1).optional(),
      limit: z.int().min(1).max(MOST_FOUND).optional(),
    }),
    effect: () => 0,
    footprint: () => ({ reads: ['memory:'] }),
    deed: () => ({ brings: ['private'] }),
    maxChars: 8_000,
    run: async ({ query, limit = 6 }, { signal, session }) => {
      if (query === undefined) return newest({ memory, notebooks, view, now }, limit);
      const last = asksForLastTime(query)
        ? await lastSummaries({ memory, view }, { except: session, limit: LAST_TOLD })
        : [];
      // Who asks for the conversation before gets that, not whatever shares a word with the question.
      const found = last.length
        ? last.map((entry) => ({ entry, score: 1 }))
        : await memory.recall(query, view, { limit, signal });
      const safe = found.filter(({ entry }) => !scanMemory(entry.text).refused);
      await memory.shown(safe.map(({ entry }) => entry.id));
      if (last.length && safe.length)
        return said(safe.map(({ entry }) => entry.text).join('\n\n'), {
          summary: `${safe.length} found`,
          data: safe.map(({ entry, score }) => ({ id: entry.id, score })),
        });
      const lines = [
        ...(await notedLines(notebooks, view, query)),
        ...safe.map((hit) => foundLine(hit, now())),
      ];
      const hidden = found.length - safe.length;
      if (hidden) lines.push(`(${hidden} left out: the text could harm whoever reads it)`);
      return said(lines.join('\n') || 'Nothing is remembered about this.', {
        summary: `${lines.length} found`,
        data: safe.map(({ entry, score }) => ({ id: entry.id, score })),
      });
    },
  });
}

/** Every note, and the newest of what is remembered for long. */
async function newest(
  { memory, notebooks, view, now }: Pick<MemoryToolDeps, 'memory' | 'notebooks' | 'view' | 'now'>,
  limit: number,
): Promise<ToolResult> {
  const noted: string[] = [];
  for (const name of NOTEBOOK_NAMES) {
    const { place, entries } = await notebooks.read(view, name);
    noted.push(...entries.map((entry) => `- ${entry.replace(/\s+/g, ' ')} [${place.file}]`));
  }
  const kept = await memory.list(view, { limit });
  const lines = [...new Set(noted), ...kept.map((entry) => foundLine({ entry, score: 1 }, now()))];
  const safe = lines.filter((line) => !scanMemory(line).refused);
  return said(safe.join('\n') || 'Nothing is remembered yet.', { summary: `${safe.length} found` });
}

/** Notes share a good part of their words with what is asked for, or are left out. */
const LEAST_SHARED = 0.34;

async function notedLines(notebooks: Notebooks, view: MemoryView, query: string): Promise<string[]> {
  const asked = tellingTerms(query);
  if (asked.size === 0) return [];
  const lines: string[] = [];
  for (const name of NOTEBOOK_NAMES) {
    const { place, entries } = await notebooks.read(view, name);
    for (const entry of entries) {
      const told = tellingTerms(entry);
      const shared = [...asked].filter((term) => told.has(term)).length;
      if (shared >= asked.size * LEAST_SHARED && !scanMemory(entry).refused)
        lines.push(`- ${entry.replace(/\s+/g, ' ')} [${place.file}]`);
    }
  }
  return [...new Set(lines)];
}

const tellingTerms = (text: string): ReadonlySet<string> =>
  new Set(cutTerms(text).filter((term) => !isStopTerm(term)));

const foundLine = ({ entry }: RecalledMemory, now: number): string =>
  `- ${entry.text.replace(/\s+/g, ' ')} [${entry.kind}, ${age(entry.at, now)}, trust ${entry.trust.toFixed(1)}, ${entry.id}]`;

function cleanupTool({ memory, view, language }: MemoryToolDeps): Tool {
  return defineTool<{ max_age_days: number; keep_frequently_accessed: boolean }>({
    name: 'memory_cleanup',
    toolset: 'memory',
    description: 'Forgets long-term memories that nobody used for max_age_days.',
    input: z.strictObject({
      max_age_days: z.int().min(1).max(3_650).default(90),
      keep_frequently_accessed: z.boolean().default(true),
    }),
    effect: () => 2,
    footprint: () => ({ writes: ['memory:'] }),
    deferred: true,
    run: async ({ max_age_days, keep_frequently_accessed }) => {
      const report = await memory.cleanup(
        { maxAgeDays: max_age_days, keepFrequentlyAccessed: keep_frequently_accessed },
        view,
      );
      const { forgotten, erased, keptInUse, keptByKind } = report;
      const text = tell(
        `Forgot ${forgotten}, erased ${erased} that were forgotten before; kept ${keptInUse} in use and ${keptByKind} rules or preferences.`,
        `遗忘 ${forgotten} 条,彻底删除 ${erased} 条;因常用保留 ${keptInUse} 条,因属规则或偏好保留 ${keptByKind} 条。`,
      )[language ?? 'en'];
      return said(text, { data: report });
    },
  });
}
