import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '#spec/ports';

/** Somebody who has a token, and what their sessions are signed with. */
export interface TokenHolder {
  readonly principal: Principal;
  /** The token, or its hash where that is all we have. Who reads the home could sign with it: a session alone proves nobody. */
  readonly key: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
}

export interface Session {
  readonly holder: TokenHolder;
  /** The same for as long as somebody is signed in. */
  readonly family: string;
  /** Changes with every renewal. */
  readonly id: string;
  readonly issuedAt: number;
  readonly endsAt: number;
  /** It began over TLS: its cookie never goes out without. */
  readonly secure: boolean;
  /** It was begun by a person since this server started. Remembered here and nowhere else. */
  readonly person: boolean;
  /** What has to come along with everything that changes something. */
  readonly csrf: string;
}

export interface Sessions {
  begin(holder: TokenHolder, secure: boolean, person: boolean): Session;
  /** The session that a cookie stands for; undefined when it is forged, over, ended or of a former token. */
  read(value: string): Session | undefined;
  /** The same session under a new id when its id has become old; the old one holds a little longer. */
  renew(session: Session): Session | undefined;
  end(session: Session): void;
  value(session: Session): string;
}

/** Sessions that were ended before their time, so that they stay ended after a restart. */
export interface EndedSessions {
  readonly known: ReadonlyMap<string, number>;
  /** Told with all that are ended, by family and until when it matters. */
  keep(ended: ReadonlyMap<string, number>): void;
}

const LASTS_MS = 12 * 3_600_000;
const RENEW_MS = 3_600_000;
/** Requests that were on their way when an id was renewed. */
const GRACE_MS = 60_000;
const MOST_REMEMBERED = 10_000;
export const SESSION_SECONDS = LASTS_MS / 1_000;

/**
 * Sessions of browsers. A cookie is signed with a key that is made of its holder's token: it outlives a restart, and no
 * other change than a new token is needed to end all sessions of somebody. Roles are not in it: they are those of now.
 */
export function openSessions(
  holders: readonly TokenHolder[],
  now: () => number,
  book?: EndedSessions,
): Sessions {
  const byName = new Map(holders.map((holder) => [nameOf(holder), holder]));
  const ended = new Map(book?.known);
  const renewed = new Map<string, number>();
  /** Families that persons began, and until when they last. */
  const proven = new Map<string, number>();

  const session = (holder: TokenHolder, fields: Omit<Session, 'holder' | 'csrf' | 'person'>): Session => ({
    holder,
    ...fields,
    person: proven.has(fields.family),
    csrf: sign(holder, `csrf ${fields.family}`),
  });
  return {
    begin(holder, secure, person) {
      const at = now();
      const [family, endsAt] = [fresh(), at + LASTS_MS];
      if (person) {
        proven.set(family, endsAt);
        forget(proven, at);
      }
      return session(holder, { family, id: fresh(), issuedAt: at, endsAt, secure });
    },
    read(value) {
      const [version, payload = '', mac = '', ...rest] = value.split('.');
      if (version !== VERSION || rest.length > 0) return undefined;
      const fields = readFields(payload);
      const holder = fields && byName.get(fields.name);
      if (!holder || !same(mac, sign(holder, `session ${payload}`))) return undefined;
      const { family, id, issuedAt, endsAt, secure } = fields;
      if (endsAt <= now() || ended.has(family) || (renewed.get(id) ?? Infinity) <= now()) return undefined;
      return session(holder, { family, id, issuedAt, endsAt, secure });
    },
    renew(old) {
      if (now() - old.issuedAt < RENEW_MS) return undefined;
      renewed.set(old.id, Math.min(renewed.get(old.id) ?? Infinity, now() + GRACE_MS));
      forget(renewed, now() - LASTS_MS);
      const { holder, family, endsAt, secure } = old;
      return session(holder, { family, id: fresh(), issuedAt: now(), endsAt, secure });
    },
    end({ family, endsAt }) {
      ended.set(family, endsAt);
      proven.delete(family);
      forget(ended, now());
      book?.keep(ended);
    },
    value({ holder, family, id, issuedAt, endsAt, secure }) {
      const fields = JSON.stringify([nameOf(holder), family, id, issuedAt, endsAt, secure]);
      const payload = Buffer.from(fields).toString('base64url');
      return `${VERSION}.${payload}.${sign(holder, `session ${payload}`)}`;
    },
  };
}

const VERSION = 'v1';
const fresh = (): string => randomBytes(18).toString('base64url');
const nameOf = ({ principal }: TokenHolder): string => `${principal.channel}:${principal.user}`;

function sign(holder: TokenHolder, text: string): string {
  const key = createHmac('sha256', holder.key).update('hermes sessions of a browser').digest();
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** In a time that tells nothing but the length. */
export function same(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function readFields(payload: string) {
  try {
    const read = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown;
    if (!Array.isArray(read) || read.length !== 6) return undefined;
    const [name, family, id, issuedAt, endsAt, secure] = read as unknown[];
    if (typeof name !== 'string' || typeof family !== 'string' || typeof id !== 'string') return undefined;
    if (typeof issuedAt !== 'number' || typeof endsAt !== 'number') return undefined;
    return { name, family, id, issuedAt, endsAt, secure: secure === true };
  } catch {
    // Not one of ours.
    return undefined;
  }
}

/** What is older than `before` no longer matters; beyond the most, the oldest goes. */
function forget(kept: Map<string, number>, before: number): void {
  for (const [key, at] of kept) if (at < before || kept.size > MOST_REMEMBERED) kept.delete(key);
}
