import { z } from 'zod';

/** A name or address that no program reads as an option. */
export const HostName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[\w:][\w.:-]*$/, 'a name or address of a host');
export const Port = z.int().min(1).max(65_535);
export const ContainerName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][\w.-]*$/, 'a name or id of a container');

const Expected = z.strictObject({
  status: z.union([z.int(), z.array(z.int())]).optional(),
  response_time_ms: z.number().positive().optional(),
  body_contains: z.string().optional(),
});

/** Something whose health can be asked for. The type follows from its fields. */
export const Endpoint = z
  .strictObject({
    name: z.string().min(1).max(200).optional(),
    type: z.enum(['http', 'https', 'tcp', 'docker', 'container']).optional(),
    url: z.string().max(4_000).optional(),
    method: z.enum(['GET', 'HEAD', 'POST']).default('GET'),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().max(100_000).optional(),
    expected: Expected.default({}),
    expected_status: z.int().optional(),
    host: HostName.optional(),
    port: Port.optional(),
    container: ContainerName.optional(),
    backend: z.string().min(1).optional().describe('tcp, container: a named place of backends.yaml'),
    timeout: z.number().positive().max(60).default(10).describe('seconds'),
    severity: z.enum(['critical', 'high', 'medium', 'low']).optional().describe('of its being down'),
  })
  .refine(
    ({ url, host, port, container, name, type }) =>
      url !== undefined ||
      (host !== undefined && port !== undefined) ||
      ((container ?? name) !== undefined && /docker|container/.test(type ?? '')),
    'give url, or host and port, or type docker with container',
  );
export type Endpoint = z.infer<typeof Endpoint>;

const STATES = ['up', 'slow', 'degraded', 'down', 'unknown'] as const;

export const HealthResult = z.object({
  name: z.string(),
  type: z.string().default('http'),
  target: z.string().default(''),
  /** `degraded`: it answers, but not as it should. `unknown`: it could not be asked. */
  state: z.enum(STATES),
  ok: z.boolean(),
  ms: z.number().nullish(),
  status: z.number().nullish(),
  message: z.string().default(''),
  severity: z.enum(['critical', 'high', 'medium', 'low']).nullish(),
  expected_ms: z.number().nullish(),
  days_left: z.number().nullish(),
  /** What was asked, so that it can be asked again. */
  endpoint: z.unknown().optional(),
});
export type HealthResult = z.infer<typeof HealthResult>;

export const endpointName = ({ name, url, host, port, container }: Endpoint): string =>
  name ?? container ?? url ?? `${host}:${port}`;

export function endpointTarget({ url, host, port, container, name }: Endpoint): string {
  return url ?? (host === undefined ? (container ?? name ?? '') : `${host}:${port}`);
}
