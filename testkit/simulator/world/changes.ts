import type { Random } from '../random.ts';
import { type CodeNature, drawCode, drawSymbol } from './code.ts';
import type { Rollout } from './effect.ts';
import { drawRollout, type Fault, type Guilt } from './faults.ts';
import type { Service, System } from './system.ts';

/** Something that people did, as fully as it could be recorded; the form decides how much of it is. */
export interface WorldChange {
  readonly id: string;
  readonly kind: 'deploy' | 'commit' | 'config' | 'flag';
  readonly service: string | undefined;
  readonly time: number;
  readonly summary: string;
  readonly files?: readonly string[];
  readonly diff?: string;
  readonly commit?: string;
  readonly rollout?: Rollout;
  readonly setting?: { readonly key: string; readonly from: string | number; readonly to: string | number };
}

export interface ChangeScene {
  readonly system: System;
  readonly moment: number;
  readonly delay: number;
  readonly fault: Fault;
  readonly random: Random;
}

export interface DrawnChanges {
  readonly all: readonly WorldChange[];
  readonly guilty: readonly string[];
  readonly rollouts: readonly Rollout[];
  readonly symbol: string;
}

/** A change that caused it and that nobody wrote down. */
const UNRECORDED = 0.12;

/** The guilty one, where there is one, among innocent ones that are near in place, time and words, or in none of them. */
export function drawChanges({ system, moment, delay, fault, random }: ChangeScene): DrawnChanges {
  const place = system.services[fault.place.service ?? -1] ?? random.pick(system.services);
  const symbol = drawSymbol(place.words, random.fork('symbol'));
  const guilty =
    fault.guilt && !random.chance(UNRECORDED)
      ? guiltyChanges(fault.guilt, place, { moment, symbol, random: random.fork('guilty') })
      : [];
  const decoys = Array.from({ length: Math.round(random.logBetween(1, 28)) }, (_, at) =>
    drawDecoy({ system, moment, delay, place, symbol, random: random.fork(`decoy ${at}`) }),
  );
  return {
    all: [...guilty, ...decoys.flatMap(({ changes }) => changes)].toSorted(
      (one, other) => one.time - other.time || (one.id < other.id ? -1 : 1),
    ),
    guilty: guilty.map(({ id }) => id),
    rollouts: decoys.flatMap(({ rollout }) => (rollout ? [rollout] : [])),
    symbol,
  };
}

interface Telling {
  readonly moment: number;
  readonly symbol: string;
  readonly random: Random;
}

function guiltyChanges(
  { kind, rollout, nature }: Guilt,
  service: Service,
  { moment, symbol, random }: Telling,
): WorldChange[] {
  if (kind === 'config')
    return [setting(service, nature === 'pool' ? 'pool' : 'timeout', moment - random.between(0, 20), random)];
  if (kind === 'flag') return [flag(service, moment - random.between(0, 20), random)];
  const commit = codeChange(service, nature as CodeNature, {
    moment: moment - random.logBetween(120, 86_400),
    symbol,
    random,
  });
  return rollout ? [commit, deployOf(service, rollout, commit, random)] : [commit];
}

function codeChange(service: Service, nature: CodeNature, { moment, symbol, random }: Telling): WorldChange {
  const { summary, files, diff } = drawCode(nature, {
    service: service.name,
    words: service.words,
    symbol,
    random,
  });
  return {
    id: random.hex(40),
    kind: 'commit',
    service: undefined,
    time: Math.round(moment),
    summary,
    files,
    diff,
  };
}

function deployOf(
  { name }: Service,
  rollout: Rollout,
  commit: WorldChange | undefined,
  random: Random,
): WorldChange {
  return {
    id: `deploy-${random.hex(6)}`,
    kind: 'deploy',
    service: name,
    time: rollout.steps[0]?.time ?? 0,
    summary: random.pick([
      `${name} ${rollout.version}`,
      `Release ${rollout.version} of ${name}`,
      `${name}: ${rollout.before} to ${rollout.version}`,
    ]),
    ...(commit ? { commit: commit.id } : {}),
    rollout,
  };
}

function setting(
  { name, words }: Service,
  about: 'pool' | 'timeout' | 'other',
  time: number,
  random: Random,
): WorldChange {
  const word = random.pick(words);
  const [key, from, to] =
    about === 'pool'
      ? [
          random.pick([`${word}_pool_size`, 'db.max_connections', 'maxPoolSize']),
          random.pick([40, 64, 100]),
          random.pick([2, 4, 8]),
        ]
      : about === 'timeout'
        ? [
            random.pick([`${word}_timeout_ms`, 'http.client.deadline_ms', 'rpcTimeoutMs']),
            random.pick([1_000, 2_000, 5_000]),
            random.pick([10, 25, 80]),
          ]
        : [
            random.pick([`${word}_page_size`, 'log.level', `${word}.retention_days`, 'batch_size']),
            random.int(5, 60),
            random.int(5, 60),
          ];
  return {
    id: `cfg-${random.hex(6)}`,
    kind: 'config',
    service: name,
    time: Math.round(time),
    summary: random.pick([`${name}: ${key} from ${from} to ${to}`, `set ${key}=${to}`, `Adjust ${key}`]),
    setting: { key, from, to },
  };
}

function flag({ name, words }: Service, time: number, random: Random): WorldChange {
  const key = `${random.pick(words)}_${random.pick(['v2', 'beta', 'fast_path', 'new_flow', 'async'])}`;
  return {
    id: `flag-${random.hex(6)}`,
    kind: 'flag',
    service: name,
    time: Math.round(time),
    summary: `${key} off->on`,
    setting: { key, from: 'off', to: 'on' },
  };
}

interface DecoyScene {
  readonly system: System;
  readonly moment: number;
  readonly delay: number;
  readonly place: Service;
  readonly symbol: string;
  readonly random: Random;
}

/** Innocent, and near by place (the same service), by time (around the onset), by words (the same subject), or by nothing. */
function drawDecoy({ system, moment, delay, place, symbol, random }: DecoyScene): {
  changes: WorldChange[];
  rollout?: Rollout;
} {
  const programs = system.services.filter(({ role }) => role === 'entry' || role === 'service');
  const service = random.chance(0.2) && programs.includes(place) ? place : random.pick(programs);
  const time = random.chance(0.35)
    ? moment + random.between(-900, delay + 300)
    : moment - random.logBetween(600, 172_800);
  const about = random.chance(0.15) ? place.words : service.words;
  const kind = random.weighted<'commit' | 'deploy' | 'config' | 'flag'>([
    ['commit', 5],
    ['deploy', 3],
    ['config', 1],
    ['flag', 1],
  ]);
  if (kind === 'config')
    return {
      changes: [
        setting(
          { ...service, words: about },
          random.chance(0.25) ? random.pick(['pool', 'timeout']) : 'other',
          time,
          random,
        ),
      ],
    };
  if (kind === 'flag') return { changes: [flag({ ...service, words: about }, time, random)] };
  const nature = random.weighted<CodeNature>([
    ['docs', 2],
    ['test', 2],
    ['bump', 2],
    ['log', 2],
    ['refactor', 3],
    ['feature', 3],
  ]);
  const named = random.chance(0.15) ? symbol : drawSymbol(about, random);
  const commit = codeChange({ ...service, words: about }, nature, {
    moment: time - random.logBetween(60, 40_000),
    symbol: named,
    random,
  });
  if (kind === 'commit') return { changes: [commit] };
  const deploy = drawRollout(service, time, 'innocent', random);
  return { changes: [commit, deployOf(service, deploy, commit, random)], rollout: deploy };
}
