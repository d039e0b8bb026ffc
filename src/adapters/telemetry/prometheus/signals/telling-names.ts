import type { LevelInstrument } from './instrument.ts';

/** Words in the name of an application's own metric that make it worth looking at without being told. */
const TELLING =
  /(?:pool|queue|backlog|in_?flight|in_use|pending|waiting|saturat|reject|timeout|throttl|rate_?limit|exhaust|cache_(?:hit|miss)|evict|lag(?:_|$)|retries|failures?|errors?(?:_|$)|circuit|dropped)/;
/** What the catalogue reads on purpose, what monitoring says about itself, and parts of other families. */
const NOT_TELLING =
  /^(?:prometheus|alertmanager|promhttp|scrape|net_conntrack|go|process|python|nodejs|jvm|node|kube|kubelet|container|machine|apiserver|etcd|coredns|istio|envoy|traces?|redis|mysql|pg|rabbitmq|kafka|loki|tempo|jaeger|otelcol|cadvisor|rest_client|workqueue|ALERTS)_|_(?:bucket|sum|count|created|info)$|:/;
const MOST = 24;

/** Metrics that are in no catalogue, from their names alone: counters as rates, the rest as they are. */
export function tellingInstruments(names: ReadonlySet<string>, read: ReadonlySet<string>): LevelInstrument[] {
  const found = [...names]
    .filter((name) => !read.has(name) && TELLING.test(name) && !NOT_TELLING.test(name))
    .toSorted()
    .slice(0, MOST);
  return found.map((family) => ({
    kind: 'level',
    family,
    fold: 'sum',
    ...(family.endsWith('_total')
      ? { as: 'rate', metric: family.replace(/_total$/, '_per_second') }
      : { as: 'gauge', metric: family }),
  }));
}
