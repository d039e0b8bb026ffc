import { expect, it } from 'vitest';

const modules = import.meta.glob<Record<string, unknown>>(['../../**/*text.ts', '!../../**/define-text.ts'], {
  eager: true,
});
const texts = Object.entries(modules).flatMap(([file, module]) =>
  Object.entries(module).map(([name, text]) => [`${file} ${name}`, text] as const),
);

/** The places of all words, with how many gaps each has. */
function places(words: unknown, at = ''): string[] {
  if (typeof words === 'function') return [`${at}(${words.length})`];
  if (typeof words === 'string') return [words ? at : `${at} is empty`];
  return Object.entries(words as object).flatMap(([key, each]) => places(each, `${at}.${key}`));
}

it('finds the texts of the shell, the shared pieces and the pages', () => {
  expect(texts.length).toBeGreaterThan(8);
});

it.each(texts)('%s says the same in every language', (_name, text) => {
  const { en, zh } = text as { en: unknown; zh: unknown };
  expect(places(zh).toSorted()).toEqual(places(en).toSorted());
});
