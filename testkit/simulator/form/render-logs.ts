import type { LogLine } from '#spec/data';
import type { Play, ServiceField, States } from '../physics/play.ts';
import type { Random } from '../random.ts';
import { drawSymbol } from '../world/code.ts';
import { levelOf, rolledShare } from '../world/effect.ts';
import type { Edge, Service } from '../world/system.ts';
import type { World } from '../world/world.ts';
import { complain, grumble, passedOn, usual, vague } from './complaints.ts';
import type { Form } from './form.ts';

export interface LogScene {
  readonly world: World;
  readonly form: Form;
  readonly played: Play;
  /** When the incident's samples begin, as a tick. */
  readonly since: number;
  readonly random: Random;
}

type Level = 'info' | 'warn' | 'error';

/** Of the lines of requests that failed, many times more are kept than of those that did not. */
const KEPT_FAILURES = 25;
const GRUMBLES = 0.04;
/** How often a program that suffers says so without a request having failed. */
const SUFFERS = 0.12;

/** Lines of programs, half of them from either window; what each says follows from how its service does at that instant. */
export function renderLogs(scene: LogScene): LogLine[] {
  const { world, form, played, since, random } = scene;
  if (form.logs === 'none') return feedLines(scene);
  const talking = world.system.services.filter(
    ({ role, at }) => (role === 'entry' || role === 'service') && random.fork(`talks ${at}`).chance(0.9),
  );
  const told = openComplaints(scene);
  const lines = Array.from({ length: talking.length ? form.logLines : 0 }, (_, line): LogLine => {
    const during = line % 2 === 1;
    const tick = during ? random.int(since, played.times.length - 1) : random.int(0, since - 1);
    const service = random.weighted(
      talking.map((one) => [
        one,
        ((played.services[one.at] as States<ServiceField>).rate[tick] as number) ** 0.5 + 0.01,
      ]),
    );
    const { level, text } = told(service, tick, random);
    const time = (played.times[tick] as number) + Math.round(random.unit() * form.step * 1000) / 1000;
    return written({ time, service, level, text }, scene);
  });
  return [...lines, ...feedLines(scene)].toSorted((one, other) => one.time - other.time);
}

interface Told {
  readonly level: Level;
  readonly text: string;
}

/** What one program says at one instant. */
function openComplaints({
  world,
  form,
  played,
}: LogScene): (service: Service, tick: number, random: Random) => Told {
  const leaving = world.system.services.map(({ at }) => world.system.edges.filter(({ from }) => from === at));
  const nameOf = (at: number): string => world.system.services[at]?.name ?? 'upstream';
  return (service, tick, random) => {
    const own = played.services[service.at] as States<ServiceField>;
    const time = played.times[tick] as number;
    const word = random.pick(service.words);
    const about = {
      symbol: drawSymbol(service.words, random),
      other: nameOf(leaving[service.at]?.[0]?.to ?? -1),
      word,
      random,
    };
    const hurt = hurtOf(world, service, leaving[service.at] ?? [], time);
    const aware = hurt && form.outspoken;
    const fails = own.fails[tick] as number;
    if (random.chance((fails * KEPT_FAILURES) / (1 + fails * KEPT_FAILURES))) {
      const edge = failingEdge(leaving[service.at] ?? [], played, tick, own.ownFails[tick] as number, random);
      const mine = edge === undefined || hurt?.edge === edge.at;
      if (mine && hurt)
        return {
          level: 'error',
          text: aware
            ? complain(world.says, { ...about, symbol: world.symbol, other: nameOf(hurt.other ?? -1) })
            : vague(about),
        };
      return { level: 'error', text: edge ? passedOn({ ...about, other: nameOf(edge.to) }) : vague(about) };
    }
    if (aware && random.chance(SUFFERS * hurt.level))
      return {
        level: 'warn',
        text: complain(world.says, { ...about, symbol: world.symbol, other: nameOf(hurt.other ?? -1) }),
      };
    if (random.chance(GRUMBLES)) return { level: random.pick(['warn', 'error']), text: grumble(about) };
    return { level: 'info', text: usual(about) };
  };
}

