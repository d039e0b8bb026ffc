import type { Conversation } from '#engines/session';
import { scopesOf } from '#engines/memory';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { redact } from '#kit/redact';
import { settleAll } from '#kit/settle-all';
import type { Audience, Session, UserPart } from '#spec/data';
import { isStagedRule } from '../incidents/house-rules.ts';
import { connectConversation } from '../conversation/connect-conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { redactDeep } from '#kit/redact';
import type { ChatRoom, ChatSnapshot, ChatStatus } from './chat.ts';
import { type ChatLog, chatLog } from './chat-log.ts';
import { itemList } from './item-list.ts';
import { openQuestions } from './open-questions.ts';
import { pastItems } from './past-items.ts';
import { type CommandPlace, runCommand } from './run-command.ts';
import { storedCall, storedImage } from './stored-parts.ts';
import { turnRunner } from './turn-runner.ts';

type Needs = Pick<
  Dependencies,
  | 'answering'
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'env'
  | 'flows'
  | 'gate'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'log'
  | 'mcp'
  | 'memory'
  | 'models'
  | 'onClose'
  | 'openPlace'
  | 'plugins'
  | 'profile'
  | 'promptInputs'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'tracing'
>;

/** A snapshot has so many of the newest items. */
const SHOWN = 200;
/** What commands said is not stored: after so many of them, only the transcript is shown again. */
const MOST_COMMANDS = 200;

interface RoomOptions {
  /** The session to go on in; absent for a new one. */
  readonly stored?: Session | undefined;
  readonly audience: Audience;
  readonly cwd: string;
  readonly language: Language;
  readonly now: () => number;
  /** Whether there is room for one more turn in this process. Throws where there is none. */
  readonly admit: () => void;
  readonly mayGoTo: CommandPlace['mayGoTo'];
  /** The conversation has gone on in another session: this room is over. */
  readonly onMoved: () => void;
}

/** A room as the desk keeps it. */
export interface OpenRoom extends ChatRoom {
  readonly audience: Audience;
  readonly language: Language;
  /** Nothing has been said in it. */
  readonly isBlank: boolean;
  readonly isRunning: boolean;
  readonly isAsking: boolean;
  /** Nobody listens and nothing goes on. */
  readonly isIdle: boolean;
  readonly usedAt: number;
  /** Interrupts what runs, waits for it and ends what was opened for this conversation. */
  close(): Promise<void>;
}

/**
 * Holds one conversation open. Its turns run on their own, whoever listens. A conversation of another way in (a
 * terminal) is only read until somebody speaks: whoever may have it open there is not disturbed by a look.
 */
