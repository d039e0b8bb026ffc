import { z } from 'zod';
import { parsePath } from './webhook-path.ts';

const Path = z
  .string()
  .max(500)
  .refine((path) => parsePath(path.replace(/^\$\./, '')) !== undefined, {
    error: "is no path; write one such as 'alert.labels.service' or 'items[0].name'",
  });

/** A path, a path that may lead nowhere, or the same text for every alert. */
const Field = z.union(
  [
    Path,
    z.strictObject({ path: Path, default: z.string().optional(), optional: z.boolean().default(false) }),
    z.strictObject({ value: z.string() }),
  ],
  { error: "write a path such as 'alert.name', {path: …, default: …}, or {value: …} for a fixed text" },
);
export type Field = z.infer<typeof Field>;

/** One path leads to an object of texts; or each is named here. */
const Fields = z.union([Path, z.record(z.string(), Field)]);
export type Fields = z.infer<typeof Fields>;

/** Never the secret itself: what stands here is shown to people. */
const Variable = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, { error: 'is no name of a variable; write one such as MY_WEBHOOK_SECRET' });

/** One webhook of `webhooks.generic` in `gateway.yaml`. */
const Hook = z.strictObject({
  /** `standard`: Standard Webhooks. `github`: a hex HMAC-SHA256 in `X-Hub-Signature-256`. `token`: the secret itself. */
  verify: z.enum(['standard', 'github', 'token']),
  /** The variable that holds the secret; two while one takes the place of the other. */
  secret: z.union([Variable, z.array(Variable).min(1).max(2)]),
  /** Of `token`: the header that carries it, where that is not `Authorization: Bearer`. */
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .optional(),
  /** Where the list of alerts is. Paths then begin at one of them, or, after `$.`, at the payload. */
  alerts: Path.optional(),
  map: z.strictObject({
    title: Field,
    fingerprint: Field.optional(),
    status: Field.optional(),
    severity: Field.optional(),
    service: Field.optional(),
    metric: Field.optional(),
    startsAt: Field.optional(),
    endsAt: Field.optional(),
    link: Field.optional(),
    labels: Fields.optional(),
    annotations: Fields.optional(),
  }),
  /** What the status is when the alert is over, besides the usual words. */
  resolved: z.array(z.string()).default([]),
});
export type Hook = z.infer<typeof Hook>;

/** Webhooks by the last part of their address. */
export const Hooks = z.record(
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]*$/i, { error: 'is no name of a webhook: use letters, digits, - and _' }),
  Hook,
);
export type Hooks = z.infer<typeof Hooks>;
