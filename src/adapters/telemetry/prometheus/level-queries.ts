import type { LevelInstrument } from './signals/index.ts';
import type { Naming } from './naming.ts';
import { selector } from './promql.ts';
import { type QueryContext, type SignalQuery, unionOf } from './signal-query.ts';

/** One number for each service. */
export function levelQueries(
  { metric, family, as, fold, per, scale, where }: LevelInstrument,
  service: Naming,
  { rate, everywhere }: QueryContext,
): SignalQuery[] {
  const read = (selected: string): string => {
    if (as === 'rate') return `rate(${selected}[${rate}s])`;
    return as === 'increase' ? `increase(${selected}[${rate}s])` : selected;
  };
  const folded = (name: string): string => {
    const series = unionOf(service, (matcher) => selector(name, everywhere, where, matcher), read);
    return `${fold} by (${service.by}) (${service.apply(series)})`;
  };
  const own = folded(family);
  const divisor = per?.map(folded).join(' + ');
  const quotient = divisor === undefined ? own : `${own} / (${divisor})`;
  const scaled = scale === undefined ? quotient : `${scale} * ${quotient}`;
  return [{ query: as === 'until' ? `${scaled} - time()` : scaled, by: service.by, metric: () => metric }];
}
