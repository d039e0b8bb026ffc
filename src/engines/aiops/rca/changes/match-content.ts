import { cutTerms, isStopTerm } from '#engines/retrieval';
import { HALF } from '../finding.ts';
import { mean } from '../stats.ts';
import type { EffectiveChange } from './effective-change.ts';

export interface ContentMatch {
  /** Rare words in common, weighed. Compares changes of one incident only. */
  readonly total: number;
  /** The share of what the symptoms say, by weight, that the change speaks of. */
  readonly covered: number;
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
  const usualLength = mean([...documents.values()].map(({ size }) => size));
  const rarity = (term: string): number => Math.log(1 + changes.length / (1 + (frequency.get(term) ?? 0)));
  const raw = new Map(
    [...documents].map(([change, terms]) => {
      const matched = [...terms]
        .flatMap(([term, weight]) => {
          const asked = symptoms.get(term);
          return asked === undefined ? [] : [{ term, value: weight * asked * rarity(term) }];
        })
        .toSorted((one, other) => other.value - one.value || (one.term < other.term ? -1 : 1));
      // A long diff mentions everything.
      const length = Math.sqrt(Math.max(1, terms.size / usualLength));
      // One or two words in common may be chance.
      const sure = matched.length / (matched.length + 2);
      const total = sure * matched.reduceRight((sum, { value }) => sum + value, 0);
      return [change, { total: total / length, terms: matched.map(({ term }) => term) }];
    }),
  );
  const askedFor = [...symptoms].reduce((sum, [term, weight]) => sum + weight * rarity(term), 0);
  return new Map(
    [...raw].map(([change, { total, terms }]) => [
      change,
      { total, covered: askedFor ? total / askedFor : 0, terms },
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
  // What stands around a change, and what its author says of it, says less than what it touches.
  add(change.summary, HALF);
  for (const line of [...nature.files, ...(nature.diff?.around ?? [])]) add(line, HALF);
  for (const line of [...(nature.diff?.removed ?? []), ...(nature.diff?.added ?? [])]) add(line, 1);
  for (const [name, value] of Object.entries(change.details ?? {}))
    if (typeof value === 'string' && name !== 'diff') add(value, HALF);
  return terms;
}
