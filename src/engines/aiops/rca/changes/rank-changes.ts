import { cutTerms } from '#engines/retrieval';
import type { Text } from '#kit/text';
import { clamp } from '../stats.ts';
import { cameAfter, complaintsName, IDLE_CHANGE, sameValues, takenBack, worseVersion } from '../words.ts';
import type { ContentMatch } from './match-content.ts';
import type { EffectiveChange } from './effective-change.ts';

/** A series that left its range, and since when. */
export interface OnsetSeries {
  readonly service: string;
  readonly metric: string;
  readonly at: number;
  readonly before: number;
  readonly during: number;
}

export interface ChangeContext {
  /** Since when the alerting metric is out of range, or the earliest sure symptom. */
  readonly onset: number;
  /** How exactly it is known: the distance of samples. */
  readonly tolerance: number;
  readonly onsets: readonly OnsetSeries[];
  /** What services complain of more than before. */
  readonly complaints: readonly { service: string; sample: string }[];
  /** Versions that do worse than others of their service. */
  readonly worse: readonly { service: string; version: string }[];
  /** 0 to 1: how near a service is to the fault. */
  readonly nearness: (service: string) => number;
}

export interface SuspectChange {
  readonly effective: EffectiveChange;
  readonly content: ContentMatch;
  /** How well its content fits, against the best one: 0 to 1. */
  readonly likeness: number;
  readonly score: number;
  /** Why it cannot be, if it cannot. */
  readonly refuted: Text | undefined;
  /** Seconds from the change to the symptom that followed it most closely. */
  readonly delay: number;
  readonly time: number;
  readonly near: number;
  /** What ties it to the symptoms exactly: a gauge moved between the very values that it replaced, or its version. */
  readonly exact: Text | undefined;
}

/** A symptom within this time of a change, in seconds, followed at once: deploys take minutes to roll out. */
const AT_ONCE = 300;
/** Later symptoms need a reason such as a pool that fills or a cache that expires: half as likely for each half hour. */
const HALF_LIFE = 1800;
/** A change by which nothing but time and place speaks. */
const WITHOUT_CONTENT = 0.5;
const EXACT = 2;
/** A change that says little is tied to symptoms only where it speaks of one that is more than the name of a service. */
const PLAIN = 0.4;
const UNTIED = 0.2;
/** What merely puts back what ran well before, or was done to mend something, is an unlikely cause. */
const RESTORING = 0.3;

export function rankChanges(
  changes: readonly EffectiveChange[],
  contents: ReadonlyMap<EffectiveChange, ContentMatch>,
  context: ChangeContext,
): SuspectChange[] {
  const contentOf = (effective: EffectiveChange): ContentMatch => contents.get(effective) ?? NO_MATCH;
  const possible = changes.filter((effective) => !refutation(effective, context));
  const best = Math.max(Number.MIN_VALUE, ...possible.map((effective) => contentOf(effective).total));
  return changes
    .map((effective) => {
      const content = contentOf(effective);
      return judge(effective, content, Math.min(1, content.total / best), context);
    })
    .toSorted(
      (one, other) =>
        other.score - one.score || (one.effective.change.id < other.effective.change.id ? -1 : 1),
    );
}

const NO_MATCH: ContentMatch = { total: 0, covered: 0, plainest: 0, terms: [] };

