/** Why something cannot work here, and how to change that. Both are sentences for a person. */
export interface Missing {
  readonly what: string;
  readonly fix: string;
}
