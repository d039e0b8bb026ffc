import type { Telemetry } from '#spec/data';
import { splitMetric } from './metric-name.ts';

const FEED = /^status[-_ ]?(?:feed|page)\W+(?<vendor>.+)$/i;
const OTHER_END = /^_(?:from|to)_(?<end>[^@]+)/;

/** Whose status page writes under this name, if it is one. */
export const vendorOf = (service: string): string | undefined => FEED.exec(service)?.groups?.['vendor'];

/** Every service that a case names in a field, in order of their names. Status pages of others are none. */
export function servicesOf({ bundle, metrics, logs, spans, changes = [], topology }: Telemetry): string[] {
  const named = [
    bundle.service,
    ...[...metrics, ...logs, ...spans, ...changes].map(({ service }) => service),
    ...metrics.map(({ metric }) => OTHER_END.exec(splitMetric(metric).tail)?.groups?.['end']),
    ...(topology?.edges ?? []).flatMap(({ from, to }) => [from, to]),
  ];
  return [...new Set(named)]
    .filter((name) => name !== undefined)
    .filter((name) => vendorOf(name) === undefined)
    .toSorted();
}
