import type { CallGraph } from '../call-graph.ts';
import { type Finding, HALF, soft } from '../finding.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import { harmed } from '../words.ts';
import { LEAST_SIGMAS } from './measure-change.ts';
import type { ImpactKind, ServiceImpact } from './service-impact.ts';
import { type WeighedImpact, weighImpact, worstStretch } from './weigh-impact.ts';

/** A latency that is as far out as the baseline ever was is half of what it can say. */
const HALF_NOVELTY = 1;
/** Where nobody knows who calls whom, the fold takes the place of the share of the harm. */
const HALF_FOLD = Math.log(2);
/** A twentieth slower is half of being felt, however steady it was before. */
const HALF_FELT = Math.log(1.05);

export interface ImpactOptions {
  /** What the alert is about, if it says. */
  readonly alertKind: ImpactKind | undefined;
  readonly alertService: string | undefined;
  readonly graph: CallGraph;
}

/**
 * Harm that starts at a service: what its callers suffered, minus what it suffered itself from the callee that harmed
 * it most. Callers of a slow service are slow too; the subtraction turns the symptom into the cause.
 */
export function impactFindings(
  impacts: readonly ServiceImpact[],
  kind: ImpactKind,
  windows: Windows,
  { alertKind, alertService, graph }: ImpactOptions,
): Finding[] {
  const ofKind = impacts.filter((impact) => impact.kind === kind);
  const alerting = ofKind.find(({ service }) => service === alertService);
  const common = alerting && worstStretch(alerting, windows);
  const weighed = new Map<string, { impact: ServiceImpact; found: WeighedImpact }>();
  for (const impact of ofKind) {
    const stretch = common ?? worstStretch(impact, windows);
    const found = stretch && weighImpact(impact, stretch, windows);
    if (found) weighed.set(impact.service, { impact, found });
  }
  const own = (service: string, harm: number): number =>
    harm -
    Math.max(
      0,
      ...[...(graph.callees.get(service) ?? [])].map((callee) => weighed.get(callee)?.found.harm ?? 0),
    );
  const owned = [...weighed].map(([service, { impact, found }]) => ({
    service,
    impact,
    found,
    own: own(service, found.harm),
  }));
  const most = Math.max(0, ...owned.filter(({ found }) => isSure(found)).map((entry) => entry.own));
  return owned.flatMap(({ impact, found, own: harm }) => {
    if (!isSure(found) || harm <= 0) return [];
    const share = graph.callees.size ? harm / most : soft(Math.log(foldOf(found, impact)), HALF_FOLD);
    // An alert on failures is about failures: what else got slower meanwhile is a weaker reason.
    const asked = alertKind === undefined || alertKind === kind ? 1 : HALF;
    const felt = kind === 'latency' ? soft(Math.log(foldOf(found, { spread: 0 })), HALF_FELT) : 1;
    // Tails of few requests jump about.
    const strength = soft(found.novelty, HALF_NOVELTY) * share * asked * felt * (impact.tail ? HALF : 1);
    return [finding(impact, found, harm, strength, windows)];
  });
}

const isSure = ({ sigmas, harm }: WeighedImpact): boolean => sigmas >= LEAST_SIGMAS && harm > 0;
const foldOf = ({ before, during }: WeighedImpact, { spread }: Pick<ServiceImpact, 'spread'>): number =>
  (Math.abs(during) + spread + Number.MIN_VALUE) / (Math.abs(before) + spread + Number.MIN_VALUE);

function finding(
  { service, kind, metric }: ServiceImpact,
  found: WeighedImpact,
  own: number,
  strength: number,
  windows: Windows,
): Finding {
  return {
    source: kind,
    service,
    strength,
    category: 'service_fault',
    evidence: {
      kind: 'metric',
      service,
      summary: harmed({ metric, service }, kind, found, own),
      query: `${metric}{service="${service}"}`,
      window: incidentWindow(windows),
      baseline: found.before,
      during: found.during,
    },
  };
}
