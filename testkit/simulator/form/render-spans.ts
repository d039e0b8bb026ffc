import type { SpanRecord } from '#spec/data';
import type { Play, ServiceField, States } from '../physics/play.ts';
import type { Random } from '../random.ts';
import type { Edge, Service } from '../world/system.ts';
import type { World } from '../world/world.ts';
import type { Form } from './form.ts';

export interface SpanScene {
  readonly world: World;
  readonly form: Form;
  readonly played: Play;
  readonly since: number;
  readonly reporting: ReadonlySet<number>;
  readonly random: Random;
}

const MOST_SPANS = 60;
const MOST_REPEATS = 3;

/** Sampled requests, as many in either window. */
export function renderSpans(scene: SpanScene): SpanRecord[] {
  const { world, form, played, since, random } = scene;
  const entries = world.system.services.filter(({ role }) => role === 'entry');
  const leaving = world.system.services.map(({ at }) => world.system.edges.filter(({ from }) => from === at));
  return Array.from({ length: 2 * form.traces }, (_, trace) => {
    const own = random.fork(`trace ${trace}`);
    const tick = trace % 2 ? own.int(since, played.times.length - 1) : own.int(0, since - 1);
    const start = (played.times[tick] as number) + own.unit() * form.step;
    const walk: Walk = { ...scene, leaving, tick, random: own, spans: [], traceId: own.hex(16) };
    call(walk, own.pick(entries), null, start);
    return walk.spans;
  }).flat();
}

interface Walk extends SpanScene {
  readonly leaving: readonly (readonly Edge[])[];
  readonly tick: number;
  readonly spans: SpanRecord[];
  readonly traceId: string;
}

interface Called {
  readonly ms: number;
  readonly failed: boolean;
}

/** One request at one service and everything below it, written down where the service reports. */
function call(walk: Walk, service: Service, parentId: string | null, start: number): Called {
  const { played, tick, random, spans, reporting } = walk;
  const own = played.services[service.at] as States<ServiceField>;
  const spanId = random.hex(8);
  const place = spans.length;
  const seen = reporting.has(service.at);
  const slow = random.chance(own.ownSlowShare[tick] as number) ? (own.ownSlowMs[tick] as number) : 0;
  let ms =
    ((own.alone[tick] as number) + slow) * Math.exp(service.spread * random.normal()) +
    (own.poolWaitMs[tick] as number);
  let failed = random.chance(own.ownFails[tick] as number);
  for (const edge of walk.leaving[service.at] ?? []) {
    const rate =
      ((played.edges[edge.at] as Play['edges'][number]).rate[tick] as number) /
      Math.max(own.rate[tick] as number, 1e-9);
    const times = Math.min(MOST_REPEATS, Math.floor(rate) + (random.chance(rate % 1) ? 1 : 0));
    for (let time = 0; time < times && spans.length < MOST_SPANS; time++) {
      const done = callOver(walk, edge, seen ? spanId : parentId, start + ms / 1000);
      if (!edge.async) ms += done.ms;
      failed ||= done.failed && random.chance(edge.needs);
    }
  }
  if (seen)
    spans.splice(
      place,
      0,
      span(walk, {
        spanId,
        parentId,
        service: service.name,
        operation: operationOf(service),
        start,
        ms,
        failed,
      }),
    );
  return { ms, failed };
}

/** One call over one edge: the wire, the callee, and the caller's patience. */
function callOver(walk: Walk, edge: Edge, parentId: string | null, start: number): Called {
  const { played, tick, random, spans, form, world, reporting } = walk;
  const wire = played.edges[edge.at] as Play['edges'][number];
  const callee = world.system.services[edge.to] as Service;
  const delay = wire.delayMs[tick] as number;
  const spanId = random.hex(8);
  const place = spans.length;
  const own = reporting.has(edge.from) && (form.clientSpans || !reporting.has(edge.to));
  const lost = random.chance(wire.wireFails[tick] as number);
  const done = lost
    ? { ms: 1, failed: true }
    : call(walk, callee, own ? spanId : parentId, start + delay / 2000);
  const limit = wire.limit[tick] as number;
  const gaveUp = done.ms + delay > limit;
  const result = { ms: Math.min(limit, done.ms + delay), failed: done.failed || gaveUp };
  if (own)
    spans.splice(place, 0, {
      ...span(walk, {
        spanId,
        parentId,
        service: world.system.services[edge.from]?.name ?? '',
        operation: callee.role === 'database' ? 'SELECT' : `call ${callee.words[0]}`,
        start,
        ...result,
      }),
      attributes: { 'peer.service': callee.name },
    });
  return result;
}

interface SpanParts extends Called {
  readonly spanId: string;
  readonly parentId: string | null;
  readonly service: string;
  readonly operation: string;
  readonly start: number;
}

const span = ({ traceId }: Walk, { ms, failed, start, ...parts }: SpanParts): SpanRecord => ({
  traceId,
  ...parts,
  start: Math.round(start * 1e6) / 1e6,
  durationMs: Math.round(ms * 1000) / 1000,
  ...(failed ? { error: true } : {}),
});

const operationOf = ({ role, words }: Service): string =>
  role === 'entry' ? `GET /${words[0]}` : role === 'service' ? `${words[0]}.${words[1]}` : role;
