import type { Change, LogLine, MetricSeries, SpanRecord, Telemetry } from '#spec/data';
import type { Collected, TelemetryScope, TelemetrySources } from '#spec/ports';
import { fail } from '#kit/app-error';

const SERIES_QUERY = /^([^{}()[\]\s]+)?\s*(?:\{\s*(?:service\s*=\s*"([^"]*)")?\s*\})?$/;
const LINES_QUERY = /^\{\s*(?:service\s*=\s*"([^"]*)")?\s*\}\s*(?:\|=\s*"(.*)")?$/;
const SOUNDS_BAD = /error|exception|fail|fatal|panic|time[d ]?\s?out|refused|unavailable|50\d|429/i;

/** A bundle as backends: the same questions get the same answers again, without any of the original ones. */
export function bundleSources(telemetry: Telemetry, name = 'bundle'): TelemetrySources {
  const { metrics, logs, spans, changes, topology } = telemetry;
  return {
    ...(metrics.length ? { metrics: seriesSource(name, metrics) } : {}),
    ...(logs.length ? { logs: linesSource(name, logs) } : {}),
    ...(spans.length || topology
      ? {
          traces: {
            name,
            spans: async (scope, signal) => wholeTraces(spans, scope, signal),
            topology: async (_scope, signal) => {
              signal.throwIfAborted();
              return topology ?? { edges: [] };
            },
          },
        }
      : {}),
    ...(changes
      ? {
          changes: {
            name,
            changes: async (scope, signal) => bounded(changes.filter(changeWithin(scope)), scope, signal),
          },
        }
      : {}),
  };
}

function seriesSource(
  name: string,
  metrics: readonly MetricSeries[],
): NonNullable<TelemetrySources['metrics']> {
  const signals = (all: readonly MetricSeries[], scope: TelemetryScope, signal: AbortSignal) =>
    bounded(
      all.filter(ofServices(scope)).flatMap((series) => clipped(series, scope)),
      scope,
      signal,
    );
  return {
    name,
    signals: async (scope, signal) => signals(metrics, scope, signal),
    async query(query, scope, signal) {
      const [matched, metric, service] = SERIES_QUERY.exec(query.trim()) ?? [];
      if (matched === undefined) throw fail('input.invalid', `'${query}' is not read`, SERIES_HINT);
      const wanted = metrics.filter(
        (series) =>
          (metric === undefined || series.metric === metric) &&
          (service === undefined || series.service === service),
      );
      return signals(wanted, scope, signal);
    },
  };
}
const SERIES_HINT = 'A bundle understands metric{service="name"}.';

function linesSource(name: string, logs: readonly LogLine[]): NonNullable<TelemetrySources['logs']> {
  const lines = (
    scope: TelemetryScope & { readonly text?: string; readonly errorsFirst?: boolean },
    signal: AbortSignal,
  ): Collected<LogLine> => {
    const text = scope.text?.toLowerCase() ?? '';
    const found = logs
      .filter(ofServices(scope))
      .filter(({ time }) => isWithin(time, scope))
      .filter(({ message }) => message.toLowerCase().includes(text));
    const bad = ({ level = '', message }: LogLine): number =>
      SOUNDS_BAD.test(`${level} ${message}`) ? 0 : 1;
    const ordered =
      scope.errorsFirst && found.length > scope.limit
        ? found.toSorted((one, other) => bad(one) - bad(other))
        : found;
    return bounded(ordered, scope, signal);
  };
  return {
    name,
    lines: async (scope, signal) => lines(scope, signal),
    async query(query, scope, signal) {
      const [matched, service, text] = LINES_QUERY.exec(query.trim()) ?? [];
      if (matched === undefined)
        throw fail(
          'input.invalid',
          `'${query}' is not read`,
          'A bundle understands {service="name"} |= "text".',
        );
      const narrowed = service === undefined ? {} : { services: [service] };
      return lines({ ...scope, ...narrowed, ...(text === undefined ? {} : { text }) }, signal);
    },
  };
}

function wholeTraces(
  spans: readonly SpanRecord[],
  scope: TelemetryScope & { readonly errorsOnly?: boolean },
  signal: AbortSignal,
): Collected<SpanRecord> {
  const items: SpanRecord[] = [];
  let cut = false;
  for (const trace of Map.groupBy(spans, ({ traceId }) => traceId).values()) {
    const first = Math.min(...trace.map(({ start }) => start));
    if (!isWithin(first, scope) || !trace.some(ofServices(scope))) continue;
    if (scope.errorsOnly && !trace.some(({ error }) => error)) continue;
    if (items.length + trace.length > scope.limit) {
      cut = true;
      break;
    }
    items.push(...trace);
  }
  signal.throwIfAborted();
  return { items, asked: [], cut };
}

function bounded<T>(found: readonly T[], { limit }: TelemetryScope, signal: AbortSignal): Collected<T> {
  signal.throwIfAborted();
  return { items: found.slice(0, limit), asked: [], cut: found.length > limit };
}

const seconds = (instant: string): number => Date.parse(instant) / 1000;

const isWithin = (time: number, { window }: TelemetryScope): boolean =>
  time >= seconds(window.start) && time <= seconds(window.end);

const ofServices =
  ({ services }: TelemetryScope) =>
  ({ service }: { readonly service: string }): boolean =>
    services?.includes(service) ?? true;

/** A change without a service may be of any. */
const changeWithin =
  (scope: TelemetryScope) =>
  ({ service, time }: Change): boolean =>
    isWithin(seconds(time), scope) && (service === undefined || (scope.services?.includes(service) ?? true));

function clipped(
  { service, metric, times, values }: MetricSeries,
  { window }: TelemetryScope,
): MetricSeries[] {
  const [start, end] = [seconds(window.start), seconds(window.end)];
  const from = times.findIndex((time) => time >= start);
  if (from < 0) return [];
  const after = times.findIndex((time) => time > end);
  const to = after < 0 ? times.length : after;
  return from < to ? [{ service, metric, times: times.slice(from, to), values: values.slice(from, to) }] : [];
}
