import type { TelemetryScope } from '#spec/ports';
import type { ServiceLabels } from '../wire/connection-settings.ts';
import { streams } from './logql.ts';
import type { LokiApi } from './loki-api.ts';

/** Streams to ask for. */
export interface ChosenStreams {
  readonly selector: string;
  /** The service of a line, from the labels of its stream. */
  serviceOf(labels: Readonly<Record<string, string>>): string;
}

/** `label` is the one that holds the names, asked for services that have no labels of their own in the settings. */
export async function chooseStreams(
  api: LokiApi,
  { services, window }: Pick<TelemetryScope, 'services' | 'window'>,
  { candidates, own }: { readonly candidates: readonly string[]; readonly own: ServiceLabels },
  signal: AbortSignal,
): Promise<ChosenStreams[]> {
  const present = new Set(await api.labels(window, signal));
  const labels = candidates.filter((label) => present.has(label));
  const [main] = labels;
  const serviceOf = serviceReader(labels, own);
  if (!services)
    return main === undefined ? [] : [{ selector: streams({ [main]: { oneOf: [] } }), serviceOf }];
  const described = services.flatMap((service) => {
    const matchers = own[service];
    if (!matchers) return [];
    const is = Object.entries(matchers).map(([label, value]) => [label, { is: value }] as const);
    return [{ selector: streams(Object.fromEntries(is)), serviceOf: () => service }];
  });
  const byLabel = new Map<string, string[]>();
  let left = services.filter((service) => !own[service]);
  for (const label of labels) {
    if (left.length === 0) break;
    const values = new Set(await api.values(label, window, signal));
    const here = left.filter((service) => values.has(service));
    if (here.length > 0) byLabel.set(label, here);
    left = left.filter((service) => !values.has(service));
  }
  // Nobody has these names; asking all the same shows that there is nothing.
  if (main !== undefined && left.length > 0) byLabel.set(main, [...(byLabel.get(main) ?? []), ...left]);
  const plain = [...byLabel].map(([label, names]) => ({
    selector: streams({ [label]: { oneOf: names } }),
    serviceOf: (stream: Readonly<Record<string, string>>) => stream[label] ?? 'unknown',
  }));
  return [...described, ...plain];
}

/** From the labels of any stream: what the settings say first, then the first label that names a service. */
export const serviceReader =
  (labels: readonly string[], own: ServiceLabels) =>
  (stream: Readonly<Record<string, string>>): string => {
    const described = Object.entries(own).find(([, matchers]) =>
      Object.entries(matchers).every(([label, value]) => stream[label] === value),
    );
    const label = labels.find((name) => stream[name]);
    return described?.[0] ?? (label === undefined ? 'unknown' : (stream[label] as string));
  };
