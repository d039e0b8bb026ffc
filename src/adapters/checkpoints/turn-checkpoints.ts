import { toErrorRecord } from '#kit/app-error';
import type { Checkpoints } from '#spec/ports';

/** One checkpoint a turn, taken before its first change. */
export interface TurnCheckpoints {
  /** A turn begins; the label says what for, such as the words of the user. */
  begin(label: string): void;
  /** To be awaited before every change. Gives the id when a checkpoint was taken just now. */
  beforeChange(): Promise<string | undefined>;
}

/** A workspace that cannot be kept is worked in all the same: the problem is told, once. */
export function turnCheckpoints(
  checkpoints: Checkpoints,
  onProblem: (problem: string) => void,
): TurnCheckpoints {
  let label = 'start';
  let taken: Promise<string | undefined> | undefined;
  let told = false;
  const take = async (): Promise<string | undefined> => {
    try {
      return await checkpoints.take(label);
    } catch (error) {
      if (!told) onProblem(toErrorRecord(error).message);
      told = true;
      return undefined;
    }
  };
  return {
    begin: (next) => {
      label = next;
      taken = undefined;
    },
    beforeChange: async () => {
      const first = taken === undefined;
      taken ??= take();
      const id = await taken;
      return first ? id : undefined;
    },
  };
}
