import type { SearchField } from '#spec/ports';

/** What a word counts in each field. Chosen by measurement; see the README. */
export const FIELD_WEIGHTS: Readonly<Record<SearchField, number>> = {
  text: 2.2,
  speaker: 3,
  previous: 1,
  next: 0.55,
  date: 1.6,
};