/** `alike` is its content against the best of those that are possible. */
function judge(
  effective: EffectiveChange,
  content: ContentMatch,
  alike: number,
  context: ChangeContext,
): SuspectChange {
  const { at, services, sure, nature } = effective;
  const delay = delayAfter(effective, context);
  const time = delay === undefined ? 0 : 2 ** (-Math.max(0, delay - AT_ONCE) / HALF_LIFE);
  const near = services.length ? Math.max(...services.map(context.nearness)) : 0;
  const exact =
    matchValues(effective, context.onsets) ??
    matchVersion(effective, context.worse) ??
    matchComplaint(effective, context.complaints);
  const refuted = refutation(effective, context);
  const tied = nature.diff !== undefined || exact !== undefined || content.plainest >= PLAIN;
  const likeness = tied ? alike : alike * UNTIED;
  const says = hasContent(effective) ? likeness : WITHOUT_CONTENT * (1 + likeness);
  const score = refuted
    ? 0
    : says *
      (0.35 + 0.65 * time) *
      (0.3 + 0.7 * near) *
      sure *
      clamp(nature.risk, 0.3, 1.5) *
      (effective.restores ? RESTORING : 1) *
      (exact ? EXACT : 1);
  return {
    effective,
    content,
    likeness,
    score,
    refuted,
    delay: delay ?? context.onset - at,
    time,
    near,
    exact,
  };
}

/** A deploy without its commit, or a flag, says where and when, but not what. */
const hasContent = ({ change, nature }: EffectiveChange): boolean =>
  nature.diff !== undefined ||
  nature.files.length > 0 ||
  change.kind === 'commit' ||
  change.kind === 'config';

function refutation(
  { at, until, nature }: EffectiveChange,
  { onset, tolerance }: ChangeContext,
): Text | undefined {
  if (nature.idle) return IDLE_CHANGE;
  if (at > onset + tolerance) return cameAfter(Math.round((at - onset) / 60));
  if (until !== undefined && until <= onset) return takenBack(Math.round((onset - until) / 60));
  return undefined;
}

/** How soon after the change one of the symptoms began: of its own services if they have any, else of all. */
function delayAfter(
  { at, services }: EffectiveChange,
  { onsets, onset, tolerance }: ChangeContext,
): number | undefined {
  const delays = onsets
    .filter(({ service }) => services.includes(service))
    .map((series) => series.at - at)
    .concat(onset - at)
    .filter((delay) => delay >= -tolerance);
  return delays.length ? Math.max(0, Math.min(...delays)) : undefined;
}

function matchValues({ nature }: EffectiveChange, onsets: readonly OnsetSeries[]): Text | undefined {
  const same = (text: string, value: number): boolean => {
    const number = Number.parseFloat(text);
    return Number.isFinite(number) && number !== 0 && Math.abs(number - value) <= Math.abs(number) * 0.005;
  };
  // Small numbers are everywhere: the line must speak of what the metric is called, too.
  const moved = onsets.find(({ metric, before, during }) =>
    nature.replaced.some(
      ({ from, to, line }) => same(from, before) && same(to, during) && shareTerm(metric, line),
    ),
  );
  return moved && sameValues(moved.metric);
}

/** A complaint of the very service that was set names the new value, and speaks of what was set. */
function matchComplaint(
  { nature, services }: EffectiveChange,
  complaints: ChangeContext['complaints'],
): Text | undefined {
  const found = nature.replaced.find(({ to, line }) => {
    const value = Number.parseFloat(to);
    if (!Number.isFinite(value)) return false;
    const named = new RegExp(`(?<![\\w.])${value}(?![\\d.])`);
    return complaints.some(
      ({ service, sample }) => services.includes(service) && named.test(sample) && shareTerm(line, sample),
    );
  });
  return found && complaintsName(found.to);
}

/** Where a deploy says what it brings. */
const BROUGHT = ['version', 'to', 'revision', 'tag'];

function matchVersion(
  { change, deploy, services }: EffectiveChange,
  worse: ChangeContext['worse'],
): Text | undefined {
  const brought = [change, deploy].flatMap((part) =>
    BROUGHT.map((key) => part?.details?.[key]).filter((text) => typeof text === 'string'),
  );
  const found = worse.find(({ service, version }) => services.includes(service) && brought.includes(version));
  return found && worseVersion(found.version, found.service);
}

function shareTerm(one: string, other: string): boolean {
  const terms = new Set(cutTerms(one));
  return cutTerms(other).some((term) => term.length > 2 && terms.has(term));
}
