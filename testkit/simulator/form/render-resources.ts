import type { Play, ServiceField, States } from '../physics/play.ts';
import type { Random } from '../random.ts';
import type { Service } from '../world/system.ts';
import type { Form } from './form.ts';
import type { MetricKey } from './metric-names.ts';
import type { Add, MetricScene, Wanted } from './metric-scene.ts';

const LIMIT_BYTES = 2_147_483_648;

/** Everything that is measured of a service besides its requests. */
export function addResources(scene: MetricScene, service: Service, random: Random, add: Add): void {
  const { world, form, played } = scene;
  const own = played.services[service.at] as States<ServiceField>;
  const jitter = (size: number): number => Math.exp(size * random.normal());
  const value = (field: ServiceField, tick: number): number => own[field][tick] as number;
  const put = (
    key: MetricKey,
    at: (tick: number) => number,
    parts: Partial<Wanted> & { adds?: boolean } = {},
  ): void => {
    const { adds = false, ...rest } = parts;
    add({ service: service.name, key, of: 'service', ...rest }, { at, adds });
  };
  const ratio = form.ratioUnit === 'percent' ? 100 : 1;
  const sized =
    (share: (tick: number) => number) =>
    (tick: number): number =>
      share(tick) * { bytes: LIMIT_BYTES, megabytes: LIMIT_BYTES / 1_048_576, percent: 100 }[form.sizeUnit];
  const has = (signal: Parameters<Form['signals']['has']>[0]): boolean => form.signals.has(signal);
  const cumulative = form.counts === 'counter';
  const isProgram = service.role === 'entry' || service.role === 'service';
  const counter =
    (rate: (tick: number) => number) =>
    (tick: number): number =>
      random.poisson(rate(tick) * form.step);
  const asks = world.system.edges.filter(
    ({ from, to }) => from === service.at && world.system.services[to]?.role === 'database',
  );
  const idle = random.between(0.005, 0.08);
  if (has('cpu')) put('cpu', (tick) => ratio * Math.min(1.02, idle + value('busy', tick)) * jitter(0.06));
  if (has('memory'))
    put(
      'memory',
      sized((tick) => value('memory', tick) * jitter(0.003)),
      { unit: form.sizeUnit },
    );
  if (has('disk') && service.role !== 'cache')
    put(
      'disk',
      sized((tick) => value('disk', tick) * jitter(0.001)),
      { unit: form.sizeUnit },
    );
  if (has('network')) {
    const size = random.logBetween(400, 40_000);
    put('rx', (tick) => value('rate', tick) * size * 0.3 * jitter(0.3));
    put('tx', (tick) => value('rate', tick) * size * jitter(0.3));
  }
  if (has('in_flight')) put('in_flight', (tick) => random.poisson(value('inFlight', tick)));
  if (has('pool') && asks.length && isProgram) {
    const size = Math.round(random.logBetween(5, 60));
    put('pool_used', (tick) => Math.min(size, random.poisson(value('poolShare', tick) * size)));
    put('pool_wait', (tick) => (value('poolWaitMs', tick) + 0.05) * jitter(0.3));
  }
  if (has('queue') && service.role === 'queue')
    put('depth', (tick) => Math.round(value('depth', tick) * jitter(0.25)));
  if (has('hits') && service.role === 'cache') {
    const usual = random.between(0.7, 0.98);
    put('hits', (tick) => ratio * usual * value('hits', tick) * (1 - value('fails', tick)) * jitter(0.01));
  }
  if (has('restarts'))
    put(
      'restarts',
      counter((tick) => value('restarts', tick)),
      { adds: true },
    );
  if (has('replicas') && service.pods.length)
    put('replicas', (tick) => Math.round(service.pods.length * (1 - 0.7 * value('gone', tick))));
  if (has('refused'))
    put(
      'refused',
      counter((tick) => value('rate', tick) * value('refused', tick)),
      { adds: cumulative },
    );
  if (has('timeouts') && isProgram) {
    const out = world.system.edges
      .filter(({ from }) => from === service.at)
      .map(({ at }) => played.edges[at] as Play['edges'][number]);
    put(
      'timeouts',
      counter((tick) =>
        out.reduce((sum, { rate, timeouts }) => sum + (rate[tick] as number) * (timeouts[tick] as number), 0),
      ),
      { adds: cumulative },
    );
  }
  if (has('node') && service.pods[0]) addNode(scene, service, random, put);
  if (has('expiry') && service.role !== 'cache') addExpiry(scene, service, random, put);
  if (has('business')) {
    const each = random.between(0.05, 1);
    put(
      'business',
      counter((tick) => value('rate', tick) * (1 - value('fails', tick)) * each),
      { adds: cumulative },
    );
  }
}

type Put = (key: MetricKey, at: (tick: number) => number, parts?: Partial<Wanted>) => void;

/** The machine below the first pod: what all its pods burn together. */
function addNode({ world, form, played }: MetricScene, { pods }: Service, random: Random, put: Put): void {
  const node = pods[0]?.node;
  const on = world.system.services.filter((service) => service.pods.some((pod) => pod.node === node));
  const ill = world.effects.filter((effect) => effect.node === node && effect.burn !== undefined)[0];
  const ratio = form.ratioUnit === 'percent' ? 100 : 1;
  const mean = (field: ServiceField, tick: number): number =>
    on.reduce(
      (sum, { at }) => sum + ((played.services[at] as States<ServiceField>)[field][tick] as number),
      0,
    ) / on.length;
  put(
    'node_cpu',
    (tick) => {
      const burnt = ill && (played.times[tick] as number) >= ill.from ? (ill.burn ?? 0) : 0;
      return ratio * Math.min(1, 0.05 + 0.8 * mean('busy', tick) + burnt) * Math.exp(0.08 * random.normal());
    },
    { of: 'node' },
  );
  put(
    'node_memory',
    (tick) => ratio * Math.min(1, mean('memory', tick)) * Math.exp(0.004 * random.normal()),
    { of: 'node' },
  );
}

/** Days until a certificate runs out: a straight line down, for one of them through zero. */
function addExpiry({ world, played }: MetricScene, service: Service, random: Random, put: Put): void {
  const usual = random.between(8, 300);
  const isCulprit = world.says === 'certificate' && world.place.service === service.at;
  put('expiry', (tick) => {
    const left = (world.moment - (played.times[tick] as number)) / 86_400;
    return isCulprit ? left : usual + left;
  });
}
