import type { NodeName } from './replicas.ts';
import type { ServiceName } from './service-names.ts';

/**
 * What happens around the services and outlives their processes: machines, networks, partners. Nothing here can be undone
 * by the services themselves; a restarted process meets the same world. Times are milliseconds since the epoch.
 */
export interface World {
  /** The partner that coupon-service asks for promotion rules answers nobody. */
  readonly rulesStuck?: boolean;
  /** The disk below the primary database of this service is slow. */
  readonly slowPrimary?: ServiceName;
  /** This entry of the shared cache has grown beyond reason; whatever was cached after a later flush is small again. */
  readonly hotKey?: { readonly key: string; readonly since: number };
  /** Processes of this service that were running at `since` lose memory; later ones do not. */
  readonly leak?: { readonly service: ServiceName; readonly since: number };
  /** Processes of this service meet a broken snapshot and die, until the deployment is restarted after `since`. */
  readonly crash?: { readonly service: ServiceName; readonly since: number };
  /** Somebody else keeps the processors of this machine busy: replicas on it hardly get any time. */
  readonly takenNode?: NodeName;
  /** The vendor that payment-service has cards authorized by answers with errors, or not at all. */
  readonly cardNetworkDown?: boolean;
}

/** What the parent tells a service, one JSON object a line on its standard input. */
export interface ControlMessage {
  readonly world?: World;
  readonly peers?: Readonly<Record<string, string>>;
}
