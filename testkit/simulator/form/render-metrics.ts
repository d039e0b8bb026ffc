import type { MetricSeries } from '#spec/data';
import { quantileOf } from '../physics/latency.ts';
import type { Play, ServiceField, States } from '../physics/play.ts';
import type { Random } from '../random.ts';
import { rolledShare } from '../world/effect.ts';
import type { Edge, Service } from '../world/system.ts';
import type { World } from '../world/world.ts';
import type { Form, LatencyStatistic } from './form.ts';
import { failureKey, openMetricNames, requestKey } from './metric-names.ts';
import type { Add, MetricScene, SeriesMeaning, Wanted } from './metric-scene.ts';
import { addResources } from './render-resources.ts';
import { openSeries } from './sampled-series.ts';

export interface RenderedMetrics {
  readonly metrics: MetricSeries[];
  readonly meanings: SeriesMeaning[];
}

export function renderMetrics(scene: MetricScene): RenderedMetrics {
  const out: RenderedMetrics = { metrics: [], meanings: [] };
  const add = adder(scene, out);
  for (const service of scene.world.system.services) {
    if (!scene.reporting.has(service.at)) continue;
    const random = scene.random.fork(`service ${service.at}`);
    addTraffic(scene, service, random, add);
    addResources(scene, service, random.fork('resources'), add);
  }
  if (scene.form.byEdge !== 'no') for (const edge of scene.world.system.edges) addEdge(scene, edge, add);
  return out;
}

function adder({ form, played, random }: MetricScene, out: RenderedMetrics): Add {
  const nameOf = openMetricNames(form);
  const series = openSeries(played.times, form);
  return ({ service, key, of, suffix = '', statistic, unit }, sampled) => {
    const parts = {
      ...(unit === undefined ? {} : { unit }),
      ...(statistic === undefined ? {} : { statistic }),
    };
    const metric = `${nameOf(key, parts)}${suffix}`;
    const drawn = series(sampled, random.fork(`gaps ${service} ${metric}`));
    if (!drawn.times.length) return;
    out.metrics.push({ service, metric, ...drawn });
    out.meanings.push({ service, metric, key, of });
  };
}

/** One stream of requests, before it is measured: all of a service, of one version, of one pod, of one edge. */
interface Stream {
  readonly service: string;
  readonly of: SeriesMeaning['of'];
  readonly suffix: string;
  readonly rate: (tick: number) => number;
  readonly fails: (tick: number) => number;
  readonly latency: (tick: number, statistic: LatencyStatistic) => number;
  readonly spread: number;
  readonly burst: number;
}

function addTraffic(scene: MetricScene, service: Service, random: Random, add: Add): void {
  const { world, form, played } = scene;
  const own = played.services[service.at] as States<ServiceField>;
  const { spread, burst } = service;
  const whole: Stream = {
    service: service.name,
    of: 'service',
    suffix: '',
    spread,
    burst,
    rate: (tick) => own.rate[tick] as number,
    fails: (tick) => own.fails[tick] as number,
    latency: (tick, statistic) => latencyOf(own, tick, statistic, spread, 0),
  };
  addStream(scene, whole, random.fork('whole'), add);
  if (form.byVersion)
    for (const part of versionStreams(scene, service, whole))
      addStream(scene, part, random.fork(part.suffix), add);
  if (form.byInstance && service.pods.length > 1)
    for (const part of podStreams(world, form, service, own, whole))
      addStream(scene, part, random.fork(part.suffix), add);
}

/** What a request takes, and `more` milliseconds for all of them. */
function latencyOf(
  own: States<ServiceField>,
  tick: number,
  statistic: LatencyStatistic,
  spread: number,
  more: number,
): number {
  if (statistic === 'avg') return (own.mean[tick] as number) + more;
  const [median, slowShare, slowMs] = [
    (own.median[tick] as number) + more,
    own.slowShare[tick] as number,
    own.slowMs[tick] as number,
  ];
  return quantileOf({ median, spread, slowShare, slowMs }, statistic);
}

