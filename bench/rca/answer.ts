import type { Rca, Telemetry } from '#spec/data';

/** What one diagnosis says, in the words of the benchmark. */
export interface Answer {
  /** Services or change ids, the likeliest first; empty or `none` first where nobody is to blame. */
  readonly ranked: readonly string[];
  /** The change that would be undone. */
  readonly rollback: string | undefined;
  readonly confidence: number;
}

/** Where changes are known the question is which of them, if any; elsewhere it is which service. */
export type Asked = 'change' | 'service';
export const askedOf = ({ changes }: Telemetry): Asked => (changes ? 'change' : 'service');

/** A first hypothesis that blames no change, or no service, is the answer `none`. */
export function answerOf({ status, hypotheses }: Rca, asked: Asked): Answer {
  const [first] = hypotheses;
  const confidence = first?.confidence ?? 0;
  if (status === 'no_incident' || !first) return { ranked: [], rollback: undefined, confidence };
  const named = hypotheses.map((hypothesis) => hypothesis[asked]).filter((name) => name !== undefined);
  return {
    ranked: first[asked] === undefined ? ['none'] : [...new Set(named)],
    rollback: first.undo ? first.change : undefined,
    confidence,
  };
}
