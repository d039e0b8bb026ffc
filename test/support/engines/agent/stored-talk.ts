import fc from 'fast-check';
import type { AssistantPart, Message, StoredMessage } from '#spec/data';
import type { Compaction } from '../../../../src/engines/agent/compaction/compact.ts';

/** Conversations as a store keeps them, for the tests of compaction. */

const ORIGIN = { provider: 'script', model: 'script-1', protocol: 'chat_completions' } as const;

export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

export const assistant = (
  text: string,
  ...calls: readonly (readonly [string, string, string])[]
): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text },
    ...calls.map(([id, name, args]): AssistantPart => ({ type: 'tool_call', id, name, arguments: args })),
  ],
  origin: ORIGIN,
});

export const result = (callId: string, name: string, text: string, isError = false): Message => ({
  role: 'tool',
  callId,
  name,
  content: [{ type: 'text', text }],
  isError,
});

/** Stores messages in order; a message of the user begins a turn. */
export function stored(messages: readonly Message[], kind: StoredMessage['kind'] = 'plain'): StoredMessage[] {
  let turn = 0;
  return messages.map((message, i) => {
    if (message.role === 'user') turn++;
    return {
      id: `msg_${i + 1}`,
      session: 'ses_1',
      seq: i + 1,
      position: i + 1,
      turn,
      at: i,
      state: 'active',
      kind,
      message,
    };
  });
}

/** A turn in which one file is read: a question, a call, its result, an answer. */
export const turnOf = (n: number, size = 2_000): Message[] => [
  user(`question ${n}`),
  assistant(`looking ${n}`, [`c${n}`, 'read_file', `{"path":"src/file${n}.ts"}`]),
  result(`c${n}`, 'read_file', `content ${n} ${'x'.repeat(size)}`),
  assistant(`answer ${n} ${'y'.repeat(80)}`),
];

/** The conversation after a compaction, as a store would give it out. */
export function applied(
  messages: readonly StoredMessage[],
  { archive, replace }: Compaction,
): StoredMessage[] {
  const gone = new Set(archive);
  const added = replace.map(
    ({ message, position, turn }, i): StoredMessage => ({
      id: `new_${messages.length}_${i}_${position}`,
      session: 'ses_1',
      seq: 10_000 + i,
      position,
      turn,
      at: 0,
      state: 'active',
      kind: 'digest',
      message,
    }),
  );
  return [...messages.filter(({ id }) => !gone.has(id)), ...added].toSorted(
    (a, b) => a.position - b.position,
  );
}

const words = fc.string({ unit: fc.constantFrom('word ', '中文', '\n', '🐟', 'x'), maxLength: 300 });
const long = fc.nat({ max: 9_000 }).map((size) => `start ${'z'.repeat(size)}`);

/** A turn of any shape: notices, several rounds of several calls, answers or none. */
const anyTurn = fc.record({
  question: words,
  rounds: fc.array(fc.array(fc.oneof(words, long), { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
  answer: fc.option(fc.oneof(words, long)),
});

export const anyTalk = fc
  .array(anyTurn, { minLength: 1, maxLength: 12 })
  .map((turns) =>
    stored(
      turns.flatMap(({ question, rounds, answer }, t) => [
        user(question),
        ...rounds.flatMap((texts, r) => [
          assistant(
            'on it',
            ...texts.map((_, i) => [`c${t}_${r}_${i}`, 'read_file', '{"path":"a.ts"}'] as const),
          ),
          ...texts.map((text, i) => result(`c${t}_${r}_${i}`, 'read_file', text)),
        ]),
        ...(answer === null ? [] : [assistant(answer)]),
      ]),
    ),
  );
