import type { MetricSeries } from '#spec/data';
import type { ServiceLabels } from '../wire/connection-settings.ts';
import type { RawSeries } from './prometheus-api.ts';

/** Series of a query that somebody wrote. The name keeps every label that does not name the service. */
export function readQuery(
  answer: readonly RawSeries[],
  labelNames: readonly string[],
  own: ServiceLabels,
  asked: readonly string[] | undefined,
): MetricSeries[] {
  const [only] = asked?.length === 1 ? asked : [];
  return answer.flatMap(({ labels, times, values }) => {
    const mapped = Object.entries(own).find(([, matchers]) =>
      Object.entries(matchers).every(([label, value]) => labels[label] === value),
    )?.[0];
    const by = labelNames.find((label) => labels[label]);
    const service = mapped ?? (by === undefined ? undefined : labels[by]);
    // What names no service is of the asked one: the query was written for it.
    if (asked && service !== undefined && !asked.includes(service)) return [];
    const rest = Object.entries(labels).filter(([label]) => label !== '__name__' && label !== by);
    const shown = rest.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',');
    const name = labels['__name__'] ?? 'value';
    const metric = shown ? `${name}{${shown}}` : name;
    return times.length === 0 ? [] : [{ service: service ?? only ?? 'unknown', metric, times, values }];
  });
}
