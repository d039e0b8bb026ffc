import type { ToolSet } from '#engines/agent';
import { tell } from '#kit/text';
import type { Language } from '#kit/language';
import { messageTokens } from '#kit/message-tokens';
import { nearest } from '#kit/nearest';
import type { AgentEvent, Audience, Session } from '#spec/data';
import type { AskUser, Checkpoints, Model } from '#spec/ports';
import type { ApprovalsDesk } from './approvals-desk.ts';
import { commands } from './commands.gen.ts';
import type { Conversation, SlashCommandInfo, SlashResult } from './conversation.ts';
import { COMPACTION, makeRoom, prefixTokens } from './make-room.ts';
import { type EndedTurn, liveEvent, type MessageDeps, runMessage } from './message-run.ts';
import { withoutReferences } from './references.ts';
import { SessionState, type Stores } from './session-state.ts';
import type { CommandScope, SlashCommand } from './slash-command.ts';

export interface ConversationDeps
  extends Omit<MessageDeps, 'ask' | 'draft' | 'takeSteering' | 'afterTurn' | 'tools' | 'modelFor'> {
  readonly stores: Stores;
  readonly audience: Audience;
  readonly cwd: string;
  readonly language: Language;
  readonly now: () => number;
  /** The tools of this place; whether somebody can be asked decides about some. */
  readonly toolsFor: (ask: AskUser | undefined) => Promise<ToolSet>;
  readonly modelFor: (text: string, override: string | undefined) => Promise<Model>;
  readonly answering: (override: string | undefined) => Promise<string | undefined>;
  /** Requests for agreement of the session that is named. */
  readonly deskFor: (session: string) => ApprovalsDesk;
  /** Absent where no workspace is kept. */
  readonly checkpoints: Checkpoints | undefined;
  /** Why there are none. */
  readonly noCheckpoints?: string | undefined;
  /** Commands that plugins bring, by name. */
  readonly moreCommands: Readonly<Record<string, SlashCommand>>;
  /** A command that is found only when it is typed, such as a skill. */
  readonly lateCommand?: (name: string) => Promise<SlashCommand | undefined>;
  readonly onTurn: (ended: EndedTurn) => void;
  /** The conversation goes on in another session than this one. */
  readonly onLeave?: (session: string) => void;
}

/** Opens a conversation: the stored one of that id, or a new one. Undefined when the id is not known. */
export async function openConversation(
  deps: ConversationDeps,
  options: { readonly resume?: string | undefined; readonly model?: string | undefined },
): Promise<Conversation | undefined> {
  const { stores, audience, cwd, now } = deps;
  const begin = () => SessionState.begin(stores, audience, cwd, now);
  const resumed = options.resume ? await SessionState.resume(stores, options.resume, now) : begin();
  if (!resumed) return undefined;

  let state = resumed;
  let override = options.model;
  let ask: AskUser | undefined;
  let answering = await deps.answering(override);
  let steering: string[] = [];
  const known = await loadCommands(deps.language, deps.moreCommands);

  const goOn = (next: SessionState): void => {
    const { id } = state.session;
    state = next;
    if (next.session.id !== id) deps.onLeave?.(id);
  };

  const scope = (signal: AbortSignal): CommandScope => ({
    get state() {
      return state;
    },
    language: deps.language,
    signal,
    desk: deps.deskFor(state.session.id),
    checkpoints: deps.checkpoints,
    noCheckpoints: deps.noCheckpoints,
    titleOf: async (id) => {
      const found = id === state.session.id ? state : await stores.sessions.get(id);
      return found && isOf(found.session, audience) ? found.session.title : undefined;
    },
    commands: known.map(({ info }) => info),
    begin: () => goOn(begin()),
    fork: async () => goOn(await state.fork()),
    resume: async (id) => {
      const found = await SessionState.resume(stores, id, now);
      if (found) goOn(found);
      return found !== undefined;
    },
    compress: async () => {
      const model = await deps.modelFor('', override);
      const events: AgentEvent[] = [];
      await makeRoom(
        state,
        model,
        deps.compaction ?? COMPACTION,
        'asked',
        signal,
        (type, data) => void events.push(liveEvent(state, type, data)),
        (event) => void events.push(event),
      );
      return events;
    },
    undo: () => undoTurn(state),
    model: async (ref) => {
      if (ref) {
        await deps.modelFor('', ref);
        override = ref;
        answering = await deps.answering(ref);
      }
      return answering;
    },
    breakdown: async () => breakdown(state),
  });

  return {
    get session() {
      return state.session;
    },
    get model() {
      return answering;
    },
    get context() {
      return state.context;
    },
    get total() {
      return { usage: state.session.usage, cost: state.session.cost };
    },
    messages: async () => state.messages,
    send: (content, signal) => {
      const running = state;
      const asking = ask;
      return runMessage(
        running,
        content,
        {
          ...deps,
          tools: () => deps.toolsFor(asking),
          ask,
          modelFor: (text) => deps.modelFor(text, override),
          draft: (text) => stores.transcript.draft(running.session.id, text),
          takeSteering: () => steering.splice(0),
          afterTurn: deps.onTurn,
        },
        signal,
      );
    },
    steer: (text) => {
      steering = [...steering, text];
    },
    onAsk: (asker) => {
      ask = asker;
    },
    commands: known.map(({ info }) => info),
    command: (line, signal) => runCommand(line, known, scope(signal), deps.lateCommand),
  };
}

