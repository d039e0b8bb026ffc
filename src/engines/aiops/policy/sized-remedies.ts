import type { Change } from '#spec/data';
import type { Draft } from './action.ts';
import type { PolicyCase } from './case.ts';
import { type MeasuredEvidence, measuredEvidence } from './measured-evidence.ts';
import { words } from './words.ts';

const LIMIT_KEY = /rate.?limit|(?:max|limit).{0,12}(?:rps|qps)|(?:rps|qps).{0,12}(?:max|limit)|quota/i;
/** Room above what is asked for now: it comes in bursts, and callers that are refused ask for less than they want. */
const HEADROOM = 1.5;
const PER_SECOND = /per_?sec|rps|qps/i;
/** One step never multiplies by more than this: what lies behind has to take it. */
const MOST_FOLD = 4;
const LEAST_RAISE = 1.5;

/** A higher limit: the one from before it was lowered, else what is asked for now and a little more. */
export function raiseLimit(where: string, { rca, changes, state }: PolicyCase): Draft {
  const changed = lastLimitChange(where, changes);
  const configured = Object.entries(state[where]?.config ?? {}).find(([key]) => LIMIT_KEY.test(key));
  const present = numberOf(configured?.[1]) ?? changed?.to;
  const demand = measuredEvidence(rca)
    .filter(({ service, signal, callee }) => service === where && signal === 'requests' && !callee)
    .filter(({ metric }) => PER_SECOND.test(metric))
    .reduce((most, { during }) => Math.max(most, during), 0);
  const wanted = Math.max(changed?.from ?? 0, demand * HEADROOM, (present ?? 0) * LEAST_RAISE);
  const capped = present === undefined ? wanted : Math.min(wanted, present * MOST_FOLD);
  const to = capped > 0 ? Math.ceil(capped) : undefined;
  const key = configured?.[0] ?? changed?.key;
  return {
    operation: 'change_rate_limit',
    service: where,
    params: {
      ...(key === undefined ? {} : { key }),
      ...(present === undefined ? {} : { from: present }),
      ...(to === undefined ? {} : { to }),
    },
    reason: words.limit(where, to),
    ...(to === undefined ? { dryRunOnly: words.limitUnknown } : {}),
  };
}

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined;
};

const keyIn = (details: Change['details']): string => {
  const key = details?.['key'];
  return typeof key === 'string' ? key : '';
};

/** The newest change of the limit, read for its numbers alone. */
function lastLimitChange(
  where: string,
  changes: readonly Change[],
): { key: string; from: number | undefined; to: number | undefined } | undefined {
  const [newest] = changes
    .filter(({ kind, service }) => (kind === 'config' || kind === 'flag') && service === where)
    .filter(({ details }) => LIMIT_KEY.test(keyIn(details)))
    .toSorted((one, other) => Date.parse(other.time) - Date.parse(one.time));
  if (!newest) return undefined;
  const { from, to } = newest.details ?? {};
  return { key: keyIn(newest.details), from: numberOf(from), to: numberOf(to) };
}

const MOST_SCALE = 3;

/** Something is full from here on, as a share or in percent. */
const FULL = 0.8;
const SHARE = /ratio|share|util|percent|pct|usage/i;
/** Who waits or is turned away lacks something; who merely runs does not. */
const LACKING = /wait|pending|timeout|exhaust|throttl|queue|backlog|reject/i;
/** Twice as many as more traffic alone would make. */
const BEYOND_TRAFFIC = 2;

function isFull({ metric, signal, baseline, during }: MeasuredEvidence, fold: number): boolean {
  if (during <= baseline) return false;
  if (signal === 'waiting' || (signal === 'saturation' && LACKING.test(metric)))
    return during > Math.max(1, baseline * fold * BEYOND_TRAFFIC);
  if (signal !== 'saturation' && signal !== 'cpu' && signal !== 'memory') return false;
  return SHARE.test(metric) && (during > 1.5 ? during / 100 : during) >= FULL;
}

/** More replicas, only where something is measured to be at its limit: traffic alone is no reason. */
export function scaleOut(where: string, { rca, state }: PolicyCase): Draft | undefined {
  const measured = measuredEvidence(rca);
  const fold = Math.max(
    1.5,
    ...measured
      .filter((found) => found.signal === 'requests' && found.baseline > 0)
      .map(({ baseline, during }) => during / baseline),
  );
  const saturated = measured.find((found) => isFull(found, fold));
  if (!saturated) return undefined;
  const service = saturated.service;
  const replicas = state[service]?.replicas ?? state[where]?.replicas;
  if (replicas === undefined) {
    const reason = words.scale(service, undefined);
    return { operation: 'scale_deployment', service, params: {}, reason, dryRunOnly: words.replicasUnknown };
  }
  const wanted = Math.max(replicas + 1, Math.ceil(replicas * Math.min(fold, MOST_SCALE)));
  return {
    operation: 'scale_deployment',
    service,
    params: { from: replicas, replicas: wanted },
    reason: words.scale(service, wanted),
  };
}
