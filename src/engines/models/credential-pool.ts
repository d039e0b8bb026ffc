import type { ErrorRecord } from '#spec/data';
import type { Credential, CredentialBook, CredentialState, CredentialStates } from '#spec/ports';

export type PoolStrategy = 'fill_first' | 'round_robin' | 'random' | 'least_used';

const MINUTE = 60_000;
/** How long a credential rests when the vendor does not say. */
const REST_MS: Readonly<Partial<Record<ErrorRecord['code'], number>>> = {
  'model.auth': 60 * MINUTE,
  'model.permission': 60 * MINUTE,
  'model.billing': 60 * MINUTE,
  'model.rate_limited': 5 * MINUTE,
};

export interface Pool {
  readonly provider: string;
  readonly credentials: readonly Credential[];
  readonly strategy: PoolStrategy;
  readonly book: CredentialBook;
  readonly now: () => number;
  readonly random: () => number;
}

/** The credentials that may be used now, best first: rested, and not in `tried`. */
export async function usable(pool: Pool, tried: ReadonlySet<string>): Promise<Credential[]> {
  const states = await pool.book.read(pool.provider);
  const now = pool.now();
  const rested = pool.credentials.filter(({ id }) => !tried.has(id) && (states[id]?.restsUntil ?? 0) <= now);
  return order(rested, states, pool);
}

/** The credential whose rest ends first: better than none when nothing else is left. */
export async function soonestRested(pool: Pool, tried: ReadonlySet<string>): Promise<Credential | undefined> {
  const states = await pool.book.read(pool.provider);
  const left = pool.credentials.filter(({ id }) => !tried.has(id));
  return left.toSorted((a, b) => (states[a.id]?.restsUntil ?? 0) - (states[b.id]?.restsUntil ?? 0))[0];
}

function order(
  credentials: Credential[],
  states: CredentialStates,
  { strategy, random }: Pool,
): Credential[] {
  const state = ({ id }: Credential): CredentialState => states[id] ?? { uses: 0 };
  switch (strategy) {
    case 'fill_first':
      return credentials;
    case 'round_robin':
      return credentials.toSorted((a, b) => (state(a).lastUsedAt ?? 0) - (state(b).lastUsedAt ?? 0));
    case 'least_used':
      return credentials.toSorted((a, b) => state(a).uses - state(b).uses);
    case 'random': {
      const first = Math.floor(random() * credentials.length);
      return [...credentials.slice(first), ...credentials.slice(0, first)];
    }
  }
}

/**
 * Remembers that a credential was used, and how long it rests when the vendor turned it away.
 * A lone credential is not counted: there is nothing to choose, and a call should not wait for a disk.
 */
export async function recordUse(pool: Pool, credential: Credential, error?: ErrorRecord): Promise<void> {
  const now = pool.now();
  const rest = error && restMs(error);
  if (!rest && pool.credentials.length === 1) return;
  await pool.book.update(pool.provider, credential.id, (state) => ({
    uses: state.uses + 1,
    lastUsedAt: now,
    ...(rest ? { restsUntil: now + rest, restsBecause: error.code } : {}),
  }));
}

function restMs(error: ErrorRecord): number | undefined {
  const usual = REST_MS[error.code];
  return usual === undefined ? undefined : (error.retry.afterMs ?? usual);
}
