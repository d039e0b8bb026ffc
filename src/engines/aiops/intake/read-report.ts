import { isOneSlip } from '#kit/one-slip';
import { chineseServiceIn, servicesIn } from '#kit/service-names';
import type { Severity } from '#spec/data';
import {
  ADVICE,
  LOOK,
  MEANING,
  PAST,
  QUESTION,
  RELEASE,
  STATUS_CODE,
  SYMPTOM_KINDS,
  SYMPTOM_WORDS,
  type SymptomKind,
  TREND,
  VERSION,
} from './symptom-words.ts';

/**
 * What a sentence says about something that is wrong. `tells`: it happens, or somebody is to look. `asks`: a question
 * about it. `advice`: what is to be done in such a case. `past`: how it was before. `means`: what a word of it means.
 */
export interface Report {
  readonly mood: 'tells' | 'asks' | 'advice' | 'past' | 'means';
  readonly symptoms: readonly SymptomKind[];
  /** Status codes as they were written: `503`, `5xx`. */
  readonly codes: readonly string[];
  readonly service?: string;
  /** Only from a grade or a word that nobody uses for anything else. */
  readonly severity?: Severity;
  readonly afterRelease: boolean;
  readonly version?: string;
}

export interface ReportContext {
  /** Services that topology, incidents or profiles know. */
  readonly services?: readonly string[];
  /** Whether a single word is the name of a kind of thing, such as `postgres`, and no service of somebody's. */
  readonly isTechnology?: (word: string) => boolean;
}

const MOST_CHARS = 4_000;
const GRADE = /(?<![\w.])(?:p|sev-?|s)([0-4])(?![\w.])/i;
const GRAVE = /\b(?:critical|urgent|emergency|disaster)\b|严重|紧急|致命/i;
const GRADES: readonly Severity[] = ['P1', 'P1', 'P2', 'P3', 'P4'];
/** `@RunbookHermes`: who is spoken to. */
const ADDRESSED = /@[\w-]+\s*/g;

/** Reads a sentence, in English or Chinese. Undefined where it names nothing that is wrong. */
export function readReport(text: string, context: ReportContext = {}): Report | undefined {
  const said = text.slice(0, MOST_CHARS).normalize('NFKC').replaceAll(ADDRESSED, '').trim();
  const codes = [...said.matchAll(STATUS_CODE)].map(({ groups }) => groups?.['code'] ?? '');
  const worded = SYMPTOM_KINDS.filter((kind) => SYMPTOM_WORDS[kind].some((words) => words.test(said)));
  const symptoms = [...new Set([...(codes.length ? [kindOfCode(codes[0] ?? '')] : []), ...worded])];
  const severity = severityIn(said);
  const service = serviceIn(said, context);
  // `payment-service P1`: whoever grades a service speaks of an alert.
  if (symptoms.length === 0 && severity !== undefined && service !== undefined) symptoms.push('alert');
  if (symptoms.length === 0) return undefined;
  const version = VERSION.exec(said)?.[0];
  return {
    mood: moodOf(said),
    symptoms,
    codes,
    ...(service === undefined ? {} : { service }),
    ...(severity === undefined ? {} : { severity }),
    afterRelease: followsRelease(said),
    ...(version === undefined ? {} : { version }),
  };
}

/** Whether a release is named as what came before. */
export const followsRelease = (text: string): boolean =>
  RELEASE.test(text) || (VERSION.test(text) && /发布|上线|deploy|releas/i.test(text));

const kindOfCode = (code: string): SymptomKind =>
  code === '429' ? 'traffic' : code === '504' || code === '408' ? 'latency' : 'errors';

function moodOf(said: string): Report['mood'] {
  const asks = QUESTION.test(said);
  const looks = LOOK.test(said);
  if (MEANING.test(said) && !looks && !TREND.test(said)) return 'means';
  if (PAST.test(said) && (asks || ADVICE.test(said) || /查|搜|search|look up|recall/i.test(said)))
    return 'past';
  if (ADVICE.test(said)) return 'advice';
  // "…, is it the release?" at the end of a report is a wish that somebody looks.
  return asks && !(looks && /[。.;;,,]/.test(said.slice(0, -1))) ? 'asks' : 'tells';
}

