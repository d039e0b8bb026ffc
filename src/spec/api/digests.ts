import { z } from 'zod';
import {
  CauseCategory,
  IncidentSummary,
  Language,
  Operation,
  Recovery,
  Severity,
  SkillEdit,
} from '#spec/data';
import { defineContracts } from './contract.ts';

/** To the end of the year 9999: days and names of files are made of it. */
const LAST_INSTANT = 253_402_300_799_999;
const Instant = z
  .union([z.iso.datetime({ offset: true }).transform(Date.parse), z.coerce.number<number>().int()])
  .pipe(z.number().min(0).max(LAST_INSTANT));

const Ids = z.array(z.string());
const Spread = z.object({
  values: z.array(z.object({ incident: z.string(), ms: z.number() })),
  median: z.number().optional(),
  p90: z.number().optional(),
});
const Named = z.object({ name: z.string(), incident: z.string() });

/** `IncidentDigest`, which says what each of these counts. */
const Digest = z.object({
  from: z.number(),
  to: z.number(),
  zone: z.string(),
  incidents: z.array(IncidentSummary.omit({ note: true })),
  opened: Ids,
  ended: z.object({ recovered: Ids, resolved: Ids, closed: Ids }),
  buckets: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      opened: Ids,
      ended: Ids,
      alerts: z.number(),
      recoverMs: z.number().optional(),
    }),
  ),
  times: z.object({ detect: Spread, diagnose: Spread, decide: Spread, recover: Spread }),
  severities: z.array(z.object({ severity: Severity, incidents: Ids })),
  services: z.array(z.object({ service: z.string(), incidents: Ids })),
  causes: z.array(z.object({ cause: CauseCategory.or(z.literal('unknown')), incidents: Ids })),
  inconclusive: Ids,
  approvals: z.object({ requested: Ids, granted: Ids, denied: Ids, expired: Ids }),
  done: z.array(z.object({ operation: Operation, incidents: Ids, recovered: Ids, notRecovered: Ids })),
  notRecovered: z.array(
    z.object({
      incident: z.string(),
      operation: Operation.optional(),
      service: z.string().optional(),
      status: z.union([Recovery.shape.status, z.enum(['failed', 'unknown', 'refused'])]),
      at: z.string(),
    }),
  ),
  repeated: z.array(z.object({ service: z.string(), cause: CauseCategory, incidents: Ids })),
  noise: z.object({
    deliveries: z.number(),
    alerts: z.number(),
    loudest: z.array(z.object({ incident: z.string(), alerts: z.number(), deliveries: z.number() })),
  }),
  learned: z.object({
    lessons: Ids,
    memories: z.number(),
    skills: z.array(Named),
    workflows: z.array(Named),
    knowledge: Ids,
    evalCases: Ids,
    edits: z.array(SkillEdit.pick({ skill: true, action: true, by: true, at: true })),
  }),
  /** There were more incidents than are counted. */
  cut: z.boolean(),
});
export type Digest = z.infer<typeof Digest>;

/** What happened in a day, a week or a month. */
export const DIGESTS = defineContracts({
  show: {
    method: 'GET',
    path: '/api/digests',
    access: 'read',
    summary: 'What happened in a stretch of time, in numbers',
    query: z.object({
      from: Instant.describe('from then on: ISO 8601, or milliseconds since the epoch'),
      to: Instant.describe('before then'),
      zone: z
        .string()
        .max(64)
        .optional()
        .describe('whose days they are, such as Europe/Berlin; that of the server unless said otherwise'),
      format: z.enum(['json', 'md']).default('json').describe('json or md'),
      language: Language.default('en').describe('en or zh, of the Markdown'),
    }),
    answer: Digest,
    files: ['text/markdown'],
  },
});
