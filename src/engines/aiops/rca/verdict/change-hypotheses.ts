import { joinTexts, type Text } from '#kit/text';
import type { CauseCategory, Change, Hypothesis } from '#spec/data';
import { MINUTE, type SuspectChange } from '../changes/suspect-changes.ts';
import type { FoundEvidence } from '../finding.ts';
import type { Observations } from '../observe.ts';
import { instant } from '../windows.ts';
import { showNumber } from '../show-number.ts';
import { changed, notTheCause, tookEffect } from '../words.ts';
import { type EvidenceBook, MOST_SHOWN } from './evidence-book.ts';
import { onsetEvidence } from './onset-evidence.ts';
import type { SuspectService } from './rank-services.ts';
import { weightOf } from './rank-services.ts';

/** Below this a change is a coincidence. */
const LEAST_SHARE = 0.01;

/** A change and how likely it is the cause. */
export interface WeighedChange {
  readonly suspect: SuspectChange;
  readonly share: number;
}

/** Changes as hypotheses; a change that cannot be it is shown with what refutes it, and never proposed for undoing. */
export function changeHypotheses(
  { likely, excluded }: { likely: readonly WeighedChange[]; excluded: readonly SuspectChange[] },
  suspects: readonly SuspectService[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis[] {
  const near = new Set([seen.telemetry.bundle.service, ...suspects.map(({ service }) => service)]);
  return [
    ...likely
      .filter(({ share }) => share >= LEAST_SHARE)
      .toSorted((one, other) => other.share - one.share || byId(one.suspect, other.suspect))
      .slice(0, MOST_SHOWN)
      .map((weighed) => likelyHypothesis(weighed, suspects, seen, book)),
    ...excluded
      .filter(
        ({ effective }) => !effective.nature.idle && effective.services.some((service) => near.has(service)),
      )
      .toSorted((one, other) => other.content.total - one.content.total || byId(one, other))
      .slice(0, 2)
      .flatMap((suspect) =>
        suspect.refuted ? [excludedHypothesis(suspect, suspect.refuted, seen, book)] : [],
      ),
  ];
}

const byId = (one: SuspectChange, other: SuspectChange): number =>
  one.effective.change.id < other.effective.change.id ? -1 : 1;

function likelyHypothesis(
  { suspect, share }: WeighedChange,
  suspects: readonly SuspectService[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis {
  const { effective, delay, exact, content } = suspect;
  const service = placeOf(suspect, suspects);
  const own = book.cite(changeEvidence(suspect, seen), share);
  const symptoms = seen.onsets
    .filter(
      (series) =>
        effective.services.includes(series.service) || series.service === seen.telemetry.bundle.service,
    )
    // A flicker: what reads the same before and since tells nobody anything.
    .filter(({ before, during }) => showNumber(before) !== showNumber(during))
    .toSorted((one, other) => one.at - other.at || (one.metric < other.metric ? -1 : 1))
    .slice(0, MOST_SHOWN)
    .map((series) => book.cite(onsetEvidence(series, seen), 1 - series.q));
  const findings = suspects.find((entry) => entry.service === service)?.findings.slice(0, 2) ?? [];
  const complaints = findings.map((finding) => book.cite(finding.evidence, weightOf(finding)));
  const words = content.terms.slice(0, MOST_SHOWN).join(', ');
  const minutes = Math.max(0, Math.round(delay / MINUTE));
  return {
    category: categoryOf(effective.change),
    ...(service === undefined ? {} : { service }),
    change: effective.change.id,
    confidence: share,
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
    confidence: LEAST_SHARE,
    supports: [],
    refutes: [book.cite({ ...evidence, summary }, 0)],
    why: notTheCause(shown(effective.change), refuted),
  };
}

function placeOf({ effective }: SuspectChange, suspects: readonly SuspectService[]): string | undefined {
  const rank = (service: string): number => {
    const at = suspects.findIndex((suspect) => suspect.service === service);
    return at < 0 ? suspects.length : at;
  };
  return effective.services.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))[0];
}

const categoryOf = ({ kind }: Change): CauseCategory =>
  kind === 'flag' || kind === 'config' ? 'bad_config' : 'deploy_regression';

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

const shown = ({ kind, id, summary }: Change) => ({ kind, id: short(id), summary });
const short = (id: string): string => (/^[0-9a-f]{16,}$/i.test(id) ? id.slice(0, 10) : id);
