import { fail } from '#kit/app-error';
import type { DeployRegistry } from '#kit/deploy-registry';
import type { Announce } from '../demo-event.ts';
import { editRegistry } from '../runtime/registry-file.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { healthyServices } from '../system/initial-registry.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { FAULTS, faultById } from './faults.ts';

export interface FaultControl {
  /** Ends what was injected before, and does this. Throws `input.invalid` for a fault that does not exist. */
  inject(fault: string): Promise<void>;
  /** Everything as on a good day, except for the history. */
  clear(): Promise<void>;
}

export interface FaultTargets {
  readonly registryFile: string;
  readonly supervisor: Supervisor;
  readonly traffic: Traffic;
  readonly announce: Announce;
}

export const faultControl = ({
  registryFile,
  supervisor,
  traffic,
  announce,
}: FaultTargets): FaultControl => ({
  inject: async (id) => {
    const fault = faultById(id);
    if (!fault) {
      const known = FAULTS.map((one) => one.id).join(', ');
      throw fail('input.invalid', `There is no fault '${id}'.`, `Known are: ${known}.`);
    }
    const now = Date.now();
    await editRegistry(registryFile, (draft) => {
      makeHealthy(draft);
      fault.inject.registry?.(draft, now);
    });
    supervisor.setWorld(fault.inject.world?.(now) ?? {});
    traffic.shape(fault.inject.traffic ?? {});
    announce({ type: 'fault.injected', fault: id });
  },
  clear: async () => {
    supervisor.setWorld({});
    traffic.shape({});
    await editRegistry(registryFile, makeHealthy);
    announce({ type: 'fault.cleared' });
  },
});

/** Restarts and flushes have happened, and are not taken back. */
function makeHealthy(draft: DeployRegistry): void {
  for (const [name, healthy] of Object.entries(healthyServices())) {
    const { restartedAt, cacheFlushedAt } = draft.services[name] ?? {};
    draft.services[name] = {
      ...healthy,
      ...(restartedAt === undefined ? {} : { restartedAt }),
      ...(cacheFlushedAt === undefined ? {} : { cacheFlushedAt }),
    };
  }
}
