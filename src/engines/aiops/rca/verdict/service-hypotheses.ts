import { joinTexts, uniqueTexts } from '#kit/text';
import type { CauseCategory, Hypothesis } from '#spec/data';
import type { Finding } from '../finding.ts';
import { isWhole } from '../metrics/read-metric-name.ts';
import type { Observations } from '../observe.ts';
import { median } from '../stats.ts';
import { incidentWindow, valuesWithin } from '../windows.ts';
import { moved } from '../words.ts';
import { type EvidenceBook, MOST_SHOWN } from './evidence-book.ts';
import { toldKind } from './kind-clues.ts';
import { nameCategory } from './name-category.ts';
import { type SuspectService, weightOf } from './rank-services.ts';

/** Suspects as hypotheses. The runner-up's evidence speaks against the first, and the first's against the others. */
export function serviceHypotheses(
  suspects: readonly SuspectService[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis[] {
  const cited = suspects.slice(0, MOST_SHOWN).map((suspect) => ({
    suspect,
    supports: suspect.findings
      .slice(0, MOST_SHOWN)
      .map((finding) => book.cite(finding.evidence, weightOf(finding))),
  }));
  return cited.map(({ suspect, supports }, index) => {
    const rival = cited[index ? 0 : 1];
    const telling = rival && rival.suspect.share > suspect.share / 2 ? rival.supports.slice(0, 1) : [];
    const kind = toldKind(suspect, seen);
    const demand = kind?.category === 'rate_limit' ? demandOn(suspect.service, seen) : undefined;
    const told = [
      ...(kind?.evidence ? [book.cite(kind.evidence, kind.weight)] : []),
      // It tells how much, not why.
      ...(demand ? [book.cite(demand, 0)] : []),
    ];
    const reasons = [suspect.findings[0]?.evidence, kind?.evidence].flatMap((one) => one?.summary ?? []);
    return {
      ...placed(suspect.service, kind?.category ?? wordsOf(suspect), seen),
      service: suspect.service,
      confidence: suspect.share,
      supports: [...new Set([...supports, ...told])],
      refutes: telling.filter((id) => !supports.includes(id) && !told.includes(id)),
      why: joinTexts(uniqueTexts(reasons), { en: '; ', zh: ';' }),
    };
  });
}

/** What callers can tell of the kind of somebody else's fault: that they are refused, and that they cannot trust it. */
const KNOWN_FROM_AFAR: ReadonlySet<CauseCategory> = new Set(['rate_limit', 'certificate']);

function placed(
  name: string,
  category: CauseCategory,
  { machines, silent }: Observations,
): Pick<Hypothesis, 'category' | 'place'> {
  if (machines.some((machine) => machine.name === name)) return { category, place: 'machine' };
  if (!silent.outside.has(name)) return { category };
  return { category: KNOWN_FROM_AFAR.has(category) ? category : 'external', place: 'outside' };
}

/** How much was asked for: what a limit has to be measured by. */
function demandOn(service: string, { metrics, windows }: Observations): Finding['evidence'] | undefined {
  const asked = metrics.find(
    ({ series, meaning }) => series.service === service && meaning.signal === 'requests' && isWhole(meaning),
  );
  if (!asked) return undefined;
  const { metric } = asked.series;
  const before = median(valuesWithin(asked.series, windows.baseline));
  const during = median(valuesWithin(asked.series, windows.incident));
  if (!Number.isFinite(before) || !Number.isFinite(during)) return undefined;
  return {
    kind: 'metric',
    service,
    summary: moved({ metric, service }, { before, during }),
    query: `${metric}{service="${service}"}`,
    window: incidentWindow(windows),
    baseline: before,
    during,
  };
}

/** Where nothing tells the kind, the words of the findings may. */
function wordsOf({ findings }: SuspectService): CauseCategory {
  const said = findings.slice(0, MOST_SHOWN).map(({ evidence }) => evidence.summary.en);
  return nameCategory(said, 'service_fault');
}
