import { tell } from '#kit/text';
import { z } from 'zod';
import { defineTelemetry } from '#spec/ports';
import { githubChanges } from './github-changes.ts';
import { connectionSettings, missingKey } from '../wire/connection-settings.ts';
import { openConnection } from '../wire/open-connection.ts';
import { readerOf } from '../wire/reader-of.ts';

const Settings = z.strictObject({
  ...connectionSettings,
  base_url: connectionSettings.base_url.default('https://api.github.com'),
  link_url: connectionSettings.link_url.default('https://github.com'),
  token_key: z.string().min(1).default('GITHUB_TOKEN'),
  repositories: z
    .array(
      z.strictObject({
        repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must be owner/name'),
        /** The name of the repository unless told. */
        service: z.string().min(1).optional(),
        /** All of them unless told. */
        environments: z.array(z.string().min(1)).default([]),
      }),
    )
    .min(1),
});

/** Asking for it does not count against it. */
const RateLimit = z.object({
  resources: z.object({ core: z.object({ limit: z.number(), remaining: z.number() }) }),
});

/** Deployments of GitHub, with the commits that they brought. */
export const telemetry = defineTelemetry({
  name: 'github',
  settings: Settings,
  missing: (settings, place) => missingKey(settings, place),
  open: (settings, place) => {
    const connection = openConnection('GitHub', settings, place);
    const repositories = settings.repositories.map(({ repository, service, environments }) => ({
      repository,
      service: service ?? repository.replace(/^.*\//, ''),
      environments,
    }));
    return Promise.resolve({
      changes: githubChanges({ connection, repositories }),
      probe: async (signal) => {
        const { resources } = await readerOf(connection)(RateLimit, '/rate_limit', {}, signal);
        const { limit, remaining } = resources.core;
        return {
          state: 'reached',
          detail: tell(
            `${remaining} of ${limit} requests of this hour are left`,
            `本小时剩余请求 ${remaining}/${limit}`,
          ),
        };
      },
      close: () => Promise.resolve(),
    });
  },
});
