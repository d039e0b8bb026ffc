import { toErrorRecord } from '#kit/app-error';
import type { Checkpoints } from '#spec/ports';

/** A turn that runs. `run` is one of its kind: numbers of turns come again after `/undo` and in other sessions. */
export interface RunningTurn {
  readonly run: string;
  readonly session: string;
  readonly turn: number;
}

export interface Kept {
  /** Why there is no way back behind this turn. */
  readonly problem?: string;
  /** Whether this was the first change of the turn. */
  readonly isFirst: boolean;
}

/** As many turns as may run side by side in one workspace before the oldest is taken for over. */
const MOST_RUNNING = 200;

/**
 * One checkpoint a turn, taken before its first change, to be awaited before every change. A workspace that cannot be
 * kept is worked in all the same: the answer says so. What failed is not tried again in the same turn, for the state
 * that it began with is gone by then.
 */
export function turnCheckpoints(checkpoints: Checkpoints): (turn: RunningTurn) => Promise<Kept> {
  const taken = new Map<string, Promise<string | undefined>>();
  const take = ({ session, turn }: RunningTurn): Promise<string | undefined> =>
    checkpoints.take({ kind: 'turn', session, turn }).then(
      () => undefined,
      (error: unknown) => toErrorRecord(error).message,
    );
  return async (turn) => {
    const known = taken.get(turn.run);
    const taking = known ?? take(turn);
    taken.set(turn.run, taking);
    for (const run of [...taken.keys()].slice(0, -MOST_RUNNING)) taken.delete(run);
    const problem = await taking;
    return { isFirst: known === undefined, ...(problem === undefined ? {} : { problem }) };
  };
}
