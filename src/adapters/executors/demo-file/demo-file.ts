import { tell } from '#kit/text';
import { z } from 'zod';
import { defineExecutor } from '#spec/ports';
import { readRegistry } from './registry-file.ts';
import { type RegistrySettings, registryExecutor } from './registry-executor.ts';

/** Carries actions out in the deploy registry, a JSON file that the services of the demo obey. */
export const executor = defineExecutor<RegistrySettings>({
  name: 'demo_file',
  settings: z.strictObject({
    state_file: z.string().min(1),
    /** A copy of the version of `version_service`, as text. */
    version_file: z.string().min(1).optional(),
    version_service: z.string().default('payment-service'),
    rate_limit_key: z.string().default('rate_limit_rps'),
  }),
  open: (settings, place) =>
    Promise.resolve({
      ...registryExecutor(settings, place),
      probe: async () => {
        const { registry } = await readRegistry(settings.state_file);
        return {
          state: 'reached',
          detail: tell(
            `${Object.keys(registry.services).length} services`,
            `${Object.keys(registry.services).length} 个服务`,
          ),
        };
      },
    }),
});
