import { z } from 'zod';

/** An instant as people write it: ISO 8601 with a zone. */
const Instant = z.iso.datetime({ offset: true });

/** How bad it is: P1 wakes people up, P4 can wait for a working day. */
export const SEVERITIES = ['P1', 'P2', 'P3', 'P4'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

/** One alert in our own words, wherever it came from. */
export const Alert = z.object({
  /** The same alert again, firing or resolved, has the same one. */
  fingerprint: z.string().min(1),
  /** The way in: `alertmanager`, `grafana`, `pagerduty`, `feishu`, `api`, `cli`, … */
  source: z.string(),
  status: z.enum(['firing', 'resolved']),
  title: z.string().min(1),
  severity: Severity,
  /** The service that it names. */
  service: z.string().optional(),
  /** The metric that it names. */
  metric: z.string().optional(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  startsAt: Instant,
  endsAt: Instant.optional(),
  /** Where it can be looked at. */
  link: z.string().optional(),
});
export type Alert = z.infer<typeof Alert>;

/** When work on some services is planned. Alerts about them are kept and open no incident. */
export const MaintenanceWindow = z.object({
  name: z.string(),
  start: Instant,
  end: Instant,
  /** Which services; all of them where it is absent. */
  services: z.array(z.string()).optional(),
});
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>;
