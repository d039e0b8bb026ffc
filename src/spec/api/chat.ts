import { z } from 'zod';
import { Approval, ErrorRecord, ImagePart, Language } from '#spec/data';
import { defineContracts } from './contract.ts';
import { text, upTo, whole } from './query.ts';

const MOST_TEXT = 200_000;
const MOST_STEERED = 20_000;
const MOST_IMAGES = 4;
const MOST_BYTES = 16_000_000;
const MOST_LISTED = 200;

/** A conversation in the list. Times are milliseconds since the epoch. */
const ChatEntry = z.object({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  updatedAt: z.number(),
  messages: z.int(),
  running: z.boolean(),
  /** It waits for an answer of its person. */
  asking: z.boolean(),
});
export type ChatEntry = z.infer<typeof ChatEntry>;

/** A picture in a message: where it stands. */
const ChatImage = z.object({ message: z.string(), part: z.number() });
export type ChatImage = z.infer<typeof ChatImage>;

const ToolItem = z.object({
  kind: z.literal('tool'),
  call: z.string(),
  name: z.string(),
  /** JSON as the model wrote it, its beginning where it is long. */
  arguments: z.string(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  at: z.number(),
  progress: z.string().optional(),
  summary: z.string().optional(),
  ms: z.number().optional(),
});
export type ToolItem = z.infer<typeof ToolItem>;

/** What is done about a failed attempt. */
const NextStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('retry'), afterMs: z.number() }),
  z.object({ kind: z.literal('rotate'), credential: z.string() }),
  z.object({ kind: z.literal('failover'), provider: z.string(), model: z.string() }),
  z.object({ kind: z.literal('stop') }),
]);

/** One thing on the page. Data only: words and colours come with rendering. */
const ChatItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), text: z.string(), images: z.array(ChatImage), at: z.number() }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('thinking'), text: z.string(), at: z.number(), ms: z.number().optional() }),
  ToolItem,
  /** `steer`: said to a running turn. `unsaid`: it was stopped before it heard this. */
  z.object({ kind: z.enum(['steer', 'unsaid', 'notice']), text: z.string() }),
  z.object({ kind: z.literal('command'), line: z.string(), text: z.string() }),
  z.object({ kind: z.literal('attempt'), error: ErrorRecord, next: NextStep }),
  z.object({ kind: z.literal('error'), error: ErrorRecord }),
  z.object({ kind: z.literal('compacted'), before: z.number(), after: z.number() }),
  z.object({ kind: z.enum(['stopped', 'cut_short']) }),
]);
export type ChatItem = z.infer<typeof ChatItem>;

const ChatActivity = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['waiting', 'thinking', 'writing', 'compacting', 'stopping']) }),
  z.object({ kind: z.literal('preparing'), name: z.string() }),
  z.object({ kind: z.literal('tools'), count: z.number() }),
  z.object({ kind: z.literal('retrying'), who: z.string(), at: z.number() }),
]);

/** What a tool or the gate asks. Whoever's chat it is answers. */
const ChatQuestion = z.object({
  id: z.string(),
  text: z.string(),
  /** In a question of the gate the first one refuses. */
  choices: z.array(z.string()),
  askedAt: z.number(),
  /** When it counts as not answered. */
  until: z.number(),
  /** Present when agreement is asked for: exactly what would run, and why somebody has to agree. */
  approval: Approval.pick({ id: true, reasons: true, separate: true })
    .extend({ tool: z.string(), level: z.number(), shown: z.string() })
    .optional(),
});
export type ChatQuestion = z.infer<typeof ChatQuestion>;

const ChatStatus = z.object({
  title: z.string().optional(),
  /** `provider/model`; absent for the built-in operator. */
  model: z.string().optional(),
  context: z.object({ used: z.number(), window: z.number() }),
  /** US dollars. */
  cost: z.number(),
  /** Present while a turn runs. */
  running: z
    .object({
      turn: z.number(),
      since: z.number(),
      activity: ChatActivity,
      budget: z.object({ used: z.number(), limit: z.number() }).optional(),
    })
    .optional(),
  /** A slash command runs. */
  busy: z.boolean(),
  /** What was said to the running turn and has not reached it. */
  waiting: z.array(z.string()),
});
export type ChatStatus = z.infer<typeof ChatStatus>;

const ChatSnapshot = z.object({
  session: z.string(),
  source: z.string(),
  cwd: z.string().optional(),
  /** The newest; those before `first` can be asked for. */
  items: z.array(ChatItem),
  first: z.number(),
  status: ChatStatus,
  questions: z.array(ChatQuestion),
});
export type ChatSnapshot = z.infer<typeof ChatSnapshot>;

const CallDetail = z.object({
  name: z.string(),
  arguments: z.string(),
  /** Absent while it runs. */
  result: z.object({ text: z.string(), isError: z.boolean(), images: z.array(ChatImage) }).optional(),
});

