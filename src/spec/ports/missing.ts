import type { Text } from '#spec/data';

/** Why something cannot work here, and how to change that. Both are sentences for a person. */
export interface Missing {
  readonly what: Text | string;
  readonly fix: Text | string;
}
