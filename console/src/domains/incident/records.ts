import type * as stored from '#spec/data';
import type { Spoken } from '#spec/data';

/** Records as pages show them: with every sentence in the language of the reader. */
export type Incident = Spoken<stored.Incident>;
export type IncidentMember = Spoken<stored.IncidentMember>;
export type IncidentFact = Spoken<stored.IncidentFact>;
export type Evidence = Spoken<stored.Evidence>;
export type Execution = Spoken<stored.Execution>;
export type Hypothesis = Spoken<stored.Hypothesis>;
export type ProposedAction = Spoken<stored.ProposedAction>;
export type RecoveryCheck = Spoken<stored.RecoveryCheck>;
