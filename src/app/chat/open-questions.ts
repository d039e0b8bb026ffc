import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import { type KnownSecrets, redact } from '#kit/redact';
import type { AskUser, Principal } from '#spec/ports';
import type { ChatAnswer, ChatPerson, ChatQuestion } from './chat.ts';

interface QuestionsOptions {
  readonly now: () => number;
  /** How long a question of a tool waits. One of the gate waits as long as the gate says. */
  readonly waitMs: number;
  readonly secrets: KnownSecrets;
  readonly onChange: (open: readonly ChatQuestion[]) => void;
}

interface OpenQuestions {
  readonly open: readonly ChatQuestion[];
  readonly ask: AskUser;
  answer(id: string, answer: ChatAnswer, person: ChatPerson): void;
  /** Gives no answer to whatever is being asked. */
  dismiss(): void;
}

/** Roles that may agree to something. */
const APPROVERS: readonly Principal['role'][] = ['approver', 'admin'];
export const isApprover = ({ role }: ChatPerson): boolean => APPROVERS.includes(role);
const mayApprove = (person: ChatPerson): boolean => person.person && isApprover(person);

/** Questions that wait for the person of a chat, whether or not a page is open. Nobody answering means no. */
export function openQuestions({ now, waitMs, secrets, onChange }: QuestionsOptions): OpenQuestions {
  const asked = new Map<
    string,
    {
      readonly question: ChatQuestion;
      readonly agreeing: readonly string[];
      settle(answer: string | undefined): void;
    }
  >();
  const open = () => [...asked.values()].map(({ question }) => question);

  const ask: AskUser = (text, choices, signal, approval, agreeing = []) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(undefined);
      const id = newId('ask');
      const settle = (answer: string | undefined): void => {
        if (!asked.delete(id)) return;
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        onChange(open());
        resolve(answer);
      };
      const leave = () => settle(undefined);
      // A request for agreement ends by its signal, when the gate says so.
      const timer = approval ? undefined : setTimeout(leave, waitMs);
      signal?.addEventListener('abort', leave, { once: true });
      const question: ChatQuestion = {
        id,
        text: redact(text, secrets),
        choices,
        askedAt: now(),
        until: approval?.expiresAt ?? now() + waitMs,
        ...(approval
          ? {
              approval: {
                id: approval.id,
                tool: approval.action.tool,
                level: approval.action.level,
                shown: approval.action.shown,
                reasons: approval.reasons,
                separate: approval.separate,
              },
            }
          : {}),
      };
      asked.set(id, { question, agreeing, settle });
      onChange(open());
      return undefined;
    });

  return {
    get open() {
      return open();
    },
    ask,
    answer: (id, given, person) => {
      const found = asked.get(id);
      if (!found) throw fail('input.conflict', 'This question does not wait for an answer any more.');
      const words = wordsOf(found.question, given, person);
      if (found.agreeing.length > 0 && words !== undefined && !isRefusal(found, words)) mustApprove(person);
      found.settle(words);
    },
    dismiss: () => {
      for (const { settle } of [...asked.values()]) settle(undefined);
    },
  };
}

/** Throws for whoever may not agree to anything. */
export function mustApprove(person: ChatPerson, what = 'agree to anything'): void {
  if (mayApprove(person)) return;
  if (!isApprover(person)) throw fail('input.forbidden', `The role '${person.role}' may not ${what}.`);
  throw fail(
    'input.forbidden',
    'Only a person can do this: a token that lies in the home does not show one.',
    'Sign in with the link that `hermes console` prints at a terminal.',
  );
}

/** One of the choices that agree to nothing. */
const isRefusal = (
  {
    question: { choices },
    agreeing,
  }: { readonly question: ChatQuestion; readonly agreeing: readonly string[] },
  words: string,
): boolean => choices.includes(words) && !agreeing.includes(words);

function wordsOf(
  { choices, approval }: ChatQuestion,
  given: ChatAnswer,
  person: ChatPerson,
): string | undefined {
  if ('none' in given) return approval ? choices[0] : undefined;
  if ('text' in given) {
    if (approval) throw fail('input.invalid', 'The answer has to be one of the choices.');
    return given.text;
  }
  const choice = choices[given.choice];
  if (choice === undefined) throw fail('input.invalid', 'There is no such choice.');
  if (approval && given.choice > 0) mustApprove(person);
  return choice;
}
