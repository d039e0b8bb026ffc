import { z } from 'zod';
import type { SpanRecord } from '#spec/data';
import type { Tool } from '#spec/ports';
import { showNumber } from '../rca/show-number.ts';
import { askBackends } from './ask-backends.ts';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import { cell, said, table } from './show-table.ts';
import { spanInput, spanMs, windowBefore } from './time-window.ts';

const MOST_SPANS = 5_000;

interface Input {
  service?: string | undefined;
  error_only: boolean;
  min_duration_ms: number;
  window: string;
  limit: number;
}

export function traceTool({ desk, now }: IncidentToolDeps): Tool {
  return defineIncidentTool<Input>({
    name: 'trace_search',
    description:
      'Finds traces through a service: the slowest or failed ones, and in which span each failure began.',
    input: z.strictObject({
      service: z.string().min(1).max(200).optional(),
      error_only: z.boolean().default(false),
      min_duration_ms: z.number().min(0).max(3_600_000).default(0),
      window: spanInput('15m', '1d'),
      limit: z.int().min(1).max(20).default(10),
    }),
    run: async ({ service, error_only, min_duration_ms, window, limit }, { signal }) => {
      const scope = {
        window: windowBefore(now(), spanMs(window)),
        limit: MOST_SPANS,
        errorsOnly: error_only,
        ...(service === undefined ? {} : { services: [service] }),
      };
      const { items, cut, notes } = await askBackends(
        await desk.sources(),
        'traces',
        scope.window,
        (source, stop) => source.spans(scope, stop),
        { now, signal },
      );
      const traces = [...Map.groupBy(items, ({ traceId }) => traceId).values()]
        .flatMap(readTrace)
        .filter(({ ms, failed }) => ms >= min_duration_ms && (!error_only || failed > 0))
        .toSorted((one, other) => Math.sign(other.failed) - Math.sign(one.failed) || other.ms - one.ms);
      const rows = traces
        .slice(0, limit)
        .map(({ id, root, ms, spans, failed, origin }) => [
          id.slice(0, 32),
          cell(root, 80),
          `${showNumber(ms)} ms`,
          String(spans),
          String(failed),
          cell(origin, 120),
        ]);
      const text = rows.length
        ? table(['trace', 'root', 'duration', 'spans', 'failed', 'failed first / slowest own part'], rows)
        : 'No trace in this window.';
      const bad = traces.filter(({ failed }) => failed > 0).length;
      const more = [
        `${traces.length} traces, ${bad} of them with failures${cut ? '; there are more than were looked at' : ''}`,
      ];
      return said([text, ...more, ...notes].join('\n'), more[0] ?? '', { traces: traces.slice(0, limit) });
    },
  });
}

interface ReadTrace {
  readonly id: string;
  readonly root: string;
  readonly ms: number;
  readonly spans: number;
  readonly failed: number;
  readonly origin: string;
}

function readTrace(spans: readonly SpanRecord[]): ReadTrace[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const root = spans.find(({ parentId }) => !parentId || !ids.has(parentId)) ?? spans[0];
  if (!root) return [];
  const failed = spans.filter(({ error }) => error);
  const children = Map.groupBy(spans, ({ parentId }) => parentId ?? '');
  const own = (span: SpanRecord): number =>
    span.durationMs - (children.get(span.spanId) ?? []).reduce((sum, child) => sum + child.durationMs, 0);
  const first = failed.find(({ spanId }) => !children.get(spanId)?.some(({ error }) => error));
  const telling = first ?? spans.toSorted((one, other) => own(other) - own(one))[0];
  const name = (span: SpanRecord): string => `${span.service} ${span.operation}`;
  return [
    {
      id: root.traceId,
      root: name(root),
      ms: root.durationMs,
      spans: spans.length,
      failed: failed.length,
      origin: telling ? `${name(telling)} (${showNumber(Math.max(0, own(telling)))} ms itself)` : '-',
    },
  ];
}
