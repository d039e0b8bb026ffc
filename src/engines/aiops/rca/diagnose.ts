import type { Hypothesis, Rca, Telemetry } from '#spec/data';
import { HALF, MAY_BE_CHANCE } from './finding.ts';
import { calibrated } from './model/calibrated.ts';
import { type CaseFeatures, caseFeatures, felt } from './model/case-features.ts';
import { FITTED, type Parameters } from './model/parameters.ts';
import { type Posterior, posterior } from './model/posterior.ts';
import { releaseOf } from './model/release.ts';
import { observe, type Observations } from './observe.ts';
import { changeHypotheses } from './verdict/change-hypotheses.ts';
import { type EvidenceBook, openEvidenceBook } from './verdict/evidence-book.ts';
import { outsideHypotheses, surgeHypothesis } from './verdict/outside-hypotheses.ts';
import { thousandths } from './show-number.ts';
import { rankServices } from './verdict/rank-services.ts';
import { serviceHypotheses } from './verdict/service-hypotheses.ts';
import { nextQuery, whatIsMissing } from './verdict/what-is-missing.ts';
import { incidentWindow } from './windows.ts';
import { calm, NOTHING_MOVED, NOTHING_UNUSUAL } from './words.ts';

/** From this confidence of the first hypothesis on it is a conclusion. */
export const CONCLUDE_FROM = 0.3;
/** Undoing an innocent change harms: nineteen in twenty must be right. */
const UNDO_FROM = 1 - MAY_BE_CHANCE;

/**
 * The root cause of one incident from its telemetry. Pure: the same telemetry in any order gives the same answer, and
 * everything that is claimed cites evidence of the answer.
 */
export function diagnose(telemetry: Telemetry, parameters: Parameters = FITTED): Rca {
  const seen = observe(telemetry);
  const book = openEvidenceBook();
  const missing = whatIsMissing(telemetry);
  const given = caseFeatures(seen);
  const likely = posterior(given, parameters);
  // Where nothing is measured the alert is taken at its word, as far as anything else was seen.
  const untested = seen.shifts.length === 0 && seen.findings.length > 0;
  const incident = untested ? 1 : likely.incident;
  // Unless one is likelier than not, nobody is blamed.
  if (incident < HALF) {
    // Whoever saw nothing cannot say that there was nothing.
    if (isBlind(telemetry)) return { status: 'inconclusive', hypotheses: [], evidence: [], missing };
    const hypotheses = [quiet(seen, 1 - incident, book)];
    const status = isSeenCalm(seen) ? 'no_incident' : 'inconclusive';
    return { status, hypotheses, evidence: book.all(), missing };
  }
  const suspects = rankServices(given.places, likely.places);
  const changes = given.changes.map(({ suspect }, at) => ({ suspect, share: likely.changes[at] as number }));
  const surge = surgeHypothesis(likely.surge, seen, book);
  const ranked = [
    ...changeHypotheses({ likely: changes, excluded: given.excluded }, suspects, seen, book),
    ...serviceHypotheses(suspects, seen, book),
    ...outsideHypotheses(given.named, likely.named, seen, book),
    ...(surge ? [surge] : []),
  ].toSorted((one, other) => other.confidence - one.confidence || (one.why.en < other.why.en ? -1 : 1));
  const hypotheses = withConfidence(ranked, { given, likely, incident }, parameters);
  const [first] = hypotheses;
  const sure = first !== undefined && first.confidence >= CONCLUDE_FROM;
  const query = nextQuery(hypotheses, telemetry);
  return {
    status: sure ? 'concluded' : 'inconclusive',
    hypotheses,
    evidence: book.all(),
    missing,
    ...(query === undefined ? {} : { nextQuery: query }),
  };
}

const isBlind = ({ metrics, logs, spans }: Telemetry): boolean =>
  metrics.length === 0 && logs.length === 0 && spans.length === 0;

/**
 * The first is as sure as what was as likely came true; the others are less by as much as they are less likely. A release
 * that is tied exactly may be undone where as many of its kind were right as undoing needs.
 */
function withConfidence(
  ranked: readonly Hypothesis[],
  { given, likely, incident }: { given: CaseFeatures; likely: Posterior; incident: number },
  parameters: Parameters,
): Hypothesis[] {
  const [first] = ranked;
  if (!first) return [];
  const { said, right } = parameters.tied;
  const leading = given.changes.findIndex(({ suspect }) => suspect.effective.change.id === first.change);
  const release = releaseOf(leading, given.changes, likely.changes);
  const isTied = release.tied && release.share * incident >= said;
  const usual = calibrated(first.confidence * incident, parameters);
  const sure = isTied ? Math.max(usual, right) : usual;
  const rest = isTied ? 1 - sure : usual;
  return ranked.map((hypothesis, at) => {
    const share = at === 0 ? sure : (rest * hypothesis.confidence) / first.confidence;
    const confidence = thousandths(Math.min(share, sure));
    return { ...hypothesis, confidence, ...(at === 0 && isTied && sure >= UNDO_FROM ? { undo: true } : {}) };
  });
}

/** What is critical is not called nothing unless what the alert names was looked at and is as usual. */
function isSeenCalm({ telemetry: { bundle }, shifts }: Observations): boolean {
  if (bundle.severity !== 'critical') return true;
  const own = shifts.filter(({ named: { series } }) => series.service === bundle.service);
  const named = own.filter(({ named: { series } }) => series.metric === bundle.metric);
  const asked = named.length ? named : own;
  return (
    asked.length > 0 &&
    asked.every(
      ({ shift, named: of }) => felt({ shift, named: of }) < HALF || shift.p * asked.length >= MAY_BE_CHANCE,
    )
  );
}
/** Nothing robust changed: said with the numbers of the metric that was looked at. */
function quiet(seen: Observations, confidence: number, book: EvidenceBook): Hypothesis {
  const { telemetry, windows, shifts } = seen;
  const { service, metric } = telemetry.bundle;
  const window = incidentWindow(windows);
  const alert = shifts.find(
    ({ named: { series } }) => series.service === service && series.metric === metric,
  )?.shift;
  const supports = alert
    ? [
        book.cite(
          {
            kind: 'metric',
            ...(service === undefined ? {} : { service }),
            summary: calm({ metric, service }, alert),
            query: `${metric}{service="${service}"}`,
            window,
            baseline: alert.before,
            during: alert.during,
          },
          alert.p,
        ),
      ]
    : [
        book.cite(
          {
            kind: 'gap',
            summary: NOTHING_MOVED,
            query: 'everything in the bundle',
            window,
          },
          confidence,
        ),
      ];
  return {
    category: 'none',
    confidence: thousandths(confidence),
    supports,
    refutes: [],
    why: NOTHING_UNUSUAL,
  };
}
