import type { ErrorRecord } from '#spec/data';
import type { DurableEngine, Flow } from '#spec/ports';

/** What the suite asks of an implementation when it opens it. */
export interface OpenOptions {
  readonly flows: readonly Flow[];
  readonly report: (problem: ErrorRecord) => void;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly maxClaims?: number;
  readonly now?: () => number;
  /** Called in every write, before it is durable and after. */
  readonly onWrite?: (moment: 'inside' | 'after') => void;
}

export interface DurableUnderTest {
  readonly name: string;
  /** The address of an empty store, which every process can open. */
  newPlace(): string;
  open(place: string, options: OpenOptions): Promise<DurableEngine>;
  /** Where a child process finds `open`: the URL of a module and the name of the export. */
  readonly module: string;
  readonly exported: string;
}
