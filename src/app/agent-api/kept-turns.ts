import { fail } from '#kit/app-error';
import { withoutFence } from '#kit/memory-fence';
import type { AgentEvent, Audience, Message, StoredMessage, Usage } from '#spec/data';
import type { SessionStore, Transcript } from '#spec/ports';
import { clientPartOf, isHandedOver } from './client-tools.ts';
import type { KeptItem, KeptTurn, TurnPlace } from './served.ts';

interface KeptDeps {
  readonly sessions: SessionStore;
  readonly transcript: Transcript;
  readonly audience: Audience;
  /** Names of tools that are no client's. */
  readonly ours: readonly string[];
  readonly isRunning: (place: TurnPlace) => boolean;
}

const EVER = ['active', 'archived'] as const;
const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

const notKept = (): Error => fail('input.not_found', 'There is no such response.');

/** Everything that is kept of the session of a turn. Throws `input.not_found` where it is not this user's, or not there. */
async function readSession({ session: id, turn }: TurnPlace, { sessions, transcript, audience }: KeptDeps) {
  const found = await sessions.get(id);
  if (!found || found.session.source !== audience.source || found.session.user !== audience.user)
    throw notKept();
  const facts = await transcript.facts(id, 0, Number.MAX_SAFE_INTEGER);
  // What a session was begun with has turns, too; nobody answered in them.
  const begun = new Map(
    facts.flatMap((fact) => (fact.type === 'turn.started' ? [[fact.data.turn, fact] as const] : [])),
  );
  const stored = await transcript.read(id, EVER);
  const own = stored.filter((message) => message.turn === turn && message.kind === 'plain');
  const started = begun.get(turn);
  if (!started || !own.length) throw notKept();
  return { ...found, facts, begun, stored, own, started };
}

/** A turn as it is kept, for whoever began it. */
export async function readKeptTurn(place: TurnPlace, deps: KeptDeps): Promise<KeptTurn> {
  const { session, prefix, facts, begun, stored, own, started } = await readSession(place, deps);
  const { instructions, tools } = clientPartOf(prefix, deps.ours);
  const theirs = new Set(tools.map(({ name }) => name));
  const answers = own.flatMap(({ message }) => (message.role === 'assistant' ? [message] : []));
  const before = [...begun.keys()].filter(
    (turn) => turn < place.turn && stored.some((each) => each.turn === turn),
  );
  const last = before.toSorted((a, b) => a - b).at(-1);
  return {
    ...place,
    createdAt: Date.parse(started.at),
    ...endOf(place, facts, deps.isRunning(place)),
    model: modelOf(answers.at(-1)) ?? session.model,
    instructions,
    tools,
    ...previousOf(last === undefined ? await parentOf(session, deps) : { ...place, turn: last }),
    input: inputOf(place.turn, stored, { last, theirs }),
    text: answers.map(textOf).filter(Boolean).join('\n\n'),
    calls: answers.flatMap(({ content }) =>
      content.flatMap((part) =>
        part.type === 'tool_call' && theirs.has(part.name)
          ? [{ id: part.id, name: part.name, arguments: part.arguments }]
          : [],
      ),
    ),
    usage: own.reduce((sum, { usage }) => addUsage(sum, usage), NOTHING),
  };
}

/**
 * Takes a turn out of its session: it is never sent or found again. With the last one the session goes, and everything
 * that was kept of it.
 */
export async function forgetKeptTurn(place: TurnPlace, deps: KeptDeps): Promise<void> {
  const { begun, stored, own } = await readSession(place, deps);
  if (deps.isRunning(place))
    throw fail('input.conflict', 'This response is being answered: cancel it first.');
  const others = [...begun.keys()].filter((turn) => turn !== place.turn);
  const isAlone = !others.some((turn) => stored.some((message) => message.turn === turn));
  if (isAlone) await deps.sessions.remove([place.session]);
  else {
    const ids = own.map(({ id }) => id);
    await deps.transcript.rewrite(place.session, { ids, state: 'undone', entries: [] }, []);
  }
}

const previousOf = (previous: TurnPlace | undefined): Pick<KeptTurn, 'previous'> =>
  previous ? { previous } : {};

/** Of a copy, the turn that it went on from. */
async function parentOf(
  { parent }: { readonly parent?: { readonly id: string; readonly seq: number } | undefined },
  { transcript }: KeptDeps,
): Promise<TurnPlace | undefined> {
  if (!parent) return undefined;
  const found = (await transcript.read(parent.id, EVER)).find(({ seq }) => seq === parent.seq);
  return found && { session: parent.id, turn: found.turn };
}

function endOf(
  { turn }: TurnPlace,
  facts: readonly AgentEvent[],
  isRunning: boolean,
): Pick<KeptTurn, 'status' | 'error'> {
  if (isRunning) return { status: 'running' };
  const ended = facts.findLast((fact) => fact.type === 'turn.ended' && fact.data.turn === turn);
  // Its process was killed in the middle.
  if (ended?.type !== 'turn.ended') return { status: 'aborted' };
  const { status, error } = ended.data;
  return { status, ...(error ? { error } : {}) };
}

/** What was said to begin a turn, results that had come back for it, and whatever its session was begun with. */
function inputOf(
  turn: number,
  stored: readonly StoredMessage[],
  { last, theirs }: { readonly last: number | undefined; readonly theirs: ReadonlySet<string> },
): readonly KeptItem[] {
  return stored.flatMap(({ id, turn: at, kind, message }): KeptItem[] => {
    if (kind !== 'plain' || at > turn) return [];
    const isGiven = last === undefined && at < turn;
    const isSaid = at === turn && message.role === 'user';
    const isResult =
      at === last && message.role === 'tool' && theirs.has(message.name) && !isHandedOver(message);
    return isGiven || isSaid || isResult ? [{ id, message: withoutReminder(message) }] : [];
  });
}

const withoutReminder = (message: Message): Message =>
  message.role === 'user' ? { ...message, content: [...withoutFence(message.content)] } : message;

const textOf = ({ content }: { readonly content: Message['content'] }): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const modelOf = (answer: Message | undefined): string | undefined =>
  answer?.role === 'assistant' ? `${answer.origin.provider}/${answer.origin.model}` : undefined;

const addUsage = (sum: Usage, more: Usage | undefined): Usage => ({
  input: sum.input + (more?.input ?? 0),
  output: sum.output + (more?.output ?? 0),
  cacheRead: sum.cacheRead + (more?.cacheRead ?? 0),
  cacheWrite: sum.cacheWrite + (more?.cacheWrite ?? 0),
  reasoning: sum.reasoning + (more?.reasoning ?? 0),
});
