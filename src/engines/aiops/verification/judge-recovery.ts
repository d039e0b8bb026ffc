import type { Execution, ProposedAction, Recovery, RecoveryCheck, Telemetry, TimeWindow } from '#spec/data';
import { definitionOf, paramOf } from '#spec/data/operations';
import { instant, windowsOf } from '../rca/windows.ts';
import { deployCheck, type DeployTarget, logCheck, traceCheck } from './event-checks.ts';
import { errorChecks, type Judged, latencyChecks, symptomCheck, trafficChecks } from './metric-checks.ts';
import { type Compared, comparedSeries, type Comparison } from './series-levels.ts';
import { words } from './words.ts';

export interface RecoveryInput {
  readonly action: ProposedAction;
  readonly execution: Pick<Execution, 'endedAt'>;
  /** What was collected for the root cause: its bundle has the usual window and that of the incident. */
  readonly during: Telemetry;
  /** What was collected after the action. */
  readonly after: Telemetry;
  /**
   * Which part of `after` counts. By default the newer half of the time since the execution ended: rates lag behind, and
   * what settles is not what stays.
   */
  readonly window?: TimeWindow;
  readonly target?: DeployTarget;
  /** Logs were asked and answered for the time after the action: then silence is good news. */
  readonly logsAnswered?: boolean;
  readonly at: number;
}

/** Known dimensions that have to be well, at the least. */
const LEAST_GOOD = 2;

/**
 * Whether an incident is over, on fresh numbers. Recovered: nothing that is known is bad, at least two dimensions are
 * known and well, and among them what had gone wrong. A dimension without data stays open.
 */
export function judgeRecovery(input: RecoveryInput): Recovery {
  const { action, after, during, at, target, logsAnswered = false } = input;
  const comparison = comparisonOf(input);
  const services = lookedAt(action, during);
  const series = comparedSeries(comparison, services);
  const errors = worstOf(errorChecks(series), 'errors');
  const latency = worstOf(latencyChecks(series), 'latency');
  const traffic = worstOf(trafficChecks(series), 'traffic');
  const symptom = alertCheck(series, during);
  const checks: RecoveryCheck[] = [
    errors.check,
    latency.check,
    traffic.check,
    logCheck(comparison, services, logsAnswered),
    traceCheck(comparison, services),
    deployCheck(comparison, action, target),
    ...(symptom ? [symptom.check] : []),
  ];
  const [start, end] = comparison.windows.after;
  return {
    status: statusOf(checks, [errors, latency, ...(symptom ? [symptom] : [])]),
    checks,
    window: input.window ?? { start: instant(start), end: instant(end) },
    at,
  };

  function comparisonOf({ window, execution }: RecoveryInput): Comparison {
    const { baseline, incident } = windowsOf(during.bundle);
    const fresh: [number, number] = window
      ? [Date.parse(window.start) / 1000, Date.parse(window.end) / 1000]
      : [(execution.endedAt + at) / 2000, at / 1000];
    return { during, after, windows: { usual: baseline, during: incident, after: fresh } };
  }
}

/**
 * The services whose users must be well: the one that was acted on and the one that the alert names. What was degraded
 * is not asked any more, so its own numbers tell nothing.
 */
function lookedAt(action: ProposedAction, { bundle }: Telemetry): ReadonlySet<string> {
  const services = new Set([action.service, ...(bundle.service === undefined ? [] : [bundle.service])]);
  const { drops } = definitionOf(action.operation).verify;
  const left = drops === undefined ? undefined : paramOf(action, drops);
  if (left !== undefined && left !== action.service) services.delete(String(left));
  return services;
}

const NAMES = { errors: 'errors', latency: 'latency', traffic: 'traffic' } as const;

/** Of several measurements the one that tells most: what is still bad, then what was bad, then what is known. */
function worstOf(judged: readonly Judged[], dimension: keyof typeof NAMES): Judged {
  const rank = ({ check, wasBad }: Judged): number =>
    check.ok === false ? 0 : wasBad && check.ok ? 1 : wasBad ? 2 : check.ok ? 3 : 4;
  const [worst] = judged.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      foldOf(other) - foldOf(one) ||
      (one.check.query < other.check.query ? -1 : 1),
  );
  const nothing = { dimension, unit: '', summary: words.nothing(words[NAMES[dimension]]), query: dimension };
  return worst ?? { check: nothing, wasBad: false };
}

const foldOf = ({ check: { usual = 0, during = 0 } }: Judged): number => during / Math.max(usual, 1e-6);

/** The alert's own metric, where none of the other dimensions looks at it. */
function alertCheck(series: readonly Compared[], { bundle }: Telemetry): Judged | undefined {
  const named = series.find(({ metric, service }) => metric === bundle.metric && service === bundle.service);
  const covered = ['errors', 'latency', 'requests', 'availability'];
  return named && !covered.includes(named.meaning.signal) ? symptomCheck(named) : undefined;
}

function statusOf(checks: readonly RecoveryCheck[], telling: readonly Judged[]): Recovery['status'] {
  if (checks.some(({ ok }) => ok === false)) return 'not_recovered';
  const good = checks.filter(({ ok }) => ok === true).length;
  const wrong = telling.filter(({ wasBad }) => wasBad);
  const told = wrong.length
    ? wrong.every(({ check }) => check.ok === true)
    : telling.some(({ check }) => check.ok === true);
  return good >= LEAST_GOOD && told ? 'recovered' : 'uncertain';
}
