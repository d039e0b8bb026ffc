import { cutTerms, isStopTerm } from '#engines/retrieval';
import { ENDED_STATES, type Incident } from '#spec/data';

export interface SimilarIncident {
  readonly incident: Incident;
  /** 0 is nothing in common, 1 the same again. */
  readonly score: number;
}

const WEIGHTS = { service: 0.35, title: 0.3, metric: 0.15, category: 0.2 } as const;
/** What only touches the same services is nearly as telling as the same service. */
const SHARED_SERVICES = 0.8;
const LEAST = 0.35;
/** Another service is alike only when it is nearly the same alert. */
const LEAST_TITLE_ELSEWHERE = 0.6;
const MOST = 5;

/**
 * Ended incidents like this one, the likest first: same service, kind of fault, metric and words. Of what is not known
 * yet, such as the kind of fault, nothing is taken and nothing missed. Deterministic.
 */
export function similarIncidents(incident: Incident, past: readonly Incident[]): SimilarIncident[] {
  const terms = termsOf(incident);
  return past
    .filter(({ id, state }) => id !== incident.id && ENDED_STATES.includes(state))
    .map((other) => ({ incident: other, score: likeness(incident, terms, other) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted(
      (one, other) =>
        other.score - one.score ||
        (other.incident.closedAt ?? 0) - (one.incident.closedAt ?? 0) ||
        (one.incident.id < other.incident.id ? -1 : 1),
    )
    .slice(0, MOST);
}

function likeness(incident: Incident, terms: ReadonlySet<string>, other: Incident): number {
  const service = serviceLikeness(incident, other);
  const title = overlap(terms, termsOf(other));
  if (service === 0 && title < LEAST_TITLE_ELSEWHERE) return 0;
  const category = categoryOf(incident);
  const parts: [number, number][] = [
    [WEIGHTS.service, service],
    [WEIGHTS.title, title],
  ];
  if (incident.metric !== undefined) parts.push([WEIGHTS.metric, incident.metric === other.metric ? 1 : 0]);
  if (category !== undefined) parts.push([WEIGHTS.category, category === categoryOf(other) ? 1 : 0]);
  const total = parts.reduce((sum, [weight]) => sum + weight, 0);
  const score = parts.reduce((sum, [weight, value]) => sum + weight * value, 0) / total;
  return Math.round(score * 1000) / 1000;
}

function serviceLikeness(one: Incident, other: Incident): number {
  if (one.service !== undefined && one.service === other.service) return 1;
  const services = new Set([...one.services, ...(one.service === undefined ? [] : [one.service])]);
  const others = new Set([...other.services, ...(other.service === undefined ? [] : [other.service])]);
  return SHARED_SERVICES * overlap(services, others);
}

const categoryOf = ({ rca }: Incident): string | undefined =>
  rca?.status === 'concluded' ? rca.hypotheses[0]?.category : undefined;

const termsOf = ({ title, metric = '' }: Incident): ReadonlySet<string> =>
  new Set(cutTerms(`${title} ${metric}`).filter((term) => !isStopTerm(term)));

/** Of what either has, the share that both have. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size;
  const both = [...one].filter((term) => other.has(term)).length;
  return all ? both / all : 0;
}
