import type { Assessment } from './assess.ts';

/** After this long a person may be asked again, also without having said anything. */
const HOLDS_MS = 60_000;
const MOST = 500;

interface RecentRefusals {
  remember(found: Assessment, turn: number | undefined): void;
  /** Whether somebody has refused exactly this call, in this turn and a short while ago. */
  has(found: Assessment, turn: number | undefined): boolean;
}

/** Keeps a model from asking for the same thing until somebody gives in. Where no turn is told, nothing is kept. */
export function recentRefusals(now: () => number): RecentRefusals {
  const refused = new Map<string, number>();
  const keyOf = ({ requester, digest }: Assessment, turn: number) => `${requester.session} ${turn} ${digest}`;
  return {
    remember: (found, turn) => {
      if (turn === undefined) return;
      const key = keyOf(found, turn);
      refused.delete(key);
      refused.set(key, now());
      const [oldest] = refused.keys();
      if (refused.size > MOST && oldest !== undefined) refused.delete(oldest);
    },
    has: (found, turn) => {
      const at = turn === undefined ? undefined : refused.get(keyOf(found, turn));
      return at !== undefined && now() - at < HOLDS_MS;
    },
  };
}
