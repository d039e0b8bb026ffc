import { cutTerms, isStopTerm } from '#engines/retrieval';
import type { EffectiveChange } from './effective-change.ts';

/** What a change touches says more than what stands around it. */
const WEIGHT = { touched: 1, summary: 0.7, files: 0.4, around: 0.2 } as const;
/** A long diff mentions everything: from this many different terms on, length is held against it. */
const FREE_LENGTH = 30;

export interface ContentMatch {
  /** Rare words in common, weighed. Compares changes of one incident only. */
  readonly total: number;
  /** The share of what the symptoms say, by weight, that the change speaks of. */
  readonly covered: number;
  /** The weight of the symptom that it speaks of most plainly: names of services alone weigh little. */
  readonly plainest: number;
  /** The terms that count most. */
  readonly terms: readonly string[];
}

/** Changes against symptoms, by rare words in common. Rare is what few changes of this incident mention. */
export function matchContent(
  changes: readonly EffectiveChange[],
  symptoms: ReadonlyMap<string, number>,
): Map<EffectiveChange, ContentMatch> {
  const documents = new Map(changes.map((change) => [change, changeTerms(change)]));
  const frequency = new Map<string, number>();
  for (const terms of documents.values()) {
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const rarity = (term: string): number => Math.log(1 + changes.length / (1 + (frequency.get(term) ?? 0)));
  const raw = new Map(
    [...documents].map(([change, terms]) => {
      const matched = [...terms]
        .flatMap(([term, weight]) => {
          const asked = symptoms.get(term);
          return asked === undefined ? [] : [{ term, asked, value: weight * asked * rarity(term) }];
        })
        .toSorted((one, other) => other.value - one.value || (one.term < other.term ? -1 : 1));
      const length = Math.sqrt(Math.max(1, terms.size / FREE_LENGTH));
      const total = matched.reduceRight((sum, { value }) => sum + value, 0);
      const plainest = Math.max(0, ...matched.map(({ asked }) => asked));
      return [
        change,
        { total: total / length, plainest, terms: matched.map(({ term }) => term).slice(0, 8) },
      ];
    }),
  );
  const askedFor = [...symptoms].reduce((sum, [term, weight]) => sum + weight * rarity(term), 0);
  return new Map(
    [...raw].map(([change, { total, plainest, terms }]) => [
      change,
      { total, covered: askedFor ? total / askedFor : 0, plainest, terms },
    ]),
  );
}

function changeTerms({ change, nature }: EffectiveChange): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of cutTerms(text)) {
      if (term.length < 2 || isStopTerm(term)) continue;
      terms.set(term, Math.max(terms.get(term) ?? 0, weight));
    }
  };
  add(change.summary, WEIGHT.summary);
  for (const file of nature.files) add(file, WEIGHT.files);
  for (const line of nature.diff?.around ?? []) add(line, WEIGHT.around);
  for (const line of [...(nature.diff?.removed ?? []), ...(nature.diff?.added ?? [])])
    add(line, WEIGHT.touched);
  for (const [name, value] of Object.entries(change.details ?? {})) {
    if (typeof value === 'string' && !['diff', 'author', 'commit', 'version', 'actor'].includes(name)) {
      add(value, WEIGHT.summary);
    }
  }
  return terms;
}
