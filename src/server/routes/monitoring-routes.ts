import { z } from 'zod';
import type { HostMonitoring } from '#host';
import { Change, LogLine, MetricSeries, SpanRecord, TimeWindow, Topology } from '#spec/data';
import { defineRoute, type Route } from '#spec/ports';
import { readNumber } from './read-json.ts';

const MOST_MINUTES = 360;
const MOST_LISTED = 2_000;

const Monitoring = z.object({
  window: TimeWindow,
  services: z.array(
    z.object({
      service: z.string(),
      health: z.enum(['ok', 'warn', 'bad', 'unknown']),
      requestsPerSecond: z.number().optional(),
      errorRatio: z.number().optional(),
      p95Ms: z.number().optional(),
      versions: z.array(z.string()),
    }),
  ),
  series: z.array(MetricSeries),
  queries: z.array(
    z.object({
      source: z.string(),
      query: z.string(),
      link: z.string().optional(),
      gives: z.array(z.string()),
    }),
  ),
  changes: z.array(Change),
  topology: Topology,
  gaps: z.array(z.object({ en: z.string(), zh: z.string() })),
});

const MINUTES = { minutes: 'how far back, 15 unless said otherwise' };

/** How the observed system does. */
export function monitoringRoutes(monitoring: HostMonitoring): Route[] {
  const scope = (query: URLSearchParams) => {
    const service = query.get('service');
    return {
      ...(service ? { service } : {}),
      minutes: readNumber(query, 'minutes', MOST_MINUTES, 15),
      limit: readNumber(query, 'limit', MOST_LISTED, 200),
    };
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/monitoring',
      access: 'read',
      about: { summary: 'Health, signals, changes and topology', query: MINUTES, answer: Monitoring },
      handle: async ({ query }) => ({
        status: 200,
        body: await monitoring.overview(readNumber(query, 'minutes', MOST_MINUTES, 15)),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/monitoring/logs',
      access: 'read',
      about: {
        summary: 'Log lines, newest first',
        query: {
          ...MINUTES,
          service: 'of this service',
          text: 'with this in them',
          limit: 'at most so many',
        },
        answer: z.array(LogLine),
      },
      handle: async ({ query }) => {
        const text = query.get('text');
        return {
          status: 200,
          body: await monitoring.logs({ ...scope(query), ...(text ? { text } : {}) }),
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/monitoring/traces',
      access: 'read',
      about: {
        summary: 'Spans, newest first',
        query: {
          ...MINUTES,
          service: 'of this service',
          errors: '`true`: of failed traces',
          limit: 'at most so many',
        },
        answer: z.array(SpanRecord),
      },
      handle: async ({ query }) => ({
        status: 200,
        body: await monitoring.traces({ ...scope(query), errors: query.get('errors') === 'true' }),
      }),
    }),
  ];
}
