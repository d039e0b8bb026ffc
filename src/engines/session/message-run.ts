import {
  type Added,
  type BatchDeps,
  missingResults,
  type Permit,
  type Recorded,
  runTurn,
  type ToolSet,
} from '#engines/agent';
import { toErrorRecord } from '#kit/app-error';
import { type EventStream, eventStream } from '#kit/event-stream';
import { fence } from '#kit/memory-fence';
import { languageOf } from '#kit/language';
import { newId } from '#kit/new-id';
import type {
  AgentEvent,
  AgentEvents,
  AgentLive,
  FrozenPrefix,
  ModelInfo,
  ModelRequest,
  StoredMessage,
  ToolCallPart,
  UserMessage,
  UserPart,
} from '#spec/data';
import type { AskUser, Model, ToolContext, ToolPowers } from '#spec/ports';
import type { TurnResult } from './conversation.ts';
import { COMPACTION, type CompactionSettings, makeRoom } from './make-room.ts';
import { expandReferences, type ReferenceSources } from './references.ts';
import type { SessionState } from './session-state.ts';

/** What a message needs of the world around its session. */
export interface MessageDeps {
  /** The model that answers this text, fresh for the turn. */
  readonly modelFor: (text: string) => Promise<Model>;
  /** Loaded when a message comes: a chat that only opens needs none of them. */
  readonly tools: () => Promise<ToolSet>;
  /** Made once, when the first message of a session comes; never again. */
  readonly freeze: (
    info: ModelInfo,
    tools: ToolSet,
  ) => Promise<{ prefix: FrozenPrefix; notices: readonly string[] }>;
  /** What `@` references of a session read. */
  readonly references: (session: string) => ReferenceSources;
  readonly settings: Pick<ModelRequest, 'temperature' | 'thinking' | 'cacheTtl'> & {
    readonly maxOutput?: number;
  };
  readonly maxCalls: number;
  readonly compaction?: CompactionSettings;
  /** False: what the model says between its calls is not shown. */
  readonly interim?: boolean;
  readonly powers: ToolPowers;
  readonly ask: AskUser | undefined;
  readonly permit: Permit;
  /** Makes a tool's text fit to be sent and stored. */
  readonly present: BatchDeps['present'];
  readonly clean: BatchDeps['clean'];
  readonly draft: (text: string) => void;
  readonly takeSteering: () => readonly string[];
  /** What the user should know by now, each told once: it came up after the last turn. */
  readonly takeNotices: () => readonly string[];
  /** What is remembered that fits these words: it travels with the message and is shown to nobody. */
  readonly remind: (text: string, session: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Called when a turn is over, whatever came of it: indexing and learning happen there. */
  readonly afterTurn: (ended: EndedTurn) => void;
}

/** A turn as learning sees it. */
export interface EndedTurn {
  readonly session: string;
  readonly turn: number;
  readonly status: TurnResult['status'];
  readonly calls: number;
  /** What was said and done in it, in order. */
  readonly messages: readonly StoredMessage[];
}

/** One message, from its words to the last fact about it: load → assemble → loop → persist → learn. */
export function runMessage(
  state: SessionState,
  said: readonly UserPart[],
  deps: MessageDeps,
  signal: AbortSignal,
): EventStream<AgentEvent, TurnResult> {
  return eventStream<AgentEvent, TurnResult>(async (emit) => {
    const turn = state.turn + 1;
    const run = newId('run');
    const show = <K extends keyof AgentLive>(type: K, data: AgentLive[K]) =>
      emit(liveEvent(state, type, data));
    const record = async (added: readonly Added[], facts: readonly Recorded[]) => {
      const entries = added.map(({ message, kind, usage, cost }) =>
        state.entry(message, turn, {
          ...(kind ? { kind } : {}),
          ...(usage ? { usage } : {}),
          ...(cost === undefined ? {} : { cost }),
        }),
      );
      (await state.append(entries, facts)).forEach(emit);
    };
    const finish = async (
      result: TurnResult & { error?: ReturnType<typeof toErrorRecord> },
    ): Promise<TurnResult> => {
      const { status, calls, error } = result;
      const data = { turn, status, calls, ...(error ? { error } : {}) };
      if (state.started) await record([], [{ type: 'turn.ended', data }]);
      // A session that never began has nothing to be stored with, but its listeners still hear how it ended.
      else emit(liveEvent(state, 'turn.ended', data));
      const messages = state.messages.filter((message) => message.turn === turn);
      deps.afterTurn({ session: state.session.id, turn, status, calls, messages });
      return result;
    };
    try {
      const text = textOf(said);
      const [model, tools] = await Promise.all([deps.modelFor(text), deps.tools()]);
      const expanded = await expandReferences(
        said,
        deps.references(state.session.id),
        model.info.contextWindow,
        signal,
      );
      for (const notice of [...deps.takeNotices(), ...expanded.notices]) show('notice', { text: notice });
      if (!state.started) {
        const { prefix, notices } = await deps.freeze(model.info, tools);
        await state.start(prefix);
        for (const notice of notices) show('notice', { text: notice });
      }
      // Nothing said: the turn goes on from what is there, such as results that have come in.
      const reminder = said.length ? await deps.remind(text, state.session.id, signal) : undefined;
      const content = reminder ? [...expanded.content, fence(reminder)] : [...expanded.content];
      const message: UserMessage = { role: 'user', content };
      await record(content.length ? [{ message }] : [], [{ type: 'turn.started', data: { turn, text } }]);
      if (!state.session.title) await state.name(titleOf(text));
      await state.answeredBy(`${model.info.provider}/${model.info.model}`);

      const outcome = await runTurn(
        {
          model,
          prefix: state.prefix as FrozenPrefix,
          tools,
          settings: {
            ...deps.settings,
            maxOutput: Math.min(deps.settings.maxOutput ?? Number.POSITIVE_INFINITY, model.info.maxOutput),
            cacheKey: state.session.id,
          },
          maxCalls: deps.maxCalls,
          history: () => state.history(),
          record: async (added, facts) => {
            for (const fact of facts) {
              if (fact.type === 'usage.recorded')
                state.context = { used: fact.data.context, window: fact.data.window };
            }
            await record(added, facts);
          },
          draft: deps.draft,
          show,
          interim: deps.interim ?? true,
          permit: deps.permit,
          scope: {
            session: state.session.id,
            turn,
            run,
            tell: (notice) => show('notice', { text: notice }),
            ask: deps.ask,
            signal,
          },
          present: deps.present,
          clean: deps.clean,
          contextFor: (call) => toolContext(state, deps, call, text, signal, show, record),
          makeRoom: (reason) =>
            makeRoom(state, model, deps.compaction ?? COMPACTION, reason, signal, show, emit),
          takeSteering: deps.takeSteering,
        },
        signal,
      );
      return await finish(outcome);
    } catch (thrown) {
      const open = missingResults(state.history());
      if (open.length)
        await record(
          open.map((message) => ({ message })),
          [],
        );
      return await finish({
        status: 'failed',
        calls: 0,
        leftover: deps.takeSteering(),
        error: toErrorRecord(thrown),
      });
    }
  });
}

function toolContext(
  state: SessionState,
  deps: MessageDeps,
  call: ToolCallPart,
  said: string,
  signal: AbortSignal,
  show: <K extends keyof AgentLive>(type: K, data: AgentLive[K]) => void,
  record: (added: readonly Added[], facts: readonly Recorded[]) => Promise<void>,
): Omit<ToolContext, 'callTool'> {
  const { source, user, chat, id } = state.session;
  return {
    ...deps.powers,
    call: call.id,
    session: id,
    ...(said.trim() === '' ? {} : { language: languageOf(said) }),
    audience: { source, user, chat },
    signal,
    ...(deps.ask ? { ask: deps.ask } : {}),
    todos: {
      read: () => state.todos,
      write: (todos) => {
        state.todos = todos;
        record([], [{ type: 'plan.changed', data: { todos } }]).catch((thrown: unknown) =>
          show('notice', { text: `The plan could not be stored: ${toErrorRecord(thrown).message}` }),
        );
      },
    },
    update: (text) => show('tool.update', { call: call.id, text }),
  };
}

/** An event outside the record: it carries the number of the fact before it. */
export function liveEvent(state: SessionState, type: keyof AgentEvents, data: unknown): AgentEvent {
  const event = {
    id: newId('ev'),
    seq: state.seq,
    at: new Date().toISOString(),
    stream: state.session.id,
    type,
    data,
  };
  return event as AgentEvent;
}

const textOf = (content: readonly UserPart[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line || 'untitled';
}
