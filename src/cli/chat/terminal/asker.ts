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

  const askNow = (question: string, choices: readonly string[]) =>
    new Promise<string | undefined>((resolve) => {
      const onDone = (value: string | undefined) => {
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
    });
  return {
    ask: (question, choices) => {
      const asked = round;
      const answer = queue.then(() => (asked === round ? askNow(question, choices) : undefined));
      queue = answer;
      return answer;
    },
    dismiss: () => {
      round++;
      close?.();
    },
  };
}
