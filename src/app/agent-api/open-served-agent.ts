import { AppError, fail } from '#kit/app-error';
import { type EventStream, eventStream } from '#kit/event-stream';
import type { Language } from '#kit/language';
import type { Message } from '#spec/data';
import { type Desk, openDesk } from '../conversation/open-desk.ts';
import { freezePrefix } from '../conversation/freeze-prefix.ts';
import type { Dependencies } from '../dependencies.ts';
import { hookedModel } from '../conversation/hooked.ts';
import { clientModel } from './client-model.ts';
import { clientTool, hasClientPart, withClientPart, withClientTools } from './client-tools.ts';
import { converse } from './converse.ts';
import { forgetKeptTurn, readKeptTurn } from './kept-turns.ts';
import { modelNames, servedModels } from './name-model.ts';
import { parkedTurns } from './parked-turns.ts';
import { placeSession } from './place-session.ts';
import { readTurn } from './read-turn.ts';
import { runningTurns } from './running-turns.ts';
import type { Ending, ServedAgent, ServedEvent, ServedRequest, ServedTurn } from './served.ts';

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
  | 'providerNames'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'tracing'
>;

export interface ServedAgentOptions {
  /** The folder that tools work in. */
  readonly cwd: string;
  readonly language: Language;
}

/** The way in, as audiences, platforms and callers name it. */
const SOURCE = 'api';

/** One for each user, shared by all its requests. */
const deskOptions = (options: ServedAgentOptions, user: string) => ({
  ...options,
  audience: { source: SOURCE, user, chat: SOURCE },
  caller: 'api' as const,
});

const HOOK_MS = 30_000;
/** Turns that run at once. A model costs money, and a tool a process. */
const MOST_TURNS = 32;

