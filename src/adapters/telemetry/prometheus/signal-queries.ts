import type { RequestInstrument, LevelInstrument } from './signals/index.ts';
import { VERSION_LABELS } from '../wire/label-names.ts';
import type { FoundInstrument } from './discover.ts';
import { firstOf, type Naming, serviceNaming } from './naming.ts';
import { type Dimensions, requestQueries } from './request-queries.ts';
import { type QueryContext, type SignalQuery, unionOf } from './signal-query.ts';
import { selector } from './promql.ts';

/** The queries for an instrument, none where no label of it names a service. */
export function signalQueries(
  { instrument, labels, serviceLabels, hasBuckets }: FoundInstrument,
  context: QueryContext,
): SignalQuery[] {
  const service = serviceNaming(serviceLabels, labels, context.services, context.asked);
  if (!service) return [];
  return instrument.kind === 'level'
    ? levelQueries(instrument, service, context)
    : requestQueries(instrument, dimensionsOf(instrument, labels, service, context), hasBuckets, context);
}

function dimensionsOf(
  { outcome, peers, versions, side }: RequestInstrument,
  labels: ReadonlySet<string>,
  service: Naming,
  { versionLabels }: QueryContext,
): Dimensions {
  const version = versionLabels ?? versions ?? VERSION_LABELS;
  return {
    service,
    code: outcome?.labels.find((label) => labels.has(label)),
    peer: peers ? firstOf('hermes_peer', peers, labels) : undefined,
    version: side === 'server' ? firstOf('hermes_version', version, labels) : undefined,
  };
}

/** One number for each service. */
function levelQueries(
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
