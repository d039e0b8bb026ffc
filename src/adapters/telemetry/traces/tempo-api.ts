import { z } from 'zod';
import type { SpanRecord, TimeWindow } from '#spec/data';
import type { Connection } from '../wire/open-connection.ts';
import { literal, quoted } from '../wire/query-text.ts';
import { windowMs } from '../wire/time-window.ts';
import { unknownShape } from '../wire/unknown-shape.ts';
import { idOf, otlpSpans } from './otlp-spans.ts';

export interface TempoApi {
  /** The ids of traces that a TraceQL query finds. */
  search(query: string, window: TimeWindow, limit: number, signal: AbortSignal): Promise<string[]>;
  trace(id: string, signal: AbortSignal): Promise<SpanRecord[]>;
}

const Found = z.object({
  traces: z.array(z.object({ traceID: z.string().regex(/^[0-9a-fA-F]{1,32}$/) })).nullish(),
  metrics: z.unknown().optional(),
});

export function tempoApi(connection: Connection): TempoApi {
  return {
    async search(query, window, limit, signal) {
      const { from, to } = windowMs(window);
      const times = { start: Math.floor(from / 1_000), end: Math.floor(to / 1_000) + 1 };
      const value = await connection.read('/api/search', { q: query, ...times, limit, spss: 1 }, signal);
      const found = Found.safeParse(value);
      // An answer without traces still says how much was searched.
      if (!found.success || (!found.data.traces && found.data.metrics === undefined))
        throw unknownShape(connection, '/api/search');
      return (found.data.traces ?? []).map(({ traceID }) => idOf(traceID, 16));
    },
    async trace(id, signal) {
      const spans = otlpSpans(await connection.read(`/api/traces/${id}`, {}, signal));
      if (!spans) throw unknownShape(connection, '/api/traces/<id>');
      return spans;
    },
  };
}

/** Spans of these services, or of all, that failed or did not. */
export function traceQuery(services: readonly string[] | undefined, errorsOnly: boolean): string {
  const [only = ''] = services ?? [];
  const service =
    services &&
    (services.length === 1
      ? `resource.service.name = ${quoted(only)}`
      : `resource.service.name =~ ${quoted(services.map(literal).join('|'))}`);
  const all = [service, errorsOnly ? 'status = error' : undefined].filter((one) => one !== undefined);
  return all.length === 0 ? '{ }' : `{ ${all.join(' && ')} }`;
}
