import { z } from 'zod';
import { defineTelemetry } from '#spec/ports';
import { argocdChanges } from './argocd-changes.ts';
import { serviceNames } from './service-names.ts';
import { connectionSettings, missingKey } from '../wire/connection-settings.ts';
import { openConnection } from '../wire/open-connection.ts';
import { readerOf } from '../wire/reader-of.ts';

const Settings = z.strictObject({
  ...connectionSettings,
  token_key: z.string().min(1).default('ARGOCD_TOKEN'),
  projects: z.array(z.string().min(1)).default([]),
  /** Labels of the applications to look at. */
  selector: z.string().min(1).optional(),
  /** The application of a service, where it is not the service's name with `suffix`. */
  services: z.record(z.string().min(1), z.string().min(1)).default({}),
  suffix: z.string().default(''),
});

const Applications = z.looseObject({ items: z.array(z.unknown()).nullish(), metadata: z.unknown() });

/** Deploys from the histories of Argo CD's applications. */
export const telemetry = defineTelemetry({
  name: 'argocd',
  settings: Settings,
  missing: (settings, place) => missingKey(settings, place),
  open: (settings, place) => {
    const { projects, selector, services, suffix } = settings;
    const connection = openConnection('Argo CD', settings, place);
    const names = serviceNames(services, suffix);
    return Promise.resolve({
      changes: argocdChanges({ connection, names, projects, selector }),
      probe: async (signal) => {
        // Its version is told to everybody: only the applications prove the token.
        const asked = { projects, selector, fields: 'items.metadata.name' };
        await readerOf(connection)(Applications, '/api/v1/applications', asked, signal);
        return { state: 'reached' };
      },
      close: () => Promise.resolve(),
    });
  },
});
