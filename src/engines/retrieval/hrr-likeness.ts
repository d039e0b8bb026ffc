import type { Candidate } from './candidate.ts';
import type { QueryTerm } from './choose-terms.ts';
import { cutTerms } from './cut-terms.ts';
import { alikeness, atom, bind, bundle, type Hologram, unbind } from './hrr.ts';
import { isStopTerm } from './stop-words.ts';

const MOST_TERMS = 64;

/**
 * A text becomes one hologram of what fills its two roles, and both are asked out of it again before they are compared:
 * a term of the query may name what was said or who said it. Likeness goes from 0 to 1.
 */
export function hrrLikeness(query: readonly QueryTerm[]): (candidate: Candidate) => number {
  const roles = { text: atom('role: text'), speaker: atom('role: speaker') };
  const atoms = new Map<string, Hologram>();
  const atomOf = (term: string): Hologram => {
    const made = atoms.get(term) ?? atom(term);
    atoms.set(term, made);
    return made;
  };
  const all = (terms: Iterable<string>) =>
    bundle([...terms].slice(0, MOST_TERMS).map((term) => ({ part: atomOf(term), weight: 1 })));
  const asked = bundle(query.map(({ term, idf }) => ({ part: atomOf(term), weight: idf })));
  return ({ text, speaker = '' }) => {
    const said = all(new Set(cutTerms(text).filter((term) => !isStopTerm(term))));
    const whole = bundle([
      { part: bind(roles.text, said), weight: 1 },
      { part: bind(roles.speaker, all(cutTerms(speaker))), weight: 1 },
    ]);
    const likeness = (role: Hologram) => Math.max(0, alikeness(unbind(whole, role), asked));
    return Math.min(1, likeness(roles.text) + likeness(roles.speaker));
  };
}
