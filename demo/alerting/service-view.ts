import { INSTRUMENTS } from '../telemetry/instruments.ts';
import type { Sample } from './parse-metrics.ts';

/** What one scrape gave; undefined when nobody answered. */
export interface Scrape {
  readonly at: number;
  readonly samples: readonly Sample[] | undefined;
}

/** A service as it was over the last seconds. */
export interface ServiceView {
  readonly rps: number;
  /** Requests a second, by status code. */
  readonly byCode: Readonly<Record<string, number>>;
  readonly p95Ms: number | undefined;
  /** The fullest pool: 1 is full. */
  readonly poolShare: number;
  readonly poolTimeouts: number;
  readonly memoryBytes: number | undefined;
  readonly memoryShare: number;
  /** Share of scrapes that were answered. */
  readonly up: number;
  readonly restarts: number;
}

const { served, poolUsed, poolMost, poolTimeouts, memory, memoryLimit, restarts } = INSTRUMENTS;

export function viewOf(scrapes: readonly Scrape[]): ServiceView {
  const answered = scrapes.flatMap(({ at, samples }) => (samples ? [{ at, samples }] : []));
  const first = answered[0];
  const last = answered.at(-1);
  const up = scrapes.length ? answered.length / scrapes.length : 1;
  const seconds = first && last ? (last.at - first.at) / 1000 : 0;
  const counts = first && last && seconds > 0 ? increases(first.samples, last.samples) : [];
  const byCode: Record<string, number> = {};
  for (const { name, labels, value } of counts)
    if (name === `${served.prometheus}_count`) {
      const code = labels['code'] ?? '';
      byCode[code] = (byCode[code] ?? 0) + value / seconds;
    }
  const level = (name: string): number | undefined =>
    last?.samples.find((sample) => sample.name === name)?.value;
  const most = level(memoryLimit.prometheus);
  const memoryBytes = level(memory.prometheus);
  return {
    rps: Object.values(byCode).reduce((sum, value) => sum + value, 0),
    byCode,
    p95Ms: quantile(counts, 0.95),
    poolShare: fullestPool(last?.samples ?? []),
    poolTimeouts: total(counts, poolTimeouts.prometheus) / Math.max(1, seconds),
    memoryBytes,
    memoryShare: memoryBytes !== undefined && most ? memoryBytes / most : 0,
    up,
    restarts: level(restarts.prometheus) ?? 0,
  };
}

const keyOf = ({ name, labels }: Sample): string => `${name}${JSON.stringify(labels)}`;

/** How much each counter grew; one that is smaller than before began anew. */
function increases(before: readonly Sample[], after: readonly Sample[]): Sample[] {
  const old = new Map(before.map((sample) => [keyOf(sample), sample.value]));
  return after.map((sample) => {
    const was = old.get(keyOf(sample)) ?? 0;
    return { ...sample, value: sample.value >= was ? sample.value - was : sample.value };
  });
}

const total = (samples: readonly Sample[], name: string): number =>
  samples.reduce((sum, sample) => (sample.name === name ? sum + sample.value : sum), 0);

/** In milliseconds, by linear interpolation within the bucket, as Prometheus does it. */
function quantile(counts: readonly Sample[], share: number): number | undefined {
  const below = new Map<number, number>();
  for (const { name, labels, value } of counts) {
    if (name !== `${served.prometheus}_bucket`) continue;
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    below.set(bound, (below.get(bound) ?? 0) + value);
  }
  const wanted = (below.get(Infinity) ?? 0) * share;
  if (wanted === 0) return undefined;
  let [lower, under] = [0, 0];
  for (const [bound, count] of [...below].sort(([one], [other]) => one - other)) {
    if (count >= wanted) {
      if (bound === Infinity) return lower * 1000;
      return (lower + ((bound - lower) * (wanted - under)) / Math.max(1, count - under)) * 1000;
    }
    [lower, under] = [bound, count];
  }
  return lower * 1000;
}

function fullestPool(samples: readonly Sample[]): number {
  const sizes = new Map(
    samples
      .filter(({ name }) => name === poolMost.prometheus)
      .map(({ labels, value }) => [labels['version'], value]),
  );
  const shares = samples
    .filter(({ name }) => name === poolUsed.prometheus)
    .map(({ labels, value }) => value / (sizes.get(labels['version']) ?? Infinity));
  return Math.max(0, ...shares);
}
