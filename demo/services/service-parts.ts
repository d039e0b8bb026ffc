import type { DeployedService } from '#kit/deploy-registry';
import type { Authorize } from '../runtime/card-network.ts';
import type { CallPeer } from '../runtime/http-client.ts';
import type { Endpoint } from '../runtime/http-server.ts';
import type { DataAccess } from '../runtime/data-access.ts';
import type { World } from '../system/world.ts';
import type { Meter } from '../telemetry/instruments.ts';
import type { Logger } from '../telemetry/logger.ts';

/** What a service is made from. */
export interface ServiceParts {
  readonly meter: Meter;
  readonly logger: Logger;
  readonly data: DataAccess;
  readonly call: CallPeer;
  readonly authorize: Authorize;
  /** How the registry says that it is deployed, now. */
  readonly state: () => DeployedService;
  readonly world: () => World;
}

export interface Service {
  readonly endpoints: readonly Endpoint[];
  /** Called whenever the registry says something else. */
  obey?(state: DeployedService): void;
}
