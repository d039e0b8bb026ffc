import { useMemo } from 'react';
import type { Change, EvidenceResult, MetricSeries } from '#spec/data';
import type { Evidence, Incident } from '../../domains/incident/records.ts';
import { metricUnit } from '../../domains/format/metric-unit.ts';
import { Badge } from '../../ui/badge.tsx';
import { Chart } from '../../ui/chart.tsx';
import { useText } from '../../domains/language/language.tsx';
import { telemetryText } from '../../domains/telemetry/text.ts';
import { LogLines } from '../../domains/telemetry/log-lines.tsx';
import { Traces } from '../../domains/telemetry/traces.tsx';
import { Time } from '../../ui/time.tsx';

const MOST_LINES = 8;
const seconds = (instant: string | number) => new Date(instant).getTime() / 1000;

/** The measurement behind a piece of evidence, each kind in its own way. */
export function EvidenceView(props: {
  readonly result: EvidenceResult;
  readonly evidence: Evidence;
  readonly incident: Incident;
}) {
  const { result, evidence, incident } = props;
  return (
    <>
      {result.series?.length ? (
        <Series series={result.series} evidence={evidence} incident={incident} />
      ) : null}
      {result.lines?.length ? <LogLines lines={result.lines} most={MOST_LINES} /> : null}
      {result.spans?.length ? <Traces spans={result.spans} most={3} /> : null}
      {result.changes?.length ? <Changes changes={result.changes} /> : null}
    </>
  );
}

/** What is measured in different units cannot share an axis: one chart for each. */
function Series(props: {
  readonly series: NonNullable<EvidenceResult['series']>;
  readonly evidence: Evidence;
  readonly incident: Incident;
}) {
  const { series, evidence, incident } = props;
  const charts = useMemo(
    () =>
      [...Map.groupBy(series, ({ metric }) => metricUnit(metric))].map(([unit, lines]) => ({ unit, lines })),
    [series],
  );
  return charts.map(({ unit, lines }) => (
    <UnitChart key={unit} unit={unit} series={lines} evidence={evidence} incident={incident} />
  ));
}

function UnitChart(props: {
  readonly unit: string;
  readonly series: readonly MetricSeries[];
  readonly evidence: Evidence;
  readonly incident: Incident;
}) {
  const { unit, series, evidence, incident } = props;
  const services = new Set(series.map(({ service }) => service));
  const many = services.size > 1;
  const lines = useMemo(
    () =>
      series.map(({ metric, service, times, values }) => ({
        label: many ? `${metric} · ${service}` : metric,
        times,
        values,
      })),
    [series, many],
  );
  const last = Math.max(...series.map(({ times }) => times.at(-1) ?? 0));
  const windows = useMemo(() => {
    const end = incident.closedAt === undefined ? last : Math.min(last, incident.closedAt / 1000);
    return [{ start: Math.min(seconds(evidence.at ?? incident.startsAt), end), end }];
  }, [evidence.at, incident.startsAt, incident.closedAt, last]);
  const [only] = lines;
  return (
    <Chart
      title={
        lines.length === 1 && only ? `${only.label} · ${[...services].join(', ')}` : [...services].join(', ')
      }
      series={lines}
      unit={unit}
      windows={windows}
      height={120}
      plain={lines.length === 1}
    />
  );
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const { change: kinds } = useText(telemetryText);
  return (
    <ul className="stack">
      {changes.map((change) => (
        <li key={change.id} className="notice info">
          <div className="row">
            <Badge tone="info">{kinds[change.kind]}</Badge>
            <strong>{change.service}</strong>
            <Time at={change.time} />
          </div>
          <div className="wrap">{change.summary}</div>
          <code className="muted">{change.id}</code>
        </li>
      ))}
    </ul>
  );
}
