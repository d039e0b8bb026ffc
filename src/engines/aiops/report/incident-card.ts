import type { Language } from '#kit/language';
import { spoken } from '#kit/text';
import type { Incident } from '#spec/data';
import { CATEGORIES, RECOVERIES, RISK_NAMES, STATES } from '../names.ts';
import { cutText, plainLine } from './plain-text.ts';
import { wordsOf } from './words.ts';

const MOST_EVIDENCE = 4;
const LONGEST = 180;

interface CardOptions {
  /** What has to be said with the approval where a second confirmation is needed. */
  readonly confirmWord?: string;
}

/**
 * An incident as a short text for a chat: what is wrong, what is proposed at which risk, on what evidence, and how to
 * answer. Nothing that came from outside can call people, link or end the text early.
 */
export function incidentCard(stored: Incident, language: Language, options: CardOptions = {}): string {
  const { confirmWord = 'CONFIRM_EXECUTE' } = options;
  const incident = spoken(stored, language);
  const words = wordsOf(language);
  const { action, rca, checkpoint, rehearsal, approval } = incident;
  const [first] = rca?.status === 'concluded' ? (rca.hypotheses ?? []) : [];
  const row = (name: string, value: string | undefined): string[] =>
    value ? [`${name}${words.colon}${inert(value)}`] : [];
  const cause = first
    ? `${CATEGORIES[first.category][language]}${first.service ? `, ${first.service}` : ''} (${Math.round(first.confidence * 100)} %)`
    : undefined;
  const ids = action?.evidence.length ? action.evidence : (first?.supports ?? []);
  const cited = ids.slice(0, MOST_EVIDENCE).map((id) => {
    const evidence = rca?.evidence.find((each) => each.id === id);
    return `- ${inert(evidence ? `${id}: ${evidence.summary}` : id)}`;
  });
  const waits = incident.state === 'awaiting_approval' && approval !== undefined;
  return [
    `[${incident.severity}] ${inert(incident.title)}`,
    ...row(words.incident, `${incident.id}, ${STATES[incident.state][language]}`),
    ...row(words.rootCause, cause ?? (rca ? words.noRootCause : undefined)),
    ...(action
      ? [
          ...row(words.action, action.operation),
          ...row(words.service, action.service),
          ...row(words.target, targetOf(action.params)),
          ...row(words.risk, RISK_NAMES[action.risk][language]),
          ...row(words.dryRunOnly, action.dryRunOnly),
        ]
      : []),
    ...(cited.length ? [`${words.evidence}:`, ...cited] : []),
    ...row(words.rehearsal, rehearsal?.preview),
    ...row(words.checkpoint, checkpoint?.id),
    ...(waits
      ? [
          ...row(
            words.approve,
            `${words.sayApprove} ${approval}${action?.confirmTwice ? ` ${confirmWord}` : ''}`,
          ),
          ...row(words.reject, `${words.sayReject} ${approval}`),
          ...(action?.separateApprover ? [words.separateApprover] : []),
        ]
      : []),
    ...row(words.recovery, incident.recovery && RECOVERIES[incident.recovery.status][language]),
  ].join('\n');
}

const targetOf = (params: Readonly<Record<string, string | number | boolean>>): string =>
  params['to'] === undefined
    ? Object.entries(params)
        .map(([name, value]) => `${name}=${value}`)
        .join(', ')
    : String(params['to']);

/** Marks that chats turn into calls, links and code, as signs that only look like them. */
const inert = (text: string): string =>
  cutText(plainLine(text), LONGEST)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('@', '＠')
    .replaceAll('`', "'")
    .replaceAll('](', '] (');