export async function openRoom(deps: Needs, options: RoomOptions): Promise<OpenRoom> {
  const { audience, language, now, stored } = options;
  const { transcript } = await deps.database();
  const secrets = (await deps.redactor()).secrets;
  const closers: (() => Promise<void>)[] = [];
  // What is opened for this conversation is closed with it, not with the home.
  const scoped: Needs = { ...deps, onClose: (close) => void closers.push(close) };
  let conversation: Conversation | undefined;
  let connecting: Promise<Conversation> | undefined;
  let starting = false;
  let command: AbortController | undefined;
  let work: Promise<unknown> = Promise.resolve();
  let usedAt = now();
  let status = '';
  let commandsRun = 0;
  let closed = false;

  const log: ChatLog = chatLog(() => snapshot(), now() * 1_000);
  const list = itemList(log);
  const questions = openQuestions({
    now,
    waitMs: deps.settings.gate.wait_s * 1_000,
    secrets,
    onChange: (open) => log.tell('questions', open),
  });
  const turns = turnRunner({
    list,
    now,
    secrets,
    onChange: () => tellStatus(),
    onEnd: () => {
      usedAt = now();
    },
  });

  const connect = (): Promise<Conversation> =>
    (connecting ??= connectConversation(scoped, {
      resume: stored?.id,
      audience,
      cwd: options.cwd,
      language,
      platform: 'console',
      caller: 'chat',
    }).then((opened) => {
      opened.onAsk(questions.ask);
      conversation = opened;
      return opened;
    }));
  const session = (): Session => (conversation?.session ?? stored) as Session;
  const statusNow = (): ChatStatus => {
    const { title, cost, model } = session();
    const answering = conversation ? conversation.model : model;
    return {
      ...(title === undefined ? {} : { title: redact(title, secrets) }),
      ...(answering === undefined ? {} : { model: answering }),
      context: conversation?.context ?? { used: 0, window: 0 },
      cost,
      ...(turns.running ? { running: turns.running } : {}),
      busy: command !== undefined,
      waiting: turns.waiting.map((text) => redact(text, secrets)),
    };
  };
  const tellStatus = (): void => {
    const next = statusNow();
    const written = JSON.stringify(next);
    if (written === status) return;
    status = written;
    log.tell('status', next);
  };
  const snapshot = (): ChatSnapshot => {
    const { id, source, cwd } = session();
    const first = Math.max(0, list.items.length - SHOWN);
    return {
      session: id,
      source,
      ...(cwd === undefined ? {} : { cwd }),
      items: list.items.slice(first),
      first,
      status: statusNow(),
      questions: questions.open,
    };
  };
  /** The transcript as it is stored now, for everybody. */
  const reload = async (): Promise<void> => {
    const { id } = session();
    const [messages, facts] = await Promise.all([
      transcript.read(id, ['active', 'archived']),
      transcript.facts(id, 0, Number.MAX_SAFE_INTEGER),
    ]);
    list.reset(redactDeep(pastItems(messages, facts), secrets));
    log.tell('snapshot', snapshot());
  };
  const skillDrafts = async (): Promise<readonly string[]> => {
    const { staged } = await deps.memory();
    const waiting = await staged.list(scopesOf({ audience, shared: false }));
    return waiting.flatMap(({ id, target }) => (target === 'skill' ? [id] : []));
  };
  const rulesAmong = async (ids: readonly string[]): Promise<readonly string[]> => {
    const { staged, store } = await deps.memory();
    const waiting = (await staged.list(scopesOf({ audience, shared: false }))).filter(isStagedRule);
    const kept = await store.list({ ids: [...ids], kinds: ['governance_rule'], limit: ids.length + 1 });
    return [...waiting, ...kept].flatMap(({ id }) => (ids.includes(id) || ids.includes('all') ? [id] : []));
  };
  /** Whoever held on to this room while it was closed has to come in again. */
  const mustBeOpen = (): void => {
    if (closed) throw fail('input.conflict', 'This conversation was just put away.', 'Send it again.');
  };
  const isBusy = () => starting || turns.running !== undefined;

  const begin = async (content: readonly UserPart[]): Promise<{ turn: number }> => {
    options.admit();
    starting = true;
    try {
      const opened = await connect();
      const turn = ((await opened.messages()).at(-1)?.turn ?? 0) + 1;
      work = turns.run(opened, content, turn);
      return { turn };
    } finally {
      starting = false;
    }
  };

  // Of our own conversations this process is the only one that has them open: what a killed one left is mended at once.
  if (!stored || stored.source === 'console') await connect();
  if (stored) await reload();
  const { id } = session();

  return {
    id,
    audience,
    language,
    get isBlank() {
      return !stored && list.items.length === 0;
    },
    get isRunning() {
      return isBusy();
    },
    get isAsking() {
      return questions.open.length > 0;
    },
    get isIdle() {
      return !isBusy() && command === undefined && log.listeners() === 0;
    },
    get usedAt() {
      return usedAt;
    },
    get commands() {
      return conversation?.commands ?? [];
    },
    async *listen(after, signal) {
      usedAt = now();
      try {
        yield* log.listen(after, signal);
      } finally {
        usedAt = now();
      }
    },
    earlier: (before, limit) => list.items.slice(Math.max(0, before - limit), before),
    say: async (content) => {
      usedAt = now();
      mustBeOpen();
      if (command) throw fail('input.conflict', 'A command is running in this conversation.');
      if (starting) throw fail('input.conflict', 'Another message is being sent in this conversation.');
      if (!turns.running || !conversation) return { ...(await begin(content)), steered: false };
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      if (content.some(({ type }) => type === 'image'))
        throw fail('input.conflict', 'A picture can be sent when the answer is complete.');
      turns.steer(conversation, text);
      return { turn: turns.running.turn, steered: true };
    },
    stop: () => {
      command?.abort();
      // First, or the calls that wait for an answer would hear that nobody gave one.
      const stopped = turns.stop();
      questions.dismiss();
      return stopped;
    },
    command: async (line, person) => {
      usedAt = now();
      mustBeOpen();
      if (isBusy() || command)
        throw fail('input.conflict', 'Commands wait until the answer is complete.', 'Stop it first.');
      const own = new AbortController();
      command = own;
      tellStatus();
      try {
        const place: CommandPlace = {
          list,
          reload,
          secrets,
          skillDrafts,
          rulesAmong,
          mayGoTo: options.mayGoTo,
        };
        const { outcome, resend } = await runCommand(line, person, await connect(), place, own.signal);
        command = undefined;
        if (++commandsRun % MOST_COMMANDS === 0) await reload();
        if (resend) await begin(resend);
        return outcome;
      } finally {
        command = undefined;
        tellStatus();
        if (session().id !== id) options.onMoved();
      }
    },
    answer: questions.answer,
    call: (call) => storedCall(transcript, session().id, call, secrets),
    image: (at) => storedImage(transcript, session().id, at),
    close: async () => {
      closed = true;
      command?.abort();
      turns.stop();
      questions.dismiss();
      await work;
      log.close();
      await settleAll(
        closers.splice(0).map((close) => close()),
        (thrown) =>
          deps.log.warn('part.failed', { part: 'closing a conversation', thrown, session: session().id }),
      );
    },
  };
}
