import type { Telemetry } from '#spec/data';
import type { Answer, Asked } from './answer.ts';

/** Further from its mean than this many standard deviations is unusual. */
const SIGMAS = 3;

/**
 * The plain comparison that everything else has to beat: the service with the series furthest from its mean in standard
 * deviations, and of the changes the last one of that service before the alert, or else the last of all.
 */
export function nSigma({ bundle, metrics, changes }: Telemetry, asked: Asked): Answer {
  const far = new Map<string, number>();
  for (const { service, times, values } of metrics) {
    const within = ({ start, end }: { start: string; end: string }): number[] =>
      values.filter((_, at) =>
        isWithin(times[at] as number, Date.parse(start) / 1000, Date.parse(end) / 1000),
      );
    const [before, during] = [within(bundle.baseline), within(bundle.incident)];
    if (before.length < 2 || !during.length) continue;
    const usual = mean(before);
    const spread = Math.sqrt(mean(before.map((value) => (value - usual) ** 2))) || Number.MIN_VALUE;
    const sigmas = Math.max(...during.map((value) => Math.abs(value - usual) / spread));
    far.set(service, Math.max(far.get(service) ?? 0, sigmas));
  }
  const ranked = [...far]
    .filter(([, sigmas]) => sigmas >= SIGMAS)
    .toSorted(([one, left], [other, right]) => right - left || (one < other ? -1 : 1))
    .map(([service]) => service);
  return {
    ranked: asked === 'service' ? ranked : lastChanges(changes ?? [], ranked[0], bundle.startsAt),
    rollback: undefined,
    confidence: 0,
  };
}

function lastChanges(
  changes: NonNullable<Telemetry['changes']>,
  service: string | undefined,
  alert: string,
): string[] {
  const earlier = changes
    .filter(({ time }) => Date.parse(time) <= Date.parse(alert))
    .toSorted((one, other) => Date.parse(other.time) - Date.parse(one.time));
  const own = earlier.filter((change) => change.service !== undefined && change.service === service);
  return [...own, ...earlier].map(({ id }) => id);
}

const isWithin = (time: number, from: number, to: number): boolean => time >= from && time <= to;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
