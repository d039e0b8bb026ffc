import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type * as api from '#spec/api';
import type { AskUser } from '#spec/ports';
import type { RunPeople } from './open-workflows.ts';

/** Something that a step asks, as people see it. A refusal stands first. */
export type OpenQuestion = api.Given<api.OpenQuestion>;

/** Questions of runs that nobody sits at: they wait here until somebody answers, or their time is over. */
export function openQuestions(waitMs: number) {
  const open = new Map<string, Map<string, OpenQuestion & { settle(answer: string | undefined): void }>>();
  const of = (run: string) => [...(open.get(run)?.values() ?? [])];

  const put =
    (run: string): AskUser =>
    (question, choices, signal) =>
      new Promise((resolve) => {
        const id = newId('ask');
        const mine = open.get(run) ?? new Map<string, ReturnType<typeof of>[number]>();
        const settle = (answer: string | undefined): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', gone);
          mine.delete(id);
          if (mine.size === 0) open.delete(run);
          resolve(answer);
        };
        const gone = () => settle(undefined);
        const timer = setTimeout(gone, waitMs);
        const at = Date.now();
        mine.set(id, { id, question, choices, at, until: at + waitMs, settle });
        open.set(run, mine);
        if (signal?.aborted) gone();
        else signal?.addEventListener('abort', gone, { once: true });
      });

  return {
    of: (run: string): readonly OpenQuestion[] =>
      of(run).map(({ id, question, choices, at, until }) => ({ id, question, choices, at, until })),
    peopleOf: (run: string): RunPeople => ({ ask: put(run), agree: elsewhere }),
    answer: (run: string, id: string, choice: string): void => {
      const asked = open.get(run)?.get(id);
      if (!asked) throw fail('input.not_found', 'This question is no longer open.');
      if (!asked.choices.includes(choice)) throw fail('input.invalid', `'${choice}' is none of the choices.`);
      asked.settle(choice);
    },
    /** Nobody is going to answer. */
    drop: (run: string): void => {
      for (const { settle } of of(run)) settle(undefined);
    },
  };
}

/** The gate keeps its own records and decides by them: here nobody answers, and its signal ends the wait. */
const elsewhere: AskUser = (_question, _choices, signal) =>
  new Promise((resolve) => {
    if (!signal || signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
