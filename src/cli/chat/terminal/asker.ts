import type { AskUser } from '#spec/ports';
import type { Text } from '../../text/index.ts';
import type { ChatScreen } from './chat-screen.ts';
import { picker } from './picker.ts';
import type { Theme } from './theme.ts';

export interface Asker {
  readonly ask: AskUser;
  /** Gives no answer to whatever is being asked. */
  dismiss(): void;
}

/** Puts questions to the user one after the other, each with its choices and room for another answer. */
export function asker(screen: ChatScreen, theme: Theme, text: Text): Asker {
  let queue: Promise<unknown> = Promise.resolve();
  let close: (() => void) | undefined;
  let round = 0;

  const askNow = (question: string, choices: readonly string[], signal: AbortSignal | undefined) =>
    new Promise<string | undefined>((resolve) => {
      if (signal?.aborted) return resolve(undefined);
      signal?.addEventListener('abort', () => onDone(undefined), { once: true });
      let isDone = false;
      const onDone = (value: string | undefined) => {
        if (isDone) return;
        isDone = true;
        close = undefined;
        screen.ask(undefined);
        resolve(value);
      };
      close = () => onDone(undefined);
      const { freeAnswer, askKeys } = text.ui;
      const shape = {
        title: question,
        choices,
        typing: 'answer',
        placeholder: freeAnswer,
        keys: askKeys,
      } as const;
      screen.ask(picker({ ...shape, theme, onDone }));
      return undefined;
    });
  return {
    ask: (question, choices, signal) => {
      const asked = round;
      const answer = queue.then(() => (asked === round ? askNow(question, choices, signal) : undefined));
      queue = answer;
      return answer;
    },
    dismiss: () => {
      round++;
      close?.();
    },
  };
}