function severityIn(said: string): Severity | undefined {
  const grade = GRADE.exec(said)?.[1];
  if (grade !== undefined) return GRADES[Number(grade)];
  return GRAVE.test(said) ? 'P1' : undefined;
}

function serviceIn(
  said: string,
  { services = [], isTechnology = () => false }: ReportContext,
): string | undefined {
  const named = servicesIn(said, services)[0] ?? chineseServiceIn(said);
  if (named !== undefined) return services.includes(named) ? named : named.toLowerCase();
  const subject = subjectOf(said);
  return subject !== undefined && !isTechnology(subject) ? subject : undefined;
}

/** A shorter word is one letter away from too many others. */
const LEAST_LETTERS = 6;

/** Words that stand where the name of a service would, and are none. */
const NO_SUBJECT = new Set(
  `the this that it its my our your their a an any all some every each no one service services server servers machine
machines host hosts box node nodes system systems site website page app application api apis database db cache queue
disk memory cpu network load traffic latency error errors requests request response users user customers everything
something nothing what which who why how when where is are was were there here high low slow fast http https status
code codes rate rates p95 p99 p50 very too so still now also and or but not on in at of to for from with after before
since please help check investigate look find show alert alerts incident incidents production prod staging env
environment many more most lots increased rising average test tests build job pod pods container containers query
queries lag lags consumer consumers have has had got get gets give gives take takes see seen make makes seem seems
look looks feel feels latest newest recent last next previous pending terminating running unknown evicted ready
half lookups resolution certificate certificates cert certs domain domains timeout timeouts connection connections pool log logs process processes laptop computer pc desktop phone browser deployment deploy release`.split(
    /\s+/,
  ),
);
/** It begins the sentence or a part of it: `DNS lookups fail` says nothing of a service `lookups`. */
const AFTER_NAME =
  /(?:^|[,.;:!?,。;:!?\n]\s*|\b(?:the|our|my|that|and|but|why (?:is|does|are)|is|because|hi|hey|help|hermes)\s+)(?<name>[a-z][a-z0-9_]{2,30})(?:'s)?[ ]+(?=(?:is |are |was |keeps? |has |got |went |rose |jumped |dropped |climbed |takes |took |pods? |containers? |response |requests? |returns? |returning |throws? |answers? |shows? |http |p9\d|p50|latenc|error|5\d\d|5xx|429|4xx|time-?out|timing|slow|down|crash|oom|unavail|unreach|fail|cpu|memory|traffic|qps))/gi;
const BEFORE_NAME =
  /\b(?:on|in|of|for|from|with|at)\s+(?:the |our |my )?(?<name>[a-z][a-z0-9_]{2,30})(?=\s*(?:$|[,.;!?,。;!?]|\b(?:since|after|before|right|now|again|is|are|was|has|have|keeps?|went|at|in|today|and|with|for|doubled|spik\w+|ris\w+|jump\w+|pods?|suddenly)\b))/gi;
const BEFORE_HAN = /(?<name>(?<![\w.@/-])[a-z][a-z0-9_]{2,30})\s*(?=[\p{Script=Han}]|\d{3})/giu;

/** Also with a slip in it: `stuck in pendng` names no service. */
const isNoSubject = (name: string): boolean =>
  NO_SUBJECT.has(name) ||
  (name.length >= LEAST_LETTERS &&
    [...NO_SUBJECT].some((word) => word[0] === name[0] && isOneSlip(name, word)));

/** The single word that a symptom is said of: `checkout latency doubled`, `errors on search`, `checkout 超时`. */
function subjectOf(said: string): string | undefined {
  for (const pattern of [AFTER_NAME, BEFORE_HAN, BEFORE_NAME])
    for (const { groups } of said.matchAll(pattern)) {
      const name = groups?.['name']?.toLowerCase() ?? '';
      if (!isNoSubject(name) && !isSymptomWord(name)) return name;
    }
  return undefined;
}

const isSymptomWord = (word: string): boolean =>
  SYMPTOM_KINDS.some((kind) => SYMPTOM_WORDS[kind].some((words) => words.test(word))) || TREND.test(word);

/** That it happens now, or should be looked at: a service and a symptom alone do not say so in every channel. */
export const isUrgent = (text: string): boolean => LOOK.test(text) || TREND.test(text);
