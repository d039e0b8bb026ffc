import type { DeployRegistry } from '#kit/deploy-registry';
import type { ServiceName } from '../system/service-names.ts';
import type { CARD_NETWORK } from '../runtime/card-network.ts';
import type { NodeName } from '../system/replicas.ts';
import type { World } from '../system/world.ts';
import type { TrafficShape } from '../traffic/traffic-shape.ts';

export interface Fault {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** Where the cause is: a service, a machine or a vendor. Absent where nobody is to blame. */
  readonly culprit?: ServiceName | NodeName | typeof CARD_NETWORK;
  /** The kind of cause, in the words of the incident records. */
  readonly category: string;
  /** What ends it, and to which service it is done. What nobody here can end is only observed. */
  readonly operation: string;
  readonly remedy: {
    readonly service: ServiceName;
    readonly params: Readonly<Record<string, string | number>>;
  };
  readonly inject: {
    /** What people do to the system. */
    registry?(draft: DeployRegistry, now: number): void;
    /** What happens around it. */
    world?(now: number): World;
    /** What its users do. */
    readonly traffic?: Partial<TrafficShape>;
  };
}
