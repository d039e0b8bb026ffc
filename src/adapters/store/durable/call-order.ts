import { fail } from '#kit/app-error';
import type { ErrorRecord } from '#spec/data';
import type { Call } from './journal.ts';

type Asked = Pick<Call, 'kind' | 'name'>;
export interface Place {
  readonly seq: number;
  /** What the journal has here; undefined where the flow is ahead of it. */
  readonly found: Call | undefined;
}

/**
 * Numbers the calls of one run in the order in which the flow makes them, and compares them with the journal. Calls
 * that are made together get their numbers together; a call that is made while some of them have ended and others have
 * not would get its number by chance, and is refused.
 */
export function callOrder(id: string, journal: readonly Call[]) {
  const bySeq = new Map(journal.map((call) => [call.seq, call]));
  const open = new Map<number, Asked>();
  let next = 0;
  let someEnded = false;
  return {
    begin: (asked: Asked): Place | ErrorRecord => {
      const [beside] = open.values();
      if (beside && someEnded) return overlaps(id, asked, beside);
      const seq = next++;
      const found = bySeq.get(seq);
      if (found && (found.kind !== asked.kind || found.name !== asked.name))
        return differs(id, seq, found, asked);
      open.set(seq, asked);
      return { seq, found };
    },
    settle: (seq: number): void => {
      open.delete(seq);
      someEnded = open.size > 0;
    },
    /** What is wrong with ending the flow now. */
    unfinished: (): ErrorRecord | undefined => {
      const [left] = open.values();
      if (left) return overlaps(id, undefined, left);
      const found = bySeq.get(next);
      return found && differs(id, next, found, undefined);
    },
  };
}

const named = (call: Asked | undefined): string => (call ? `${call.kind} '${call.name}'` : 'its end');

function differs(id: string, seq: number, found: Asked, asked: Asked | undefined): ErrorRecord {
  const { record } = fail(
    'internal',
    `Flow '${id}' took another way than before: call ${seq + 1} was ${named(found)} and is now ${named(asked)}`,
    'A flow may decide only by its input and by what its context gave it; a change of its calls needs a new version.',
  );
  const journalled = { kind: found.kind, name: found.name };
  const wanted = asked ? { kind: asked.kind, name: asked.name } : null;
  return { ...record, details: { seq, journalled, asked: wanted } };
}

function overlaps(id: string, asked: Asked | undefined, open: Asked): ErrorRecord {
  const { record } = fail(
    'internal',
    `Flow '${id}' came to ${named(asked)} while ${named(open)} was open, in an order that cannot be repeated`,
    'Start calls together, await all of them, and only then go on.',
  );
  return record;
}
