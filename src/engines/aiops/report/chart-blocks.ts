import type { Spoken } from '#kit/text';
import type { Change, Evidence } from '#spec/data';
import type { Block } from './block.ts';
import { type LineChart, MOST_SERIES } from './line-chart.ts';
import { endOf, type ReportInput } from './report-input.ts';
import { wordsOf } from './words.ts';

const MOST_CHARTS = 12;

/** Exactly what was measured, for each piece of evidence that rests on series, with what people did at the time. */
export function chartBlocks(input: ReportInput): Block[] {
  const { incident, results, language } = input;
  const words = wordsOf(language);
  const markers = markersOf(input);
  const drawn = new Set<string>();
  const charts = orderedEvidence(input).flatMap((evidence): LineChart[] => {
    const series = results[evidence.id]?.series?.filter(({ times }) => times.length > 1) ?? [];
    // Two pieces of evidence may rest on the same series.
    const key = series.map(({ service, metric }) => `${service}\n${metric}`).join('\n\n');
    if (!series.length || drawn.has(key)) return [];
    drawn.add(key);
    const left = series.length - MOST_SERIES;
    const window = windowOf(input, Math.max(...series.map(({ times }) => times.at(-1) ?? 0)));
    return [
      {
        title: `${evidence.id}: ${evidence.summary}${left > 0 ? ` (${left} ${words.moreSeries})` : ''}`,
        unit: unitOf(series.map(({ metric }) => metric)),
        series: series.map(({ service, metric, times, values }) => ({
          name: `${service} ${metric}`,
          times,
          values,
        })),
        ...(window ? { window } : {}),
        markers,
        words,
      },
    ];
  });
  if (!charts.length || !incident.rca) return [];
  return [
    { kind: 'heading', level: 3, text: words.charts },
    ...charts.slice(0, MOST_CHARTS).map((chart): Block => ({ kind: 'chart', chart })),
  ];
}

/** What the likeliest hypothesis rests on first. */
function orderedEvidence({ incident }: ReportInput): readonly Spoken<Evidence>[] {
  const { rca } = incident;
  const cited = rca?.hypotheses.flatMap(({ supports, refutes }) => [...supports, ...refutes]) ?? [];
  const place = new Map(cited.toReversed().map((id, index) => [id, cited.length - index]));
  const rank = ({ id }: Pick<Evidence, 'id'>): number => place.get(id) ?? Infinity;
  return (rca?.evidence ?? []).toSorted((one, other) => rank(one) - rank(other) || 0);
}

function windowOf(input: ReportInput, last: number): { from: number; to: number } | undefined {
  const from = Date.parse(input.incident.startsAt) / 1000;
  const end = endOf(input);
  const to = end === undefined ? last : end / 1000;
  return Number.isFinite(from) && to > from ? { from, to } : undefined;
}

function markersOf({ incident, results }: ReportInput): { at: number; label: string }[] {
  const changes = new Map<string, Change>();
  for (const result of Object.values(results))
    for (const change of result.changes ?? []) changes.set(change.id, change);
  const done = incident.execution?.status === 'done' ? incident.execution : undefined;
  return [
    ...[...changes.values()].map(({ time, kind, id, service }) => ({
      at: Date.parse(time) / 1000,
      label: [kind, service, id.slice(0, 12)].filter(Boolean).join(' '),
    })),
    ...(done && incident.action ? [{ at: done.endedAt / 1000, label: incident.action.operation }] : []),
  ].toSorted((one, other) => one.at - other.at);
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_(?:ms|milliseconds)(?:_|$)|latency_p\d+$/, 'ms'],
  [/per_second|_rps$|_qps$/, '1/s'],
  [/_seconds(?:_|$)/, 's'],
  [/bytes/, 'B'],
  [/percent|_pct$/, '%'],
];

/** What the numbers are, as far as their names tell; nothing where they do not agree. */
function unitOf(metrics: readonly string[]): string {
  const units = new Set(metrics.map((metric) => UNITS.find(([pattern]) => pattern.test(metric))?.[1] ?? ''));
  return units.size === 1 ? ([...units][0] ?? '') : '';
}
