import { z } from 'zod';
import { type AgentEvent, type AgentFacts, Approval, MessageState, Session, StoredMessage } from '#spec/data';
import { defineContracts } from './contract.ts';
import { factOf } from './fact.ts';
import { text, upTo, whole } from './query.ts';

const MOST_LISTED = 500;
const MOST_FOUND = 50;
const MOST_FACTS = 5_000;
const LONGEST_QUERY = 10_000;

const FACTS: Readonly<Record<keyof AgentFacts, true>> = {
  'turn.started': true,
  'message.added': true,
  'tool.started': true,
  'tool.ended': true,
  'usage.recorded': true,
  'context.compacted': true,
  'steering.applied': true,
  'plan.changed': true,
  'turn.ended': true,
};
const Fact = factOf<AgentEvent>(Object.keys(FACTS));

const Speaker = z.enum(['user', 'assistant', 'tool']);

const FoundPassage = z.object({
  session: z.string(),
  title: z.string(),
  message: z.string(),
  turn: z.number().int(),
  at: z.number(),
  role: Speaker,
  /** `hit`: it is why the text was found. */
  pieces: z.array(z.object({ text: z.string(), hit: z.boolean() })),
});
export type FoundPassage = z.infer<typeof FoundPassage>;

const PromptTool = z.object({
  name: z.string(),
  description: z.string(),
  input: z.record(z.string(), z.unknown()),
  tokens: z.number(),
});
export type PromptTool = z.infer<typeof PromptTool>;

/** What is sent before the messages, in the order in which vendors cache it: tools, then blocks. */
const ShownPrompt = z.object({
  /** `breakpoint`: one of the cache stands behind it. */
  tools: z.object({ list: z.array(PromptTool), breakpoint: z.boolean() }),
  blocks: z.array(
    z.object({
      segments: z.array(z.object({ name: z.string(), text: z.string(), tokens: z.number() })),
      breakpoint: z.boolean(),
    }),
  ),
  tokens: z.number(),
});
export type ShownPrompt = z.infer<typeof ShownPrompt>;

/** `more`: so many characters were left out. */
const cut = { text: z.string(), more: z.number().optional() };
const ShownPart = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'thinking']), ...cut }),
  /** What was recalled for the message, which only the model was sent. */
  z.object({ type: z.literal('memory'), tokens: z.number(), ...cut }),
  z.object({ type: z.literal('tool_call'), id: z.string(), name: z.string(), ...cut }),
  z.object({ type: z.literal('image'), mediaType: z.string(), bytes: z.number() }),
]);
export type ShownPart = z.infer<typeof ShownPart>;

const ShownMessage = z.object({
  id: z.string(),
  seq: z.number(),
  turn: z.number(),
  at: z.number(),
  state: MessageState,
  kind: StoredMessage.shape.kind,
  role: Speaker,
  parts: z.array(ShownPart),
  /** About how many tokens it takes in a request. */
  tokens: z.number(),
  usage: StoredMessage.shape.usage,
  cost: z.number().optional(),
  /** `provider/model` that wrote it. */
  model: z.string().optional(),
  /** Of a result: which call it answers, of which tool. */
  call: z.string().optional(),
  name: z.string().optional(),
  isError: z.boolean().optional(),
});
export type ShownMessage = z.infer<typeof ShownMessage>;

/** A request for agreement that was made in a session. */
const SessionApproval = Approval.pick({
  id: true,
  state: true,
  reasons: true,
  createdAt: true,
  expiresAt: true,
  decidedAt: true,
  decidedBy: true,
  usedAt: true,
  scope: true,
}).extend({ tool: z.string(), level: z.number(), shown: z.string() });
export type SessionApproval = z.infer<typeof SessionApproval>;

const before = whole().optional().describe('last written to before this, in milliseconds since the epoch');

/** Stored conversations, to be read: an admin sees all of them, everybody else their own. */
export const CONVERSATIONS = defineContracts({
  list: {
    method: 'GET',
    path: '/api/conversations',
    access: 'read',
    summary: 'Conversations, newest first',
    query: z.object({
      text: text().describe('in the title, or the beginning of an id'),
      before,
      limit: upTo(MOST_LISTED, 100).describe('at most so many'),
    }),
    answer: z.array(Session),
  },
  search: {
    method: 'GET',
    path: '/api/conversations/search',
    access: 'read',
    summary: 'What was said, best hits first',
    query: z.object({
      q: text(LONGEST_QUERY).describe('any words'),
      limit: upTo(MOST_FOUND, 20).describe('at most so many'),
    }),
    answer: z.array(FoundPassage),
  },
  show: {
    method: 'GET',
    path: '/api/conversations/:id',
    access: 'read',
    summary: 'A conversation with the prompt that it is sent with',
    answer: z.object({ session: Session, prompt: ShownPrompt }),
  },
  messages: {
    method: 'GET',
    path: '/api/conversations/:id/messages',
    access: 'read',
    summary: 'Its messages in order, long parts cut',
    answer: z.array(ShownMessage),
  },
  message: {
    method: 'GET',
    path: '/api/conversations/:id/messages/:message',
    access: 'read',
    summary: 'One message in full',
    answer: ShownMessage,
  },
  facts: {
    method: 'GET',
    path: '/api/conversations/:id/facts',
    access: 'read',
    summary: 'What happened in it, in order',
    query: z.object({
      after: whole(0).default(0).describe('the number of the last fact that is known'),
      limit: upTo(MOST_FACTS).describe('at most so many'),
    }),
    answer: z.array(Fact),
  },
  approvals: {
    method: 'GET',
    path: '/api/conversations/:id/approvals',
    access: 'read',
    summary: 'What was asked for agreement in it',
    answer: z.array(SessionApproval),
  },
  export: {
    method: 'GET',
    path: '/api/conversations/:id/export',
    access: 'read',
    summary: 'The whole conversation as a file, as `hermes sessions export` writes it',
    query: z.object({
      format: z
        .enum(['json', 'markdown'], 'it is json or markdown.')
        .default('json')
        .describe('json or markdown'),
    }),
    files: ['application/json', 'text/markdown'],
  },
});
