import { redact } from '#kit/redact';
import type { Language } from '#kit/language';
import type { Incident, Prior } from '#spec/data';
import { showAction } from './show-action.ts';
import { similarIncidents } from './similar-incidents.ts';

/** Something that a memory, a skill or a document says. */
type Recalled = Pick<Prior, 'text' | 'ref' | 'score' | 'checked' | 'fixedBy'> & {
  readonly source: Exclude<Prior['source'], 'incident'>;
};

export interface PriorDeps {
  /** Memory, skills and knowledge, the best first. */
  recall(query: string, limit: number, signal: AbortSignal): Promise<readonly Recalled[]>;
  /** Incidents that have ended, newest first. */
  past(signal: AbortSignal): Promise<readonly Incident[]>;
}

const MOST_RECALLED = 6;
const MOST_INCIDENTS = 3;
const LONGEST = 400;
const MOST_CHECKED = 6;

const WORDS = {
  en: {
    seen: (id: string, day: string, title: string) => `Seen before (${id}, ${day}): ${title}.`,
    cause: (category: string, service: string) => ` Cause then: ${category} at ${service}.`,
    noCause: ' No cause was found then.',
    fixed: (action: string) => ` Fixed by: ${action}.`,
    vain: (action: string) => ` Did not help: ${action}.`,
    ended: ' It ended without an action.',
  },
  zh: {
    seen: (id: string, day: string, title: string) => `以前出现过(${id},${day}):${title}。`,
    cause: (category: string, service: string) => `当时的根因:${service} 的 ${category}。`,
    noCause: '当时没有找到根因。',
    fixed: (action: string) => `解决办法:${action}。`,
    vain: (action: string) => `没有效果:${action}。`,
    ended: '没有采取动作就结束了。',
  },
} as const;

/**
 * What is known from before: past incidents like this one, and what was remembered. Hints, never reasons. Rejects when
 * one of its functions does.
 */
export async function recallPriors(
  incident: Incident,
  deps: PriorDeps,
  signal: AbortSignal,
  language: Language = 'en',
): Promise<Prior[]> {
  const query = [incident.service, incident.title, incident.metric].filter(Boolean).join(' ');
  const [recalled, past] = await Promise.all([deps.recall(query, MOST_RECALLED, signal), deps.past(signal)]);
  const seen = similarIncidents(incident, past)
    .slice(0, MOST_INCIDENTS)
    .map(({ incident: other, score }) => incidentPrior(other, score, language));
  const told = recalled.slice(0, MOST_RECALLED).map((prior) => ({ ...prior, text: short(prior.text) }));
  return [...seen, ...told].filter(
    ({ ref, source }, index, all) =>
      all.findIndex((other) => other.ref === ref && other.source === source) === index,
  );
}

const short = (text: string): string => {
  const plain = redact(text).replace(/\s+/g, ' ').trim();
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1).toWellFormed()}…` : plain;
};

/** What was looked at then and what ended it. Only a recovery that was verified counts as a fix. */
function incidentPrior(incident: Incident, score: number, language: Language): Prior {
  const { id, title, rca, action, execution, recovery, startsAt } = incident;
  const words = WORDS[language];
  const first = rca?.status === 'concluded' ? rca.hypotheses[0] : undefined;
  const done = action && execution?.status === 'done' ? showAction(action) : undefined;
  const fixedBy = recovery?.status === 'recovered' ? done : undefined;
  const evidence = (rca?.evidence ?? []).filter((one) => first?.supports.includes(one.id));
  const checked = [...new Set(evidence.map(({ query }) => redact(query)))].slice(0, MOST_CHECKED);
  const text = [
    words.seen(id, startsAt.slice(0, 10), title),
    first ? words.cause(first.category, first.service ?? incident.service ?? '?') : words.noCause,
    fixedBy ? words.fixed(fixedBy) : done ? words.vain(done) : words.ended,
  ].join('');
  return {
    text: short(text),
    source: 'incident',
    ref: id,
    score,
    ...(checked.length ? { checked } : {}),
    ...(fixedBy === undefined ? {} : { fixedBy }),
  };
}
