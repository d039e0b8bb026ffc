import { cutTerms } from '#engines/retrieval';
import type { Text } from '#kit/text';
import type { LogPattern } from '../logs/log-bursts.ts';
import { MAY_BE_CHANCE } from '../finding.ts';
import type { Observations, OnsetSeries } from '../observe.ts';
import { showNumber } from '../show-number.ts';
import { complaintsName, sameValues, worseVersion } from '../words.ts';
import type { EffectiveChange } from './effective-change.ts';

/** What ties a change to the symptoms exactly: values that it replaced, the version that it brought. */
export const exactTie = (
  effective: EffectiveChange,
  { onsets, versions, patterns }: Observations,
): Text | undefined =>
  matchValues(effective, onsets) ??
  matchVersion(
    effective,
    versions.filter(({ chance }) => chance < MAY_BE_CHANCE),
  ) ??
  matchComplaint(
    effective,
    patterns.filter(({ bad, counts, expected }) => bad && counts.during > 2 * expected),
  );

function matchValues({ nature }: EffectiveChange, onsets: readonly OnsetSeries[]): Text | undefined {
  const same = (text: string, value: number): boolean => {
    const number = Number.parseFloat(text);
    return Number.isFinite(number) && number !== 0 && showNumber(number) === showNumber(value);
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
  complaints: readonly LogPattern[],
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

function matchVersion(
  { change, deploy, services }: EffectiveChange,
  worse: Observations['versions'],
): Text | undefined {
  const brought: unknown[] = [change, deploy].flatMap((part) => {
    const { version, to } = part?.details ?? {};
    return [version, to];
  });
  const found = worse.find(({ service, side }) => services.includes(service) && brought.includes(side));
  return found && worseVersion(found.side, found.service);
}

function shareTerm(one: string, other: string): boolean {
  const terms = new Set(cutTerms(one));
  return cutTerms(other).some((term) => term.length > 2 && terms.has(term));
}
