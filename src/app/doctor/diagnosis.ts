/** What one look at the installation found. */
export interface Diagnosis {
  readonly name: string;
  readonly state: 'good' | 'warn' | 'bad';
  readonly detail: string;
  /** How to mend it. */
  readonly fix?: string | undefined;
}

export type Finding = Omit<Diagnosis, 'name'>;
