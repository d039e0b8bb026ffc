import type { SearchField } from '#spec/ports';
import { cutTerms } from './cut-terms.ts';
import { dateTerms } from './date-terms.ts';
import { isStopTerm } from './stop-words.ts';

/** A text with what stood around it. */
export interface Telling {
  readonly text: string;
  readonly at: number;
  readonly speaker?: string | undefined;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** Of a longer text the beginning and the end are searchable. */
const HEAD_CHARS = 60_000;
const TAIL_CHARS = 20_000;
/** How much of a neighbour stands in the entry of a message. */
const NEIGHBOUR_TERMS = 10;
/** The model reads no further than this. */
const EMBEDDED_CHARS = 2_000;

/** What the full-text index takes for a text: its terms in each field, as words separated by spaces. */
export function termFields(telling: Telling): Readonly<Record<SearchField, string>> {
  return {
    text: textTerms(telling.text).join(' '),
    speaker: cutTerms(telling.speaker ?? '').join(' '),
    previous: gist(textTerms(telling.previous ?? '')),
    next: gist(textTerms(telling.next ?? '')),
    date: dateTerms(telling.at).join(' '),
  };
}

/** What a vector is made of: who speaks is part of what is said. */
export function embeddedText({ text, speaker }: Pick<Telling, 'text' | 'speaker'>): string {
  return (speaker ? `${speaker}: ${text}` : text).slice(0, EMBEDDED_CHARS);
}

export function textTerms(text: string): string[] {
  return cutTerms(bounded(text)).filter((term) => !isStopTerm(term));
}

/** What stands of a text in the entries of its neighbours: its first different terms. */
export function gist(terms: readonly string[]): string {
  const found = new Set<string>();
  for (const term of terms) {
    if (found.size >= NEIGHBOUR_TERMS) break;
    found.add(term);
  }
  return [...found].join(' ');
}

function bounded(text: string): string {
  if (text.length <= HEAD_CHARS + TAIL_CHARS) return text;
  return `${text.slice(0, HEAD_CHARS)} ${text.slice(-TAIL_CHARS)}`;
}
