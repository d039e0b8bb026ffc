import { z } from 'zod';

const Instant = z.iso.datetime({ offset: true });

/** How one service is deployed. Whoever runs the service obeys it; keys that are not named here are kept as they are. */
export const DeployedService = z.looseObject({
  version: z.string().min(1),
  /** What it can be taken back to. */
  previous: z.string().min(1).optional(),
  /** A second version that takes `weight` percent of the requests. */
  canary: z
    .object({ version: z.string().min(1), weight: z.number().min(0).max(100) })
    .nullable()
    .default(null),
  replicas: z.number().int().min(0).default(1),
  config: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  /** Dependencies that it does without. */
  degraded: z.array(z.string()).default([]),
  /** Which of the two it works on: `primary` or `replica`. */
  active: z.string().default('primary'),
  restartedAt: Instant.optional(),
  cacheFlushedAt: Instant.optional(),
});
export type DeployedService = z.infer<typeof DeployedService>;

const REGISTRY_CHANGE_KINDS = ['deploy', 'config', 'flag'] as const;

export const DeployHistoryEntry = z.object({
  id: z.string().min(1),
  time: Instant,
  service: z.string().min(1),
  kind: z.enum(REGISTRY_CHANGE_KINDS),
  summary: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type DeployHistoryEntry = z.infer<typeof DeployHistoryEntry>;

/**
 * What runs where, as one JSON file. `fences` has the highest fence that the writers of each scope have shown: an older
 * writer of the same scope is refused. `fence` is the highest of all, for people to see. `applied` has the key of every
 * action that was carried out, with its time: a key that stands there is done.
 */
export const DeployRegistry = z.object({
  fence: z.number().int().min(0).default(0),
  fences: z.record(z.string(), z.number().int().min(0)).optional(),
  applied: z.record(z.string(), Instant).default({}),
  services: z.record(z.string(), DeployedService),
  /** In the order of time. */
  history: z.array(DeployHistoryEntry).default([]),
});
export type DeployRegistry = z.infer<typeof DeployRegistry>;
