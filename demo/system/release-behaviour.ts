import type { ServiceName } from './service-names.ts';

/** In what one release of a service differs from the others: the bugs that it ships. */
export interface ReleaseBehaviour {
  /** It ignores `pool_size` and opens a pool of its own. */
  readonly poolSize?: number;
  /** Its path for declined payments forgets to give the connection back. */
  readonly leaksOnDecline?: boolean;
  /** It checks for fraud inside the transaction, for this long. */
  readonly fraudCheckMs?: number;
}

const BEHAVIOURS: Readonly<Record<string, ReleaseBehaviour>> = {
  'payment-service@v2.3.1': { poolSize: 2, leaksOnDecline: true, fraudCheckMs: 120 },
};

export const behaviourOf = (service: ServiceName, version: string): ReleaseBehaviour =>
  BEHAVIOURS[`${service}@${version}`] ?? {};
