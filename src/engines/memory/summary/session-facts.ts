import { type Language, languageOf } from '#kit/language';
import { withoutFence } from '#kit/memory-fence';
import { type RecordKind, recordIds } from '#kit/record-ids';
import type { Message, StoredMessage } from '#spec/data';
import { correctionIn } from '../review/corrections.ts';
import { routeMessage } from '../route/route-message.ts';

/** What a conversation was about, taken from its messages by rules alone. */
export interface SessionFacts {
  readonly language: Language;
  readonly messages: number;
  /** The user's requests in their own words, in order. */
  readonly asked: readonly string[];
  /** Tools and how often each was called. */
  readonly tools: readonly (readonly [string, number])[];
  readonly files: readonly string[];
  readonly commands: readonly string[];
  /** What the user corrected, preferred or settled. */
  readonly decided: readonly string[];
  /** What was answered last. */
  readonly outcome: string;
  /** Steps of the plan that are not done, and a request that has no answer. */
  readonly open: readonly string[];
  readonly records: readonly { readonly kind: RecordKind; readonly id: string }[];
}

const DECISION =
  /\b(?:let'?s|let us|we(?:'ll| will| should)? (?:go with|use|keep|take)|decided?|agreed|go ahead|do it|approved)\b|决定|就用|就这么|采用|同意|批准|按这个|改成/i;
/** Too short to be a request: a greeting, a yes. */
const LEAST_REQUEST = 8;
const LOOKING_BACK = new Set(['memory_search', 'session_search']);

/** Undefined for a conversation that leaves nothing to tell: a greeting, or a question about an earlier one. */
export function sessionFacts(given: readonly StoredMessage[]): SessionFacts | undefined {
  // What compaction wrote stands for messages that are here themselves.
  const messages = given.filter(({ kind, state }) => kind === 'plain' && state !== 'undone');
  const said = messages
    .flatMap(({ message }) => (message.role === 'user' ? [textOf(message)] : []))
    .filter(Boolean);
  const calls = messages.flatMap(({ message }) =>
    message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool_call') : [],
  );
  const work = calls.filter(({ name }) => !LOOKING_BACK.has(name));
  const asked = said.filter((text) => routeMessage(text).route !== 'recall');
  if (!work.length && !asked.some((text) => text.length >= LEAST_REQUEST)) return undefined;

  const inputs = work.map(({ name, arguments: written }) => ({ name, input: parsed(written) }));
  const named = (key: string) =>
    inputs.flatMap(({ input }) => (typeof input[key] === 'string' ? [input[key]] : []));
  const last = messages.at(-1)?.message;
  const answers = messages.flatMap(({ message }) => (message.role === 'assistant' ? [textOf(message)] : []));
  const texts = messages.flatMap(({ message }) => message.content.map(wordsOf));
  return {
    language: said.filter((text) => languageOf(text) === 'zh').length * 2 >= said.length ? 'zh' : 'en',
    messages: said.length,
    asked,
    tools: counted(work.map(({ name }) => name)),
    files: distinct(named('path')),
    commands: distinct(named('command')),
    decided: said.filter(
      (text) => text.length < 400 && (correctionIn(text) !== undefined || isDecision(text)),
    ),
    outcome: answers.findLast(Boolean) ?? '',
    open: [...openSteps(inputs), ...(last?.role === 'user' ? [textOf(last)] : [])],
    records: lastNamed(texts),
  };
}

const isDecision = (text: string): boolean =>
  DECISION.test(text) || ['preference', 'remember'].includes(routeMessage(text).route);

const textOf = ({ content }: Message): string =>
  withoutFence<Message['content'][number]>(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();

function wordsOf(part: Message['content'][number]): string {
  if (part.type === 'tool_call') return part.arguments;
  return part.type === 'text' ? part.text : '';
}

/** Arguments that do not parse name nothing. */
function parsed(written: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter(Boolean))];

function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}

function openSteps(inputs: readonly { name: string; input: Readonly<Record<string, unknown>> }[]): string[] {
  const items: unknown = inputs.findLast(({ name }) => name === 'todo')?.input['items'];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: { text?: unknown; state?: unknown }) =>
    typeof item?.text === 'string' && (item.state === 'pending' || item.state === 'active')
      ? [item.text]
      : [],
  );
}

/** Each record once, those that were named last first. */
function lastNamed(texts: readonly string[]): { kind: RecordKind; id: string }[] {
  const found = new Map<string, { kind: RecordKind; id: string }>();
  for (const { kind, id } of texts.flatMap(recordIds)) {
    found.delete(id);
    found.set(id, { kind, id });
  }
  return [...found.values()].toReversed();
}
