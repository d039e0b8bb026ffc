import type { TimeWindow } from '#spec/data';
import type { AskedQuery } from '#spec/ports';

export type AskedKind = 'metrics' | 'logs' | 'traces' | 'topology' | 'changes';

/** One request to one backend, as it was made. An empty `query`: the backend has no language to say it in. */
export interface AskedRecord extends AskedQuery {
  readonly source: string;
  readonly kind: AskedKind;
  readonly window: TimeWindow;
}
