import type { Text } from '#kit/text';
import type { ProposedAction, RecoveryCheck, SpanRecord } from '#spec/data';
import { definitionOf, paramOf } from '#spec/data/operations';
import { soundsBad } from '../rca/logs/sounds-bad.ts';
import { templateOf } from '../rca/logs/template-of.ts';
import { readMetricName } from '../rca/metrics/read-metric-name.ts';
import { mean } from '../rca/stats.ts';
import { valuesWithin, within } from '../rca/windows.ts';
import { isBack, type Levels } from './level.ts';
import type { Comparison } from './series-levels.ts';
import { words } from './words.ts';

type Window = readonly [number, number];

/** A complaint a minute is nothing. */
const LEAST_LINES = 1;
const LEAST_SHARE = 1;
const LEAST_SPANS = 5;
/** A version that takes less than this of the requests is gone. */
const STILL_SERVED = 0.02;

const optional = (levels: Levels, ok: boolean | undefined) => ({
  ...(ok === undefined ? {} : { ok }),
  ...(levels.usual === undefined ? {} : { usual: levels.usual }),
  ...(levels.during === undefined ? {} : { during: levels.during }),
  ...(levels.after === undefined ? {} : { after: levels.after }),
});

const minutes = ([start, end]: Window): number => Math.max((end - start) / 60, 1 / 60);
const named = (services: ReadonlySet<string>): string => [...services].toSorted().join('|');

/** Complaints a minute. Silence tells something only where logs are known to have been asked. */
export function logCheck(
  { during, after, windows }: Comparison,
  services: ReadonlySet<string>,
  answered: boolean,
): RecoveryCheck {
  const complaints = (logs: Comparison['during']['logs'], window: Window) =>
    logs.filter(
      ({ time, service, message, level }) =>
        services.has(service) && within(time, window) && soundsBad(message, level),
    );
  const known = during.logs.length > 0;
  const looked = answered || after.logs.some(({ time }) => within(time, windows.after));
  const now = complaints(after.logs, windows.after);
  const levels: Levels = {
    usual: known ? complaints(during.logs, windows.usual).length / minutes(windows.usual) : undefined,
    during: known ? complaints(during.logs, windows.during).length / minutes(windows.during) : undefined,
    after: looked ? now.length / minutes(windows.after) : undefined,
    spread: 0,
  };
  const ok = known || answered ? isBack({ ...levels, usual: levels.usual ?? 0 }, LEAST_LINES) : undefined;
  const seen = new Set(during.logs.map(({ message }) => templateOf(message)));
  const strange = now.filter(({ message }) => !seen.has(templateOf(message))).length;
  const numbers = words.numbers(words.logs, levels.usual, levels.during, levels.after, '/min');
  return {
    dimension: 'error_logs',
    ...optional(levels, ok),
    unit: '/min',
    summary:
      ok === undefined
        ? words.nothing(words.logs)
        : strange && !ok
          ? words.because(numbers, words.newLines(strange))
          : numbers,
    query: `logs{service=~"${named(services)}"} errors`,
  };
}

/** The share of spans that failed, in percent. */
export function traceCheck(
  { during, after, windows }: Comparison,
  services: ReadonlySet<string>,
): RecoveryCheck {
  const share = (spans: readonly SpanRecord[], window: Window): number | undefined => {
    const own = spans.filter(({ service, start }) => services.has(service) && within(start, window));
    if (own.length < LEAST_SPANS) return undefined;
    return (own.filter(({ error }) => error === true).length / own.length) * 100;
  };
  const levels: Levels = {
    usual: share(during.spans, windows.usual),
    during: share(during.spans, windows.during),
    after: share(after.spans, windows.after),
    spread: 0,
  };
  const ok = isBack(levels, LEAST_SHARE);
  return {
    dimension: 'trace_errors',
    ...optional(levels, ok),
    unit: '%',
    summary:
      ok === undefined
        ? words.nothing(words.traces)
        : words.numbers(words.traces, levels.usual, levels.during, levels.after, '%'),
    query: `spans{service=~"${named(services)}"} error`,
  };
}

/** What should be deployed, and what is: a version, or whatever else an action sets. */
export interface DeployTarget {
  readonly wanted: string;
  /** Undefined: it could not be found out. */
  readonly found: Text | string | undefined;
}

/** Whether the target is as the action wanted it; where nobody asked it, whether the bad version still has traffic. */
export function deployCheck(
  { after, windows }: Comparison,
  action: ProposedAction,
  target: DeployTarget | undefined,
): RecoveryCheck {
  const base = { dimension: 'deploy_state' as const, unit: '' };
  if (target?.found !== undefined) {
    const ok = target.found === target.wanted;
    return {
      ...base,
      ok,
      summary: ok
        ? words.atTarget(action.service, target.found)
        : words.notAtTarget(action.service, target.found, target.wanted),
      query: `deployed{service="${action.service}"}`,
    };
  }
  const query = `requests{service="${action.service}"} by version`;
  const bad = retiredBy(action);
  const shares =
    bad === undefined ? undefined : versionShare(bad, action.service, after.metrics, windows.after);
  if (bad === undefined || shares === undefined)
    return { ...base, summary: words.nothing(words.state), query };
  const ok = shares < STILL_SERVED;
  return {
    ...base,
    ok,
    summary: ok ? words.notServed(action.service, bad) : words.stillServed(action.service, bad, shares),
    query,
  };
}

/** The version that an action takes the requests from. */
function retiredBy(action: ProposedAction): string | undefined {
  const { retires } = definitionOf(action.operation).verify;
  const version = retires === undefined ? undefined : paramOf(action, retires);
  return version === undefined ? undefined : String(version);
}

function versionShare(
  version: string,
  service: string,
  metrics: Comparison['after']['metrics'],
  window: Window,
): number | undefined {
  const rates = metrics.flatMap((series) => {
    const meaning = readMetricName(series.metric);
    if (series.service !== service || meaning.signal !== 'requests' || meaning.version === undefined)
      return [];
    const values = valuesWithin(series, window);
    return values.length ? [{ version: meaning.version, rate: mean(values) }] : [];
  });
  const total = rates.reduce((sum, { rate }) => sum + rate, 0);
  if (!(total > 0)) return undefined;
  return rates.filter((one) => one.version === version).reduce((sum, { rate }) => sum + rate, 0) / total;
}
