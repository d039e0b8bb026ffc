import type * as stored from '#spec/data';
import type { Spoken } from '#spec/data';
import { type Language, LANGUAGES } from '../language/define-text.ts';

/** Records as pages show them: with every sentence in the language of the reader. */
export type Incident = Spoken<stored.Incident>;
export type IncidentFact = Spoken<stored.IncidentFact>;
export type Evidence = Spoken<stored.Evidence>;
export type Execution = Spoken<stored.Execution>;
export type Hypothesis = Spoken<stored.Hypothesis>;
export type ProposedAction = Spoken<stored.ProposedAction>;
export type RecoveryCheck = Spoken<stored.RecoveryCheck>;

/** A record for its reader: every text in it becomes what it says in this language. */
export function inLanguage<T>(record: T, language: Language): Spoken<T> {
  const read = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(read);
    const fields = Object.entries(one);
    const isText = fields.length === LANGUAGES.length && LANGUAGES.every((each) => each in one);
    if (isText) return (one as stored.Text)[language];
    return Object.fromEntries(fields.map(([key, field]) => [key, read(field)]));
  };
  return read(record) as Spoken<T>;
}
