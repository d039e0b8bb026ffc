import type { IncidentBundle, Telemetry } from '#spec/data';
import { replaceName } from './replace-names.ts';
import { ofTelemetry, type Transform } from './transform.ts';

const withBundle = (telemetry: Telemetry, bundle: IncidentBundle): Telemetry => ({ ...telemetry, bundle });

/** The alert without a name, in its field and in its title. */
function without(telemetry: Telemetry, field: 'service' | 'metric'): Telemetry | undefined {
  const { [field]: name, ...bundle } = telemetry.bundle;
  if (name === undefined) return undefined;
  return withBundle(telemetry, { ...bundle, title: replaceName(bundle.title, name, `a ${field}`) });
}

const moved = (minutes: number): Transform =>
  ofTelemetry('cause', (telemetry) => {
    const startsAt = new Date(Date.parse(telemetry.bundle.startsAt) + minutes * 60_000).toISOString();
    return withBundle(telemetry, { ...telemetry.bundle, startsAt });
  });

/** Nothing that came later than this many minutes after the alert. */
const lookedAt = (minutes: number): Transform =>
  ofTelemetry('part', (telemetry) => {
    const { bundle, metrics, logs, spans, changes } = telemetry;
    const until = Date.parse(bundle.startsAt) / 1000 + minutes * 60;
    if (Date.parse(bundle.incident.end) / 1000 <= until) return undefined;
    return {
      ...telemetry,
      bundle: { ...bundle, incident: { ...bundle.incident, end: new Date(until * 1000).toISOString() } },
      metrics: metrics.flatMap((series) => {
        const times = series.times.filter((time) => time <= until);
        return times.length ? [{ ...series, times, values: series.values.slice(0, times.length) }] : [];
      }),
      logs: logs.filter(({ time }) => time <= until),
      spans: spans.filter(({ start, durationMs }) => start + durationMs / 1000 <= until),
      ...(changes ? { changes: changes.filter(({ time }) => Date.parse(time) / 1000 <= until) } : {}),
    };
  });

export const ALERT_TRANSFORMS = {
  'alert-without-service': ofTelemetry('cause', (telemetry) => without(telemetry, 'service')),
  'alert-without-metric': ofTelemetry('cause', (telemetry) => without(telemetry, 'metric')),
  'alert-without-both': ofTelemetry('cause', (telemetry) => {
    const unplaced = without(telemetry, 'service');
    return unplaced && without(unplaced, 'metric');
  }),
  'alert-5-min-earlier': moved(-5),
  'alert-5-min-later': moved(5),
  'looked-at-after-1-min': lookedAt(1),
  'looked-at-after-2-min': lookedAt(2),
  'looked-at-after-5-min': lookedAt(5),
} satisfies Readonly<Record<string, Transform>>;
