import { expect, it } from 'vitest';
import { groupSeries } from './group-series.ts';

const series = (service: string, metric: string) => ({ service, metric, times: [1], values: [2] });
const all = [
  series('b', 'latency_p95_ms'),
  series('a', 'latency_p95_ms'),
  series('a', 'latency_p95_ms@v2'),
  series('a', 'errors_503_per_second'),
  series('a', 'connection_pool_connections'),
];

it('puts metrics into the chart that they belong to', () => {
  const charts = groupSeries(all, '');
  expect(
    charts.map(({ signal, unit, series: lines }) => [signal, unit, lines.map(({ label }) => label)]),
  ).toEqual([
    ['codes', '/s', ['a 503']],
    ['latency', 'ms', ['a', 'b']],
  ]);
});

it('shows one service alone where it is chosen', () => {
  expect(groupSeries(all, 'b').flatMap(({ series: lines }) => lines.map(({ label }) => label))).toEqual([
    'b',
  ]);
});
