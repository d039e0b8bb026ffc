import type { Change } from '#spec/data';
import type { Draft } from './action.ts';
import type { PolicyCase } from './case.ts';
import { measuredEvidence } from './measured-evidence.ts';

const LIMIT_KEY = /rate.?limit|(?:max|limit).{0,12}(?:rps|qps)|(?:rps|qps).{0,12}(?:max|limit)|quota/i;
/** Room above what is asked for now. */
const HEADROOM = 1.25;
/** One step never multiplies by more than this: what lies behind has to take it. */
const MOST_FOLD = 4;
const LEAST_RAISE = 1.5;

/** A higher limit: the one from before it was lowered, else what is asked for now and a little more. */
export function raiseLimit(where: string, { rca, changes, state, words }: PolicyCase): Draft {
  const changed = lastLimitChange(where, changes);
  const configured = Object.entries(state[where]?.config ?? {}).find(([key]) => LIMIT_KEY.test(key));
  const present = numberOf(configured?.[1]) ?? changed?.to;
  const demand = measuredEvidence(rca)
    .filter(({ service, signal, callee }) => service === where && signal === 'requests' && !callee)
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

/** More replicas, only where something is measured to be at its limit: traffic alone is no reason. */
export function scaleOut(where: string, { rca, state, words }: PolicyCase): Draft | undefined {
  const measured = measuredEvidence(rca);
  const saturated = measured.find(
    ({ signal, baseline, during }) =>
      (signal === 'saturation' || signal === 'cpu' || signal === 'memory') && during > baseline,
  );
  if (!saturated) return undefined;
  const service = saturated.service;
  const fold = Math.max(
    1.5,
    ...measured
      .filter((found) => found.signal === 'requests' && found.baseline > 0)
      .map(({ baseline, during }) => during / baseline),
  );
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