const Said = z.strictObject({
  text: z.string().max(MOST_TEXT),
  images: z
    .array(ImagePart.omit({ type: true }))
    .max(MOST_IMAGES)
    .default([]),
});
export type SentImage = Omit<ImagePart, 'type'>;

/** One of the choices by its number, words of one's own, or none. */
const ChatAnswer = z.union([
  z.strictObject({ choice: z.int().min(0).max(100) }),
  z.strictObject({ text: z.string().trim().min(1).max(MOST_STEERED) }),
  z.strictObject({ none: z.literal(true) }),
]);
export type ChatAnswer = z.input<typeof ChatAnswer>;

const SlashCommand = z.object({ name: z.string(), usage: z.string(), summary: z.string() });
export type SlashCommand = z.infer<typeof SlashCommand>;

const Turn = z.object({ turn: z.int(), steered: z.boolean() });
/** Without one it is that of whoever opened the conversation. */
const language = Language.optional().catch(undefined).describe('`en` or `zh`: of questions and commands');
const inLanguage = z.object({ language });

/** Talking to the agent. Everybody has conversations of their own; the owner of the home also those of its terminal. */
export const CHAT = defineContracts({
  list: {
    method: 'GET',
    path: '/api/chat',
    access: 'write',
    summary: 'Your conversations, newest first',
    query: z.object({
      text: text().describe('with this in the title'),
      limit: upTo(MOST_LISTED, 50).describe('at most so many'),
    }),
    answer: z.array(ChatEntry),
  },
  begin: {
    method: 'POST',
    path: '/api/chat',
    access: 'write',
    summary: 'Begin a conversation; it is kept once something is said',
    body: z.strictObject({ language: Language.default('en') }).prefault({}),
    status: 201,
    answer: z.object({ session: z.string() }),
  },
  commands: {
    method: 'GET',
    path: '/api/chat/commands',
    access: 'write',
    summary: 'Slash commands',
    query: inLanguage,
    answer: z.array(SlashCommand),
  },
  events: {
    method: 'GET',
    path: '/api/chat/:session/events',
    access: 'write',
    summary: 'The conversation as server-sent events: a snapshot, then what changes',
    query: z.object({ after: text().describe('the place to go on from'), language }),
    events: {
      /** It takes the place of everything before it. */
      snapshot: ChatSnapshot,
      put: z.object({ index: z.number(), item: ChatItem }),
      /** Text behind that of an item. */
      grow: z.object({ index: z.number(), text: z.string() }),
      status: ChatStatus,
      questions: z.array(ChatQuestion),
    },
  },
  items: {
    method: 'GET',
    path: '/api/chat/:session/items',
    access: 'write',
    summary: 'What was shown before',
    query: z.object({
      before: whole().default(Number.MAX_SAFE_INTEGER).describe('the place of the first that is known'),
      limit: upTo(MOST_LISTED).describe('at most so many'),
      language,
    }),
    answer: z.array(ChatItem),
  },
  say: {
    method: 'POST',
    path: '/api/chat/:session/messages',
    access: 'write',
    maxBytes: MOST_BYTES,
    summary: 'Say something: begins a turn, or speaks to the one that runs',
    query: inLanguage,
    body: Said,
    status: 202,
    answer: Turn,
  },
  steer: {
    method: 'POST',
    path: '/api/chat/:session/steer',
    access: 'write',
    summary: 'Speak to the running turn; what comes too late begins the next',
    query: inLanguage,
    body: z.strictObject({ text: z.string().trim().min(1).max(MOST_STEERED) }),
    status: 202,
    answer: Turn,
  },
  stop: {
    method: 'POST',
    path: '/api/chat/:session/stop',
    access: 'write',
    summary: 'Interrupt the running turn',
    query: inLanguage,
    answer: z.object({ stopped: z.boolean() }),
  },
  command: {
    method: 'POST',
    path: '/api/chat/:session/command',
    access: 'write',
    summary: 'Run a slash command',
    query: inLanguage,
    body: z.strictObject({ line: z.string().trim().startsWith('/').max(MOST_STEERED) }),
    /** Where it leads: another session, a new conversation, or away. */
    answer: z.object({ session: z.string().optional(), go: z.enum(['new', 'list']).optional() }),
  },
  answer: {
    method: 'POST',
    path: '/api/chat/:session/answers/:question',
    access: 'write',
    summary: 'Answer a question; agreeing to something asks for the role approver',
    query: inLanguage,
    body: ChatAnswer,
    answer: z.object({ answered: z.boolean() }),
  },
  call: {
    method: 'GET',
    path: '/api/chat/:session/calls/:call',
    access: 'write',
    summary: 'Arguments and result of a call',
    query: inLanguage,
    answer: CallDetail,
  },
  image: {
    method: 'GET',
    path: '/api/chat/:session/messages/:message/images/:part',
    access: 'write',
    summary: 'A picture of a message',
    query: inLanguage,
    files: ImagePart.shape.mediaType.options,
  },
});
