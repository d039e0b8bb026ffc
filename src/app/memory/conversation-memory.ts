import { tell } from '#kit/text';
import {
  type MemoryView,
  memoryContext,
  memoryTools,
  memoryWriter,
  reviewTurns,
  type WriteSummary,
  type RunReview,
} from '#engines/memory';
import type { EndedTurn } from '#engines/session';
import type { Language } from '#kit/language';
import type { Tool } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import { conversationSummaries } from './conversation-summaries.ts';
import { withoutFence } from '#kit/memory-fence';
import type { Message } from '#spec/data';

type Needs = Pick<Dependencies, 'database' | 'memory' | 'settings'>;

export interface ConversationMemoryOptions {
  readonly view: MemoryView;
  readonly language: Language;
  /** Tools of skills, which a review may use as well. */
  readonly skillTools: () => Promise<readonly Tool[]>;
  /** Absent where no model answers: then rules decide what is kept. */
  readonly runReview: RunReview | undefined;
  /** Absent where no model answers: then rules write summaries. */
  readonly writeSummary: WriteSummary | undefined;
}

/** What one conversation has of the memory. Nothing is opened before the first message. */
export interface ConversationMemory {
  tools(): Promise<readonly Tool[]>;
  /** As it is now; to be frozen into the prompt. */
  prompt(): Promise<{
    readonly memory?: string;
    readonly user?: string;
    readonly notices: readonly string[];
  }>;
  remind(text: string, session: string, signal: AbortSignal): Promise<string | undefined>;
  /** A message has come: what runs in the background gives way. */
  began(): void;
  ended(turn: EndedTurn): Promise<void>;
  /** The conversation goes on in another session. */
  left(session: string): Promise<void>;
  /** The conversation is over. */
  close(): Promise<void>;
  /** What the user should know, each told once. */
  takeNotices(): readonly string[];
}

/** Lines of background work are few, or they would be noise. */
const KEPT = { en: (line: string) => `Kept: ${line}`, zh: (line: string) => `已记录:${line}` };

export async function conversationMemory(
  deps: Needs,
  { view, language, skillTools, runReview, writeSummary }: ConversationMemoryOptions,
): Promise<ConversationMemory> {
  const { memory: settings } = deps.settings;
  const now = Date.now;
  const notices: string[] = [];
  const open = await deps.memory(language);
  const { memory, notebooks, user, outside, secrets } = open;
  // Where every write waits for a yes, nothing is written on the side.
  const summaries =
    settings.summaries && !settings.write_approval
      ? conversationSummaries(deps, { memory, view, secrets, write: writeSummary })
      : undefined;
  const staged = settings.write_approval ? { staged: open.staged } : {};
  const tools = memoryTools({
    notebooks,
    memory,
    view,
    now,
    language,
    secrets,
    ...staged,
    onWrite: () => reviewer.wrote(),
  });
  let more: readonly Tool[] = [];
  const reviewer = reviewTurns({
    // Rules cost nothing: they look at every turn.
    every: runReview ? settings.review_every : 1,
    writer: memoryWriter({
      notebooks,
      memory,
      view,
      now,
      language,
      secrets,
      ...staged,
      why: tell('found when looking back at the conversation', '回顾对话时发现')[language],
    }),
    tools: () => [...tools, ...more],
    ...(runReview ? { runReview } : {}),
  });

  return {
    tools: async () => tools,
    prompt: async () => {
      const snapshot = await notebooks.snapshot(view, language);
      const about = await user.promptBlock(view, language);
      const userText = [snapshot.user, about].filter(Boolean).join('\n\n');
      return {
        ...(snapshot.memory ? { memory: snapshot.memory } : {}),
        ...(userText ? { user: userText } : {}),
        notices: snapshot.notices,
      };
    },
    remind: async (text, session, signal) =>
      settings.recall && settings.context_limit > 0
        ? memoryContext(
            {
              memory,
              view,
              now,
              limit: settings.context_limit,
              session,
              ...(summaries ? { lastTime: () => summaries.last(session) } : {}),
              ...(outside ? { providers: outside } : {}),
            },
            text,
            signal,
          )
        : undefined,
    began: () => {
      reviewer.began();
      summaries?.began();
    },
    left: async (session) => summaries?.left(session),
    close: async () => summaries?.close(),
    ended: async (ended) => {
      const { said, answered, at } = turnTexts(ended);
      await summaries?.ended(ended.session);
      if (!said || ended.status !== 'done') return;
      const { session, turn } = ended;
      await user.observe(view, { text: said, at });
      void outside?.observe({ session, said, answered, at }, view, AbortSignal.timeout(20_000));
      // What the turn itself wrote, or a person refused in it, is not found a second time by the rules.
      const kept = ended.messages.some(
        ({ message }) => message.role === 'tool' && ['memory', 'house_rule'].includes(message.name),
      );
      if (!runReview && kept) return;
      if (settings.review && reviewer.ended({ session, turn, said, answered, at })) {
        more = await skillTools();
        const { written, error } = await reviewer.review();
        notices.push(...written.map(KEPT[language]), ...(error ? [error] : []));
      }
      await memory.indexPending();
    },
    takeNotices: () => [...open.takeNotices(), ...notices.splice(0)],
  };
}

/** A memory that is switched off. */
export const NO_MEMORY: ConversationMemory = {
  tools: async () => [],
  prompt: async () => ({ notices: [] }),
  remind: async () => undefined,
  began: () => undefined,
  ended: async () => undefined,
  left: async () => undefined,
  close: async () => undefined,
  takeNotices: () => [],
};

/** What the user said in a turn and what they were answered, without what travelled unseen. */
function turnTexts({ messages }: EndedTurn): { said: string; answered: string; at: number } {
  const first = messages.find(({ message, kind }) => message.role === 'user' && kind === 'plain');
  const last = messages.findLast(({ message }) => message.role === 'assistant');
  return {
    said: first ? textOf(first.message) : '',
    answered: last ? textOf(last.message) : '',
    at: first?.at ?? 0,
  };
}

const textOf = ({ content }: Message): string =>
  withoutFence<Message['content'][number]>(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();