/** The agent of a home, for programs: nobody can be asked, so what needs agreement is denied. */
export function openServedAgent(deps: Needs, options: ServedAgentOptions): ServedAgent {
  const desks = new Map<string, Promise<Desk>>();
  const nameOf = modelNames(deps);
  const parked = parkedTurns(Date.now);
  const busy = new Set<string>();
  const turns = runningTurns();
  let running = 0;

  /** One turn at a time in a session. Where another may go on from the same place, it goes on in a copy. */
  const take = ({ keeping, user }: ServedRequest): Seat => {
    const named = keeping.kind === 'session' ? keeping.id : keeping.kind === 'after' ? keeping.session : '';
    // Of each by themselves: whose session it is, is found out later, and nobody is to be kept out of their own.
    const id = named && JSON.stringify([user, named]);
    const isFree = !busy.has(id);
    if (!isFree && keeping.kind === 'session')
      throw fail('input.conflict', `The session '${named}' is answering another request.`);
    if (running >= MOST_TURNS) throw tooMany();
    running++;
    if (id && isFree) busy.add(id);
    return {
      isFree,
      leave: () => {
        running--;
        if (isFree) busy.delete(id);
      },
    };
  };

  const deskOf = (user: string): Promise<Desk> => {
    const known = desks.get(user) ?? openDesk(deps, deskOptions(options, user));
    desks.set(user, known);
    known.catch(() => desks.delete(user));
    return known;
  };

  /** The model and the tools of one request, the client's own among them. */
  const equip = async (request: ServedRequest, { toolbox, toolsFor }: Desk) => {
    const override = await nameOf(request.model);
    const { model } = await (await deps.models(override)).turn(lastWords(request.messages));
    const issued = new Set<string>();
    let capped = false;
    const theirs = request.tools.map((spec) => clientTool(spec, (id) => issued.has(id)));
    const { tools: ours } = await toolsFor(undefined);
    return {
      ours,
      tools: withClientTools(ours, theirs),
      isCapped: () => capped,
      model: clientModel(hookedModel(model, toolbox.plugins.runHooks), {
        capped: request.settings.maxOutput !== undefined,
        onCall: (id) => issued.add(id),
        onCapped: () => {
          capped = true;
        },
      }),
    };
  };

  const place = async (request: ServedRequest, desk: Desk, { model, ours }: Equipment, isFree: boolean) => {
    const { user, instructions, tools: specs } = request;
    const { cwd } = options;
    const { mind, audience } = desk;
    const placing = {
      kept: await deps.database(),
      audience,
      cwd,
      now: Date.now,
      freeze: async () => {
        const made = await freezePrefix(deps, {
          cwd,
          platform: SOURCE,
          mind,
          info: model.info,
          tools: ours,
          notices: [],
        });
        return withClientPart(made.prefix, instructions, specs);
      },
      fits: (prefix: Parameters<typeof hasClientPart>[0]) =>
        isFree && hasClientPart(prefix, instructions, specs, ours.names),
    };
    return placeSession({ ...request, messages: parked.restore(user, request.messages) }, placing);
  };
  type Equipment = Awaited<ReturnType<typeof equip>>;

  /** Runs the turn to its end, whoever listens, and closes its books. */
  const begin = async (
    request: ServedRequest,
    signal: AbortSignal,
    { isFree, leave }: Seat,
  ): Promise<Pick<ServedTurn, 'kept'> & { stream: EventStream<ServedEvent, Ending> }> => {
    const desk = await deskOf(request.user);
    const equipment = await equip(request, desk);
    const placed = await place(request, desk, equipment, isFree);
    const { runHooks } = desk.toolbox.plugins;
    const told = { session: placed.id, platform: SOURCE };
    const { veto } = await runHooks('session.start', told, AbortSignal.timeout(HOOK_MS));
    if (veto) throw fail('tool.refused', `The plugin ${veto.plugin} does not allow it: ${veto.reason}`);
    const { model, tools, isCapped } = equipment;
    const { send, steps } = await converse({ deps, desk, placed, model, tools, request });
    const clientTools = new Set(request.tools.map(({ name }) => name));
    const { id: session, turn } = placed;
    const answering = turns.begin({ session, turn }, signal);
    const stream = eventStream<ServedEvent, Ending>(async (emit) => {
      let ending: Ending = { status: 'aborted', usage: NOTHING };
      for await (const event of readTurn(send(answering.signal), { clientTools, isCapped })) {
        if (event.type === 'ended') ending = event.ending;
        else emit(event);
      }
      // Before the client hears of the end, or it could come back too early.
      if (!placed.isKept && ending.status === 'done' && ending.calls.length)
        parked.keep(
          request.user,
          ending.calls.map(({ id }) => id),
          await steps(),
        );
      leave();
      answering.end();
      emit({ type: 'ended', ending });
      await runHooks('session.end', told, AbortSignal.timeout(HOOK_MS));
      return ending;
    });
    return { stream, ...(placed.isKept ? { kept: { session, turn } } : {}) };
  };

  const keptDeps = async (user: string) => {
    const { toolbox, audience } = await deskOf(user);
    const { sessions, transcript } = await deps.database();
    const { tools } = await toolbox.toolsFor(undefined);
    return { sessions, transcript, audience, ours: tools.names, isRunning: turns.isRunning };
  };

  return {
    models: () => servedModels(deps),
    run: async (request, signal) => {
      const seat = take(request);
      const { stream, ...turn } = await begin(request, signal, seat).catch((thrown: unknown) => {
        seat.leave();
        throw thrown;
      });
      return { ...turn, events: await fromFirstSign(stream) };
    },
    kept: async (user, turn) => readKeptTurn(turn, await keptDeps(user)),
    forget: async (user, turn) => forgetKeptTurn(turn, await keptDeps(user)),
    interrupt: async (user, turn) => {
      const own = await keptDeps(user);
      await readKeptTurn(turn, own);
      await turns.interrupt(turn);
      return readKeptTurn(turn, own);
    },
  };
}

interface Seat {
  /** Whether nobody else is at the session. */
  readonly isFree: boolean;
  leave(): void;
}

/** Waits until there is something to tell. What failed before is thrown: nothing has been said yet. */
async function fromFirstSign(stream: AsyncIterable<ServedEvent>): Promise<AsyncIterable<ServedEvent>> {
  const iterator = stream[Symbol.asyncIterator]();
  const early: ServedEvent[] = [];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) break;
    early.push(value);
    if (value.type === 'ended' && value.ending.status === 'failed') throw new AppError(value.ending.error);
    if (value.type !== 'progress' || value.progress.type !== 'notice') break;
  }
  return (async function* () {
    yield* early;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

const tooMany = () =>
  new AppError({
    code: 'model.rate_limited',
    message: `${MOST_TURNS} turns are running already.`,
    retry: { again: true, afterMs: 1_000 },
  });

const lastWords = (messages: readonly Message[]): string => {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
};
