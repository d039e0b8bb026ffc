import { z } from 'zod';
import { Change, LogLine, MetricSeries, SpanRecord, Text, TimeWindow, Topology } from '#spec/data';
import { defineContracts } from './contract.ts';
import { flag, text, upTo } from './query.ts';

const MOST_MINUTES = 360;
const MOST_LISTED = 2_000;

const ServiceHealth = z.object({
  service: z.string(),
  health: z.enum(['ok', 'warn', 'bad', 'unknown']),
  requestsPerSecond: z.number().optional(),
  errorRatio: z.number().optional(),
  p95Ms: z.number().optional(),
  versions: z.array(z.string()),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;

/** What was asked for series, exactly. */
const SeriesQuery = z.object({
  source: z.string(),
  query: z.string(),
  /** Where a person sees the same. */
  link: z.string().optional(),
  /** The metrics that it gave. */
  gives: z.array(z.string()),
});
export type SeriesQuery = z.infer<typeof SeriesQuery>;

const Monitoring = z.object({
  window: TimeWindow,
  services: z.array(ServiceHealth),
  series: z.array(MetricSeries),
  queries: z.array(SeriesQuery),
  changes: z.array(Change),
  topology: Topology,
  /** What could not be seen. */
  gaps: z.array(Text),
});
export type Monitoring = z.infer<typeof Monitoring>;

const minutes = upTo(MOST_MINUTES, 15).describe('how far back, 15 unless said otherwise');
const scope = {
  minutes,
  service: text().describe('of this service'),
  limit: upTo(MOST_LISTED, 200).describe('at most so many'),
};

/** How the observed system does. */
export const MONITORING = defineContracts({
  overview: {
    method: 'GET',
    path: '/api/monitoring',
    access: 'read',
    summary: 'Health, signals, changes and topology',
    query: z.object({ minutes }),
    answer: Monitoring,
  },
  logs: {
    method: 'GET',
    path: '/api/monitoring/logs',
    access: 'read',
    summary: 'Log lines, newest first',
    query: z.object({ ...scope, text: text().describe('with this in them') }),
    answer: z.array(LogLine),
  },
  traces: {
    method: 'GET',
    path: '/api/monitoring/traces',
    access: 'read',
    summary: 'Spans, newest first',
    query: z.object({ ...scope, errors: flag().describe('`true`: of failed traces') }),
    answer: z.array(SpanRecord),
  },
});
