import type { Language } from '#kit/language';

/** Something that a message can say word for word, such as a command to run. */
export interface Intent {
  /** The tool that does it, and its result is the answer; undefined where the message says something else. */
  call(
    text: string,
    isProgram: (word: string) => boolean,
  ): { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined;
  /** One line for the list of what the operator can do. */
  readonly summary: Readonly<Record<Language, string>>;
}

export const defineIntent = (intent: Intent): Intent => intent;
