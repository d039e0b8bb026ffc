import type { IncidentBundle } from '#spec/data';
import { signalsIn } from './metrics/read-metric-name.ts';
import type { ImpactKind } from './metrics/service-impact.ts';

/** Labels that say what a call was answered with. */
const CODE = /(?:code|status)$/i;
const SLOW = /slow|慢/i;

/** What an alert is about: by its metric, else by a status among its labels, else by its name and title. */
export function alertKind({ metric, labels, title }: IncidentBundle): ImpactKind | undefined {
  if (metric !== undefined) return kindOf(signalsIn(metric).slice(0, 1));
  const codes = Object.entries(labels).flatMap(([name, value]) => (CODE.test(name) ? [value] : []));
  const said = `${labels['alertname'] ?? ''} ${title}`;
  return (
    kindOf(codes.flatMap(signalsIn)) ?? kindOf([...signalsIn(said), ...(SLOW.test(said) ? ['latency'] : [])])
  );
}

/** The kind of harm that is spoken of, where it is one. */
function kindOf(signals: readonly string[]): ImpactKind | undefined {
  const slow = signals.includes('latency');
  if (slow === signals.some((signal) => signal === 'errors' || signal === 'availability')) return undefined;
  return slow ? 'latency' : 'errors';
}