function versionStreams({ world, played }: MetricScene, service: Service, whole: Stream): Stream[] {
  const rollout = world.rollouts.find((one) => one.service === service.at);
  if (!rollout) return [];
  const own = played.services[service.at] as States<ServiceField>;
  const share = played.times.map((time) => rolledShare(rollout, time));
  const part = (isNew: boolean): Stream => ({
    ...whole,
    of: 'version',
    suffix: `@${isNew ? rollout.version : rollout.before}`,
    rate: (tick) => whole.rate(tick) * (isNew ? (share[tick] as number) : 1 - (share[tick] as number)),
    fails: (tick) =>
      clamp(
        whole.fails(tick) + (Number(isNew) - (share[tick] as number)) * (own.rolledFails[tick] as number),
      ),
    latency: (tick, statistic) => {
      const more = own.rolledMs[tick] as number;
      if (more <= 0) return whole.latency(tick, statistic);
      const median = (own.median[tick] as number) + (isNew ? more : 0);
      return statistic === 'avg'
        ? median * Math.exp((service.spread * service.spread) / 2)
        : quantileOf({ median, spread: service.spread, slowShare: 0, slowMs: 0 }, statistic);
    },
  });
  return [part(false), part(true)];
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

function podStreams(
  { effects }: World,
  { machineLabel }: Form,
  { pods, at }: Service,
  own: States<ServiceField>,
  whole: Stream,
): Stream[] {
  const bad = effects.find(({ service, node }) => service === at && node !== undefined)?.node;
  const ill = pods.filter(({ node }) => node === bad).length / pods.length;
  return pods.map(({ name, node }) => {
    const apart = (node === bad ? 1 : 0) - ill;
    return {
      ...whole,
      of: 'instance',
      suffix: `{pod="${name}"${machineLabel === undefined ? '' : `,${machineLabel}="${node}"`}}`,
      rate: (tick) => whole.rate(tick) / pods.length,
      fails: (tick) => clamp(whole.fails(tick) + apart * (own.nodeFails[tick] as number)),
      latency: (tick, statistic) =>
        Math.max(0.05, whole.latency(tick, statistic) + apart * (own.nodeMs[tick] as number)),
    };
  });
}

function addEdge(scene: MetricScene, edge: Edge, add: Add): void {
  const { world, form, played, reporting } = scene;
  const byCaller = form.byEdge === 'caller';
  if (!reporting.has(byCaller ? edge.from : edge.to)) return;
  const [from, to] = [world.system.services[edge.from] as Service, world.system.services[edge.to] as Service];
  const own = played.edges[edge.at] as Play['edges'][number];
  const callee = played.services[edge.to] as States<ServiceField>;
  const stream: Stream = {
    service: byCaller ? from.name : to.name,
    of: 'edge',
    suffix: byCaller ? `_to_${to.name}` : `_from_${from.name}`,
    spread: to.spread,
    burst: to.burst,
    rate: (tick) => own.rate[tick] as number,
    // Only the caller sees what the wire takes and what it gave up.
    fails: (tick) => (byCaller ? own.fails : callee.fails)[tick] as number,
    latency: (tick, statistic) =>
      latencyOf(callee, tick, statistic, to.spread, byCaller ? (own.delayMs[tick] as number) : 0),
  };
  addStream(scene, stream, scene.random.fork(`edge ${edge.at}`), add);
}

/** Requests, failures and time of one stream, counted as the form counts. */
function addStream({ form, played }: MetricScene, stream: Stream, random: Random, add: Add): void {
  const { times } = played;
  const { step, signals } = form;
  const { service, of, suffix } = stream;
  const counted = Float64Array.from(times, (_, tick) => countOf(stream.rate(tick) * step, random));
  const failed = Float64Array.from(times, (_, tick) =>
    Math.min(
      counted[tick] as number,
      countFailed(counted[tick] as number, stream.fails(tick), stream.burst, random),
    ),
  );
  const isIdle = (tick: number): boolean => counted[tick] === 0;
  const wanted = { service, of, suffix };
  if (signals.has('requests')) {
    const key = requestKey(form);
    add(
      { ...wanted, key },
      {
        at: (tick) => (counted[tick] as number) / (form.counts === 'rate' ? step : 1),
        adds: form.counts === 'counter',
      },
    );
  }
  if (signals.has('failures')) addFailures(form, { wanted, counted, failed, isIdle }, add);
  if (!signals.has('latency')) return;
  const scale = { ms: 1, s: 1e-3, min: 1 / 60_000 }[form.latencyUnit];
  for (const statistic of form.statistics) {
    const wild = WILDNESS[statistic] * stream.spread;
    add(
      { ...wanted, key: 'latency', statistic, unit: form.latencyUnit },
      {
        at: (tick) =>
          scale *
          stream.latency(tick, statistic) *
          Math.exp((wild * random.normal()) / Math.sqrt(Math.max(1, counted[tick] as number))),
        isIdle,
      },
    );
  }
}

/** How much wilder than the mean of as many requests a statistic is. */
const WILDNESS: Readonly<Record<LatencyStatistic, number>> = {
  avg: 1,
  p50: 1.25,
  p90: 1.8,
  p95: 2.2,
  p99: 4,
};

/** More and less than chance alone would count. */
const LUMPY = 25;
const countOf = (mean: number, random: Random): number =>
  random.poisson((mean * random.gamma(LUMPY)) / LUMPY);

function countFailed(requests: number, share: number, burst: number, random: Random): number {
  if (requests <= 0 || share <= 0) return 0;
  if (share >= 1) return requests;
  // Few at a time come in bursts; of many the share is nearly certain.
  const shape = 1 / Math.max(0.02, burst * (1 - share));
  return random.poisson((requests * share * random.gamma(shape)) / shape);
}

interface Counted {
  readonly wanted: Omit<Wanted, 'key'>;
  readonly counted: Float64Array;
  readonly failed: Float64Array;
  readonly isIdle: (tick: number) => boolean;
}

function addFailures(form: Form, { wanted, counted, failed, isIdle }: Counted, add: Add): void {
  const { failures, counts, ratioUnit, step } = form;
  const key = failureKey(form);
  if (failures === 'count') {
    const per = counts === 'rate' ? step : 1;
    return add(
      { ...wanted, key },
      { at: (tick) => (failed[tick] as number) / per, adds: counts === 'counter' },
    );
  }
  const share = (tick: number): number => (failed[tick] as number) / Math.max(1, counted[tick] as number);
  const isPercent = failures === 'percent' || (failures === 'availability' && ratioUnit === 'percent');
  const scale = isPercent ? 100 : 1;
  add(
    { ...wanted, key },
    { at: (tick) => scale * (failures === 'availability' ? 1 - share(tick) : share(tick)), isIdle },
  );
}
