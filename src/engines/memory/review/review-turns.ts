import { toErrorRecord } from '#kit/app-error';
import type { Tool } from '#spec/ports';
import type { MemoryWriter } from '../memory-writer.ts';
import { decideWrites, type ReviewedTurn } from './decide-writes.ts';
import { type ReviewRequest, reviewRequest } from './review-request.ts';

/** Runs a review with a model: only these tools, until it is done or the signal aborts. Tells what was written. */
export type RunReview = (
  request: ReviewRequest,
  tools: readonly Tool[],
  signal: AbortSignal,
) => Promise<{ readonly written: readonly string[] }>;

interface ReviewReport {
  readonly by: 'model' | 'rules';
  readonly turns: number;
  /** One line for each write that was made or staged. */
  readonly written: readonly string[];
  /** It was given up for a new turn; the turns are looked at again next time. */
  readonly cancelled: boolean;
  readonly error?: string;
}

export interface ReviewDeps {
  /** After so many turns of the user. */
  readonly every?: number;
  readonly writer: MemoryWriter;
  /** Memory and skill tools; nothing else is ever given to a review. */
  readonly tools: () => readonly Tool[];
  /** Absent without a model: then the rules decide. */
  readonly runReview?: RunReview;
}

export interface Reviewer {
  /** To be called when a turn is over and went well. Tells whether a review is due. */
  ended(turn: ReviewedTurn): boolean;
  /** Looks back at the turns since the last review. Two never run at once. */
  review(): Promise<ReviewReport>;
  /** A new turn begins: a review that runs is given up, its turns wait for the next one. */
  began(): void;
  /** The model kept something by itself: the next review can wait. */
  wrote(): void;
}

const EVERY = 10;
/** Turns that wait are kept up to here, when reviews keep being given up. */
const MOST_WAITING = 40;

export function reviewTurns({ every = EVERY, writer, tools, runReview }: ReviewDeps): Reviewer {
  let waiting: ReviewedTurn[] = [];
  let since = 0;
  let running: { readonly abort: AbortController; readonly done: Promise<ReviewReport> } | undefined;

  const byRules = async (turns: readonly ReviewedTurn[], signal: AbortSignal): Promise<string[]> => {
    const written: string[] = [];
    for (const write of turns.flatMap(decideWrites)) {
      if (signal.aborted) break;
      const { ok, text } = await (write.to === 'notebook'
        ? writer.notebook(write.edit)
        : writer.entry(write.telling));
      if (ok) written.push(text);
    }
    return written;
  };

  const run = async (signal: AbortSignal): Promise<ReviewReport> => {
    const turns = waiting;
    waiting = [];
    since = 0;
    const by = runReview ? 'model' : 'rules';
    const last = turns.at(-1);
    if (!last) return { by, turns: 0, written: [], cancelled: false };
    try {
      const written = runReview
        ? (await runReview(reviewRequest(turns, last.session), tools(), signal)).written
        : await byRules(turns, signal);
      if (signal.aborted) putBack(turns);
      return { by, turns: turns.length, written, cancelled: signal.aborted };
    } catch (thrown) {
      putBack(turns);
      const report = { by, turns: turns.length, written: [], cancelled: signal.aborted } as const;
      return signal.aborted ? report : { ...report, error: toErrorRecord(thrown).message };
    }
  };

  const putBack = (turns: readonly ReviewedTurn[]): void => {
    waiting = [...turns, ...waiting].slice(-MOST_WAITING);
    since += turns.length;
  };

  return {
    ended: (turn) => {
      waiting = [...waiting, turn].slice(-MOST_WAITING);
      since += 1;
      return since >= every;
    },
    review: () => {
      if (running) return running.done;
      const abort = new AbortController();
      const done = run(abort.signal).finally(() => {
        running = undefined;
      });
      running = { abort, done };
      return done;
    },
    began: () => running?.abort.abort(),
    wrote: () => {
      since = 0;
    },
  };
}
