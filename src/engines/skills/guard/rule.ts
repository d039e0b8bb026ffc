import type { SkillFinding } from '#spec/data';

export type Severity = SkillFinding['severity'];

/** A pattern that is looked for line by line. Every repetition in it is bounded, so that the time stays linear. */
export interface LineRule {
  readonly rule: string;
  readonly severity: Severity;
  readonly pattern: RegExp;
  /** Lines that match this as well are harmless. */
  readonly unless?: RegExp;
  /** Looked for in code alone: prose may speak of it. */
  readonly code?: true;
  /** No warning around it makes it better. */
  readonly always?: true;
}

/** What was seen, before it is shortened for showing. */
export interface Sighting {
  readonly line: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly text: string;
}

/** A warning against something dangerous is worth a look; one against something doubtful is not. */
export const lowered = (severity: Severity): Severity => (severity === 'dangerous' ? 'caution' : 'notice');
