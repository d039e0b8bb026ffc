import { cutTerms } from '#engines/retrieval';

/** The words of a text as they were written whose terms are among these, in order, each once. */
export function sharedWords(text: string, terms: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [word] of text.slice(0, 4_000).matchAll(/[\p{L}\p{N}][\p{L}\p{N}_.'-]*/gu)) {
    for (const term of cutTerms(word)) {
      if (terms.has(term)) found.add(/^[\p{Script=Han}]/u.test(term) ? term : word);
    }
  }
  return [...found];
}
