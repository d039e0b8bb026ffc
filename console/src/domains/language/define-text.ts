/** The same words in another language: what is a sentence with gaps there is one here, with the same gaps. */
export type Words<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...gaps: infer Gaps) => string
      ? (...gaps: Gaps) => string
      : Words<T[K]>;
};

export interface Text<T> {
  readonly en: T;
  readonly zh: Words<T>;
}

/** The words of a page, in every language. A missing one is a type error. */
export const defineText = <T extends object>(text: { en: T; zh: Words<NoInfer<T>> }): Text<T> => text;
