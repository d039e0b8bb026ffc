import { joinTexts, type Text } from '#kit/text';
import type { CauseCategory, Change, Hypothesis } from '#spec/data';
import type { SuspectChange } from '../changes/rank-changes.ts';
import type { FoundEvidence } from '../finding.ts';
import type { Observations } from '../observe.ts';
import { instant } from '../windows.ts';
import { showNumber } from '../show-number.ts';
import { changed, leftRange, notTheCause, tookEffect } from '../words.ts';
import type { EvidenceBook } from './evidence-book.ts';
import { nameCategory } from './name-category.ts';
import type { SuspectService } from './rank-services.ts';
import { weightOf } from './rank-services.ts';

const MOST = 4;
const MOST_REFUTED = 2;
/** What speaks for no change in particular. */
const UNKNOWN = 0.4;
const SHARPNESS = 3;
/** Undoing needs more than a first place: four to one against all others together. */
const UNDO_FROM = 0.8;
/** Below this a change is a coincidence. */
const LEAST_SCORE = 0.3;

/** Changes as hypotheses; a change that cannot be it is shown with what refutes it, and never proposed for undoing. */
export function changeHypotheses(
  changes: readonly SuspectChange[],
  suspects: readonly SuspectService[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis[] {
  const total = changes.reduce((sum, { score }) => sum + score ** SHARPNESS, UNKNOWN ** SHARPNESS);
  const likely = changes.filter(({ score, refuted }) => !refuted && score >= LEAST_SCORE).slice(0, MOST);
  const excluded = changes
    .filter(({ refuted, near, effective }) => refuted && near >= 0.8 && !effective.nature.idle)
    .toSorted(
      (one, other) => other.content.total * other.effective.sure - one.content.total * one.effective.sure,
    )
    .slice(0, MOST_REFUTED);
  return [
    ...likely.map((suspect) => {
      const confidence = suspect.score ** SHARPNESS / total;
      const hypothesis = likelyHypothesis(suspect, confidence, suspects, seen, book);
      return confidence >= UNDO_FROM && mayBeUndone(suspect) ? { ...hypothesis, undo: true } : hypothesis;
    }),
    ...excluded.flatMap((suspect) =>
      suspect.refuted ? [excludedHypothesis(suspect, suspect.refuted, seen, book)] : [],
    ),
  ];
}

function likelyHypothesis(
  suspect: SuspectChange,
  confidence: number,
  suspects: readonly SuspectService[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis {
  const { effective, score, delay, exact, content } = suspect;
  const service = placeOf(suspect, suspects);
  const own = book.cite(changeEvidence(suspect, seen), score);
  const symptoms = seen.onsets
    .filter(
      (series) =>
        effective.services.includes(series.service) || series.service === seen.telemetry.bundle.service,
    )
    // A flicker: what reads the same before and since tells nobody anything.
    .filter(({ before, during }) => showNumber(before) !== showNumber(during))
    .toSorted((one, other) => one.at - other.at || (one.metric < other.metric ? -1 : 1))
    .slice(0, 3)
    .map((series) => book.cite(onsetEvidence(series, seen), 0.5));
  const findings = suspects.find((entry) => entry.service === service)?.findings.slice(0, 2) ?? [];
  const complaints = findings.map((finding) => book.cite(finding.evidence, weightOf(finding)));
  const words = content.terms.slice(0, 5).join(', ');
  const minutes = Math.max(0, Math.round(delay / 60));
  return {
    category: categoryOf(suspect, seen),
    ...(service === undefined ? {} : { service }),
    change: effective.change.id,
    confidence,
    supports: [...new Set([own, ...symptoms, ...complaints])],
    refutes: [],
    why: tookEffect(shown(effective.change), { minutes, terms: words, tie: exact }),
  };
}

function excludedHypothesis(
  suspect: SuspectChange,
  refuted: Text,
  seen: Observations,
  book: EvidenceBook,
): Hypothesis {
  const { effective } = suspect;
  const evidence = changeEvidence(suspect, seen);
  const summary = joinTexts([evidence.summary, refuted], { en: ': ', zh: ':' });
  return {
    category: 'deploy_regression',
    ...(effective.services[0] === undefined ? {} : { service: effective.services[0] }),
    confidence: 0.01,
    supports: [],
    refutes: [book.cite({ ...evidence, summary }, 0)],
    why: notTheCause(shown(effective.change), refuted),
  };
}

/** Enough to undo it: what it says fits, or it hit the very place at the very time and surely runs there. */
function mayBeUndone({ likeness, near, delay, effective, exact, time }: SuspectChange): boolean {
  if (exact !== undefined) return true;
  const fits = likeness >= 0.4 && near >= 0.5 && time >= 0.1;
  return fits || (near >= 0.8 && delay <= 600 && effective.sure >= 0.9);
}

function placeOf({ effective }: SuspectChange, suspects: readonly SuspectService[]): string | undefined {
  const rank = (service: string): number => {
    const at = suspects.findIndex((suspect) => suspect.service === service);
    return at < 0 ? suspects.length : at;
  };
  return effective.services.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))[0];
}

function categoryOf(
  { effective, content }: SuspectChange,
  { onsets, telemetry }: Observations,
): CauseCategory {
  const { kind } = effective.change;
  const otherwise = kind === 'flag' || kind === 'config' ? 'bad_config' : 'deploy_regression';
  const said = [telemetry.bundle.title, ...onsets.map(({ metric }) => metric), content.terms.join(' ')];
  const named = nameCategory(said, otherwise);
  return named === 'connection_pool' ? named : otherwise;
}

function changeEvidence({ effective, refuted }: SuspectChange, { windows }: Observations): FoundEvidence {
  const { change, deploy, services, at } = effective;
  return {
    kind: 'change',
    ...(services[0] === undefined ? {} : { service: services[0] }),
    summary: changed(shown(change), { services, carrier: deploy?.id, at: instant(at) }),
    query: `changes{id="${change.id}"}`,
    window: { start: instant(Math.min(at, windows.incident[0])), end: instant(windows.incident[1]) },
    ...(refuted === undefined ? { at: instant(at) } : {}),
  };
}

function onsetEvidence(
  { service, metric, at, before, during }: Observations['onsets'][number],
  { windows }: Observations,
): FoundEvidence {
  return {
    kind: 'metric',
    service,
    summary: leftRange({ metric, service }, { before, during }),
    query: `${metric}{service="${service}"}`,
    window: { start: instant(windows.baseline[0]), end: instant(windows.incident[1]) },
    baseline: before,
    during,
    at: instant(at),
  };
}

const shown = ({ kind, id, summary }: Change) => ({ kind, id: short(id), summary });
const short = (id: string): string => (/^[0-9a-f]{16,}$/i.test(id) ? id.slice(0, 10) : id);
