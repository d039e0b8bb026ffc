import type { RequestInstrument } from './signals/index.ts';
import { VERSION_LABELS } from '../wire/label-names.ts';
import type { FoundInstrument } from './discover.ts';
import { levelQueries } from './level-queries.ts';
import { firstOf, type Naming, serviceNaming } from './naming.ts';
import { type Dimensions, requestQueries } from './request-queries.ts';
import type { QueryContext, SignalQuery } from './signal-query.ts';

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
