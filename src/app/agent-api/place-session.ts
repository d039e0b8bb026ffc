import { createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { Audience, FrozenPrefix, Message, Session, StoredMessage, UserPart } from '#spec/data';
import type { SessionStore, Transcript, TranscriptEntry } from '#spec/ports';
import { isHandedOver } from './client-tools.ts';
import { passingStores } from './passing-stores.ts';
import type { ServedRequest } from './served.ts';

interface Stores {
  readonly sessions: SessionStore;
  readonly transcript: Transcript;
}

/** A session that is ready for its next turn. */
export interface PlacedSession {
  readonly stores: Stores;
  readonly id: string;
  /** Number of the turn to come. */
  readonly turn: number;
  readonly isKept: boolean;
  /** What the user says in it; nothing when results have come that it goes on from. */
  readonly said: readonly UserPart[];
}

interface PlaceDeps {
  readonly kept: Stores;
  readonly audience: Audience;
  readonly cwd: string;
  readonly now: () => number;
  /** Made anew for every session. */
  readonly freeze: () => Promise<FrozenPrefix>;
  /** Whether a stored prefix is what this request asks for. */
  readonly fits: (prefix: FrozenPrefix) => boolean;
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Finds or makes the session that a request goes on in, with everything in it that comes before the turn. */
export async function placeSession(request: ServedRequest, deps: PlaceDeps): Promise<PlacedSession> {
  const { keeping, messages } = request;
  if (keeping.kind === 'passing') {
    const begun = messages.find(({ role }) => role === 'user');
    return begin(passingStores(), false, messages, deps, lastingId(request.user, begun));
  }
  if (keeping.kind === 'new') return begin(deps.kept, true, messages, deps);
  const { session, prefix, stored, isLast } = await findKept(keeping, deps);
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  if (keeping.kind === 'after' && !keeping.keep) {
    const all = withResults(stored, fresh).map(({ message }) => message);
    return begin(passingStores(), false, [...all, ...fresh.filter(isOfUser)], deps, session.id);
  }
  // The prefix of a session never changes: with other instructions or tools a copy goes on.
  if (!isLast || !deps.fits(prefix)) {
    const all = withResults(stored, fresh).map(({ message }) => message);
    const parent = { id: session.id, seq: stored.at(-1)?.seq ?? 0 };
    return begin(deps.kept, true, [...all, ...fresh.filter(isOfUser)], deps, newId('ses'), parent);
  }
  return goOn(session, stored, fresh, deps);
}

/**
 * The same for every request of a conversation that its client keeps, as far as its beginning tells: what is known of
 * a session (that strangers had a word in it) and the cache of the model hold for all of it.
 */
const lastingId = (user: string, begun: Message | undefined): string =>
  `ses_${createHash('sha256')
    .update(JSON.stringify([user, begun?.content]))
    .digest('hex')
    .slice(0, 24)}`;

async function begin(
  stores: Stores,
  isKept: boolean,
  messages: readonly Message[],
  { audience, cwd, now, freeze }: PlaceDeps,
  id = newId('ses'),
  parent?: Session['parent'],
): Promise<PlacedSession> {
  const { history, said } = splitSaid(messages);
  const at = now();
  const counts = { messages: 0, usage: NOTHING, cost: 0 };
  const session: Session = {
    ...audience,
    id,
    cwd,
    createdAt: at,
    updatedAt: at,
    ...counts,
    ...(parent ? { parent } : {}),
  };
  await stores.sessions.create(session, await freeze());
  let turn = 0;
  const entries = history.map((message) => {
    if (message.role === 'user' || turn === 0) turn++;
    return entryOf(message, turn, at);
  });
  if (entries.length) await stores.transcript.append(id, entries, []);
  return { stores, id, turn: turn + 1, isKept, said };
}

async function goOn(
  session: Session,
  stored: readonly StoredMessage[],
  fresh: readonly Message[],
  { kept, now }: PlaceDeps,
): Promise<PlacedSession> {
  const at = now();
  const { history, said } = splitSaid(fresh);
  for (const { id, turn, message } of withResults(stored, fresh)) {
    const before = stored.find((each) => each.id === id)?.message;
    if (message === before) continue;
    const change = { ids: [id], state: 'undone', entries: [entryOf(message, turn, at)] } as const;
    await kept.transcript.rewrite(session.id, change, []);
  }
  const last = stored.at(-1)?.turn ?? 0;
  const more = history.filter(isOfUser).map((message) => entryOf(message, last + 1, at));
  if (more.length) await kept.transcript.append(session.id, more, []);
  return { stores: kept, id: session.id, turn: last + 1 + (more.length ? 1 : 0), isKept: true, said };
}

async function findKept(
  keeping: Extract<ServedRequest['keeping'], { kind: 'session' | 'after' }>,
  { kept, audience }: PlaceDeps,
) {
  const id = keeping.kind === 'session' ? keeping.id : keeping.session;
  const found = await kept.sessions.get(id);
  const isTheirs = found?.session.source === audience.source && found.session.user === audience.user;
  if (!found || !isTheirs) throw fail('input.not_found', `There is no session '${id.slice(0, 100)}'.`);
  const all = await kept.transcript.read(id);
  const upTo = keeping.kind === 'after' ? keeping.turn : Number.POSITIVE_INFINITY;
  const stored = all.filter(({ turn }) => turn <= upTo);
  if (keeping.kind === 'after' && stored.at(-1)?.turn !== upTo)
    throw fail('input.not_found', 'The response to go on from is not kept.');
  // The number of a turn that was taken away is not given again: what goes on from before it goes on in a copy.
  const ever = await kept.transcript.read(id, ['active', 'archived', 'undone']);
  const isNewest = ever.every(({ turn }) => turn <= (all.at(-1)?.turn ?? 0));
  return {
    ...found,
    stored,
    isLast: stored.length === all.length && (keeping.kind === 'session' || isNewest),
  };
}

/** What is stored, with results that have come in the place of what stood in for them. */
function withResults(
  stored: readonly StoredMessage[],
  fresh: readonly Message[],
): readonly Pick<StoredMessage, 'id' | 'turn' | 'message'>[] {
  const results = new Map(
    fresh.flatMap((message) => (message.role === 'tool' ? [[message.callId, message] as const] : [])),
  );
  const mended = stored.map(({ id, turn, message }) => {
    const result = message.role === 'tool' && isHandedOver(message) ? results.get(message.callId) : undefined;
    if (!result || message.role !== 'tool') return { id, turn, message };
    results.delete(result.callId);
    return { id, turn, message: { ...result, name: message.name } };
  });
  const [unknown] = results.keys();
  if (unknown !== undefined)
    throw fail('input.invalid', `No call with the id '${unknown.slice(0, 100)}' waits for a result.`);
  return mended;
}

const isOfUser = ({ role }: Message): boolean => role === 'user';

function splitSaid(messages: readonly Message[]): { history: readonly Message[]; said: readonly UserPart[] } {
  const last = messages.at(-1);
  if (last?.role === 'user') return { history: messages.slice(0, -1), said: last.content };
  if (last?.role === 'tool') return { history: messages, said: [] };
  throw fail('input.invalid', 'The last message has to be one of the user, or the result of a tool.');
}

const entryOf = (message: Message, turn: number, at: number): TranscriptEntry => ({
  id: newId('msg'),
  turn,
  at,
  state: 'active',
  kind: 'plain',
  message,
});
