import type { Observations } from '../observe.ts';
import { changeOf } from '../metrics/resource-findings.ts';
import { serviceImpacts } from '../metrics/service-impact.ts';
import { weighImpact, worstStretch } from '../metrics/weigh-impact.ts';
import type { SuspectService } from './rank-services.ts';

/** What the alert claims, looked up again. */
export interface AlertCheck {
  readonly before: number;
  readonly during: number;
  readonly sigmas: number;
  readonly novelty: number;
}

/** Half as far again as the baseline practically ever was: it stands on its own. */
const CLEAR_NOVELTY = 1.5;
/** A move of two robust standard deviations is common; it counts only together with a cause that is no chance. */
const MOVED_SIGMAS = 2;
const CAUSE_SCORE = 0.3;
/** A cause as strong as this needs no alert to confirm it. */
const PLAIN_SCORE = 0.65;
/** Where there is nothing to look up, a cause must be found that is half as sure as one reason can be. */
const ALONE_SCORE = 0.25;

/** The metric of the alert in both windows. Undefined where the alert names none, or nobody kept it. */
export function checkAlert({
  telemetry: { bundle },
  metrics,
  windows,
}: Observations): AlertCheck | undefined {
  const named = metrics.find(
    ({ series }) => series.service === bundle.service && series.metric === bundle.metric,
  );
  if (!named) return undefined;
  const [impact] = serviceImpacts([named, ...requestsOf(bundle.service, metrics)], windows);
  const stretch = impact && worstStretch(impact, windows);
  const weighed = stretch && weighImpact(impact, stretch, windows);
  if (weighed) return weighed;
  const change = changeOf(named, windows);
  return change && { ...change, sigmas: Math.abs(change.sigmas) };
}

const requestsOf = (service: string | undefined, metrics: Observations['metrics']): Observations['metrics'] =>
  metrics.filter(({ series, meaning }) => series.service === service && meaning.signal === 'requests');

/** Whether there is an incident at all: the alert's own metric left its range, or moved together with a cause. */
export function isConfirmed(alert: AlertCheck | undefined, suspects: readonly SuspectService[]): boolean {
  const best = suspects[0]?.score ?? 0;
  if (!alert) return best >= ALONE_SCORE;
  return (
    best >= PLAIN_SCORE ||
    alert.novelty >= CLEAR_NOVELTY ||
    (alert.sigmas >= MOVED_SIGMAS && best >= CAUSE_SCORE)
  );
}