interface Known {
  readonly info: SlashCommandInfo;
  readonly names: readonly string[];
  readonly command: SlashCommand;
}

const isOf = (session: Session, { source, user, chat }: Audience): boolean =>
  session.source === source && session.user === user && session.chat === chat;

async function loadCommands(
  language: Language,
  more: Readonly<Record<string, SlashCommand>>,
): Promise<Known[]> {
  const own = Object.entries(commands).map(async ([name, load]) => [name, await load()] as const);
  return [...(await Promise.all(own)), ...Object.entries(more)].map(([name, command]) => {
    const info = { name: `/${name}`, usage: command.usage ?? '', summary: command.summary[language] };
    return { info, command, names: [name, ...(command.aliases ?? [])] };
  });
}

async function runCommand(
  line: string,
  known: readonly Known[],
  scope: CommandScope,
  lateCommand: ConversationDeps['lateCommand'],
): Promise<SlashResult> {
  const [, name = '', args = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const found = known.find(({ names }) => names.includes(name.toLowerCase()));
  if (found) return found.command.run(args, scope);
  const late = await lateCommand?.(name.toLowerCase());
  if (late) return late.run(args, scope);
  const meant = nearest(
    name,
    known.flatMap(({ names }) => names),
  );
  const hint = meant ? tell(`Did you mean \`/${meant}\`?`, `是否想输入 \`/${meant}\`?`)[scope.language] : '';
  return {
    text: `${tell(`There is no command \`/${name}\`.`, `没有命令 \`/${name}\`。`)[scope.language]} ${hint} \`/help\``.trim(),
  };
}

async function undoTurn(state: SessionState) {
  const last = state.messages.findLast(({ message, kind }) => message.role === 'user' && kind === 'plain');
  if (last?.message.role !== 'user') return undefined;
  // A turn that has become part of a digest cannot be taken back, nor can one that stands before it.
  if (state.turn !== last.turn) return undefined;
  const ids = state.messages.filter(({ turn }) => turn === last.turn).map(({ id }) => id);
  await state.replace(ids, 'undone', [], []);
  return withoutReferences(last.message.content);
}

function breakdown(state: SessionState) {
  const sum = (role: string) =>
    state.messages.reduce((total, { message, kind }) => {
      const part = kind === 'digest' ? 'digest' : message.role;
      return total + (part === role ? messageTokens(message) : 0);
    }, 0);
  const { prefix } = state;
  return [
    { name: 'system prompt', tokens: prefixTokens(prefix && { ...prefix, tools: [] }) },
    { name: 'tools', tokens: prefixTokens(prefix && { ...prefix, system: [] }) },
    { name: 'digest', tokens: sum('digest') },
    { name: 'user', tokens: sum('user') },
    { name: 'assistant', tokens: sum('assistant') },
    { name: 'tool results', tokens: sum('tool') },
  ].filter(({ tokens }) => tokens > 0);
}