interface Hurt {
  readonly level: number;
  /** Whom it is about, and over which edge. */
  readonly other?: number;
  readonly edge?: number;
}

/** How much the fault itself touches this program, directly or on a call that it makes. Stores and vendors keep no log here. */
function hurtOf(
  { effects, place, system }: World,
  { at }: Service,
  leaving: readonly Edge[],
  time: number,
): Hurt | undefined {
  if (place.kind === 'none') return undefined;
  for (const effect of effects) {
    const level = levelOf(effect, time) * (effect.rollout ? rolledShare(effect.rollout, time) : 1);
    if (level <= 0 || effect.until !== undefined) continue;
    if (effect.load !== undefined) return system.services[at]?.role === 'entry' ? { level } : undefined;
    if (effect.service === at) return { level };
    const edge = leaving.find(
      (one) => one.at === effect.edge || (one.to === effect.service && !isProgram(system, one.to)),
    );
    if (edge) return { level, other: edge.to, edge: edge.at };
  }
  return undefined;
}

const isProgram = ({ services }: World['system'], at: number): boolean =>
  services[at]?.role === 'service' || services[at]?.role === 'entry';

/** The edge whose call failed, or undefined where the program itself did. */
function failingEdge(
  leaving: readonly Edge[],
  { edges }: Play,
  tick: number,
  ownFails: number,
  random: Random,
): Edge | undefined {
  const weighed = leaving.map(
    (edge) => [edge, edge.needs * ((edges[edge.at] as Play['edges'][number]).fails[tick] as number)] as const,
  );
  const all: (readonly [Edge | undefined, number])[] = [[undefined, ownFails + 1e-9], ...weighed];
  return random.weighted(all);
}

interface Line {
  readonly time: number;
  readonly service: Service;
  readonly level: Level;
  readonly text: string;
}

function written({ time, service, level, text }: Line, { form, world, random }: LogScene): LogLine {
  const symbol = text.includes(world.symbol) ? world.symbol : drawSymbol(service.words, random);
  const pod = service.pods.length && random.chance(0.5) ? { pod: random.pick(service.pods).name } : {};
  const line = { time, service: service.name, ...pod, ...(form.logLevels ? { level } : {}) };
  if (form.logs === 'json')
    return { ...line, message: JSON.stringify({ level, msg: text, req: random.hex(8) }) };
  if (form.logs === 'logfmt')
    return { ...line, message: `level=${level} msg=${JSON.stringify(text)} id=${random.hex(6)}` };
  if (form.logs === 'stack' && level === 'error')
    return {
      ...line,
      message: `${text}\n    at ${symbol} (${service.words[0]}.ts:${random.int(10, 400)}:${random.int(2, 40)})\n    at handle (server.ts:${random.int(10, 90)}:5)`,
    };
  return { ...line, message: text };
}

const FINE = ['All systems operational', 'No known issues', 'Scheduled maintenance completed'];
const OUTAGES = [
  'Investigating elevated error rates',
  'Identified: partial outage of the API',
  'Degraded performance for some customers',
];

/** The status pages of every vendor, which mostly say that all is well. */
function feedLines({ world, form, played, random }: LogScene): LogLine[] {
  if (form.feed === 'none') return [];
  const [first = 0, last = 0] = [played.times[0], played.times.at(-1)];
  return world.system.services.flatMap((vendor) => {
    if (vendor.role !== 'vendor') return [];
    const own = random.fork(`feed ${vendor.at}`);
    const service = form.feed === 'convention' ? `status-feed:${vendor.name}` : `${vendor.name}-statuspage`;
    const isDown = world.place.kind === 'outside' && world.place.service === vendor.at;
    const admits = world.moment + own.logBetween(120, 3_600);
    const line = (time: number, message: string): LogLine => ({ time: Math.round(time), service, message });
    const quiet = [
      line(first, own.pick(FINE)),
      line(first + own.unit() * (last - first) * 0.6, own.pick(FINE)),
    ];
    return isDown && admits <= last && own.chance(0.7) ? [...quiet, line(admits, own.pick(OUTAGES))] : quiet;
  });
}
