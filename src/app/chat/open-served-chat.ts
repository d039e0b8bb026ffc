import { existsSync } from 'node:fs';
import { AppError, fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { type KnownSecrets, redact } from '#kit/redact';
import type { Audience, Session } from '#spec/data';
import { localAudience } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { chatAudience, type ChatEntry, type ChatOptions, type ChatPerson, type ServedChat } from './chat.ts';
import { type OpenRoom, openRoom } from './open-room.ts';

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

/** Conversations that are held open at once, in all and of one person. Each has tools of its own. */
const MOST_OPEN = 64;
const MOST_OPEN_EACH = 16;
/** Turns that run at once. A model costs money, and a tool a process. */
const MOST_TURNS = 32;
/** One that nobody looks at for so long is closed; it is opened again as soon as somebody does. */
const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 60_000;

/** The conversations of a home, for people at a page. */
export function openServedChat(deps: Needs, { cwd }: ChatOptions): ServedChat {
  const now = Date.now;
  const rooms = new Map<string, Promise<OpenRoom>>();
  const opened = new Map<string, OpenRoom>();
  /** Whose rooms are being opened: they take a place as well. */
  const opening: string[] = [];
  /** New ones on their way, by person and language. */
  const beginning = new Map<string, Promise<OpenRoom>>();
  const all = () => [...opened.values()];

  const closing = new Set<Promise<void>>();
  /** From now on it can be opened again; what it learns from its last turn may take a while longer. */
  const close = (room: OpenRoom): void => {
    if (opened.get(room.id) !== room) return;
    opened.delete(room.id);
    rooms.delete(room.id);
    const ended = room.close().finally(() => closing.delete(ended));
    closing.add(ended);
  };
  const sweep = setInterval(() => {
    for (const room of all()) if (room.isIdle && room.usedAt < now() - IDLE_MS) close(room);
  }, SWEEP_MS);
  sweep.unref();
  deps.onClose(async () => {
    clearInterval(sweep);
    all().forEach(close);
    await Promise.allSettled(closing);
  });

  /** Makes place for one more: those that nobody looks at go first, the longest unused before the others. */
  const makePlace = (user: string): void => {
    const ofUser = all().filter(({ audience }) => audience.user === user);
    const coming = opening.filter((each) => each === user).length;
    const isFull = ofUser.length + coming >= MOST_OPEN_EACH;
    const full = isFull ? ofUser : opened.size + opening.length >= MOST_OPEN ? all() : undefined;
    if (!full) return;
    const [oldest] = full.filter(({ isIdle }) => isIdle).toSorted((one, other) => one.usedAt - other.usedAt);
    if (!oldest) throw tooMany(`${full.length} conversations are open already.`);
    close(oldest);
  };
  const admit = (): void => {
    if (all().filter(({ isRunning }) => isRunning).length >= MOST_TURNS)
      throw tooMany(`${MOST_TURNS} turns are running already.`);
  };
  const openFor = async (audience: Audience, language: Language, stored?: Session): Promise<OpenRoom> => {
    makePlace(audience.user);
    const folder = stored?.cwd !== undefined && existsSync(stored.cwd) ? stored.cwd : cwd;
    const given = { audience, language, stored, cwd: folder, now, admit };
    opening.push(audience.user);
    try {
      const room: OpenRoom = await openRoom(deps, {
        ...given,
        mayGoTo: async (person, id) => void (await find(person, id)),
        onMoved: () => close(room),
      });
      opened.set(room.id, room);
      return room;
    } finally {
      opening.splice(opening.indexOf(audience.user), 1);
    }
  };
  /** Everybody who begins at the same moment begins in the same one. */
  const openBlank = (user: string, language: Language): Promise<OpenRoom> => {
    const key = `${language} ${user}`;
    const known = beginning.get(key);
    if (known) return known;
    const coming = openFor(chatAudience(user), language)
      .then((room) => {
        rooms.set(room.id, Promise.resolve(room));
        return room;
      })
      .finally(() => beginning.delete(key));
    beginning.set(key, coming);
    return coming;
  };

  /** The stored session, where it is this person's to go on in. */
  const find = async (person: ChatPerson, id: string): Promise<Session> => {
    const found = (await (await deps.database()).sessions.get(id))?.session;
    if (!found || !isTheirs(found, person)) throw notFound(id);
    return found;
  };
  const keep = (id: string, room: Promise<OpenRoom>): Promise<OpenRoom> => {
    rooms.set(id, room);
    room.catch(() => rooms.delete(id));
    return room;
  };

  return {
    list: async (person, { text, limit }) => {
      const { sessions } = await deps.database();
      const secrets = (await deps.redactor()).secrets;
      const audiences = [chatAudience(person.user), ...(person.role === 'admin' ? [localAudience()] : [])];
      const found = await Promise.all(
        audiences.map((audience) => sessions.list({ audience, limit, ...(text ? { text } : {}) })),
      );
      return found
        .flat()
        .toSorted((one, other) => other.updatedAt - one.updatedAt)
        .slice(0, limit)
        .map((session) => entryOf(session, opened.get(session.id), secrets));
    },
    begin: async (person, language) => {
      const blank = all().find(
        (room) =>
          room.isBlank && !room.isRunning && room.audience.user === person.user && room.language === language,
      );
      return blank ?? openBlank(person.user, language);
    },
    room: async (person, id, language) => {
      const known = await rooms.get(id);
      if (known) {
        if (!isTheirs(known.audience, person)) throw notFound(id);
        const isOther = language !== undefined && known.language !== language;
        if (!isOther || known.isBlank || !known.isIdle) return known;
        close(known);
      }
      const session = await find(person, id);
      return rooms.get(id) ?? keep(id, openFor(audienceOf(session), language ?? 'en', session));
    },
  };
}

/** One's own, and for the owner of the home also those of its terminal. */
function isTheirs({ source, user, chat }: Audience, person: ChatPerson): boolean {
  const is = (other: Audience) => source === other.source && user === other.user && chat === other.chat;
  return is(chatAudience(person.user)) || (person.role === 'admin' && is(localAudience()));
}

const audienceOf = ({ source, user, chat }: Session): Audience => ({ source, user, chat });

const entryOf = (session: Session, room: OpenRoom | undefined, secrets: KnownSecrets): ChatEntry => ({
  id: session.id,
  title: redact(session.title ?? '', secrets),
  source: session.source,
  updatedAt: session.updatedAt,
  messages: session.messages,
  running: room?.isRunning ?? false,
  asking: room?.isAsking ?? false,
});

const notFound = (id: string) => fail('input.not_found', `There is no conversation '${id.slice(0, 100)}'.`);

const tooMany = (message: string) =>
  new AppError({ code: 'model.rate_limited', message, retry: { again: true, afterMs: 5_000 } });
