import type { Hypothesis, Rca, Telemetry } from '#spec/data';
import { suspectChanges } from './changes/suspect-changes.ts';
import { observe, type Observations } from './observe.ts';
import { changeHypotheses } from './verdict/change-hypotheses.ts';
import { type AlertCheck, checkAlert, isConfirmed } from './verdict/confirm-alert.ts';
import { type EvidenceBook, openEvidenceBook } from './verdict/evidence-book.ts';
import { outsideCauses } from './verdict/outside-causes.ts';
import { outsideHypotheses, surgeHypothesis } from './verdict/outside-hypotheses.ts';
import { rankServices } from './verdict/rank-services.ts';
import { serviceHypotheses } from './verdict/service-hypotheses.ts';
import { nextQuery, whatIsMissing } from './verdict/what-is-missing.ts';
import { incidentWindow } from './windows.ts';
import { calm, NOTHING_MOVED, NOTHING_UNUSUAL } from './words.ts';

/** From this confidence of the first hypothesis on it is a conclusion. */
const CONCLUDE_FROM = 0.3;
/** A change that explains an incident and the place where it shows are one story: the place alone comes after it. */
const TOLD_BY_CHANGE = 0.5;
const AFTER_CHANGE = 0.9;
/** A cause that the symptoms name leaves this much to changes that merely came at the same time. */
const LEFT_BY_NAMED = 0.25;

/**
 * The root cause of one incident from its telemetry. Pure: the same telemetry in any order gives the same answer, and
 * everything that is claimed cites evidence of the answer.
 */
export function diagnose(telemetry: Telemetry): Rca {
  const seen = observe(telemetry);
  const book = openEvidenceBook();
  const suspects = rankServices(seen.findings, seen.graph, telemetry.bundle.service);
  const alert = checkAlert(seen);
  const outside = outsideCauses(telemetry.bundle, seen.patterns);
  const missing = whatIsMissing(telemetry);
  // Where nothing of the alert can be looked up, more traffic than ever is what happened, if nothing else did.
  const confirmed = isConfirmed(alert, suspects) || outside.length > 0;
  const busy = !confirmed && seen.surge !== undefined && alert === undefined;
  if (!confirmed && !busy) {
    // Whoever saw nothing cannot say that there was nothing.
    if (isBlind(telemetry)) return { status: 'inconclusive', hypotheses: [], evidence: [], missing };
    return { status: 'no_incident', hypotheses: [quiet(seen, alert, book)], evidence: book.all(), missing };
  }
  // No change is to blame where nobody suffers.
  const changes = busy ? [] : changeHypotheses(suspectChanges(seen, suspects), suspects, seen, book);
  const named = outsideHypotheses(outside, seen, book);
  const hypotheses = inOrder(
    changes,
    serviceHypotheses(suspects, seen, book),
    named,
    surgeHypothesis(seen, book),
  );
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

function inOrder(
  changes: readonly Hypothesis[],
  services: readonly Hypothesis[],
  named: readonly Hypothesis[],
  surge: Hypothesis | undefined,
): Hypothesis[] {
  const told = Math.max(0, ...changes.map(({ confidence }) => confidence));
  const weaker = (hypothesis: Hypothesis, share: number): Hypothesis => ({
    ...hypothesis,
    confidence: hypothesis.confidence * share,
  });
  const place = Math.max(Number.MIN_VALUE, ...services.map(({ confidence }) => confidence));
  const left = told >= CONCLUDE_FROM ? Math.min(TOLD_BY_CHANGE, (AFTER_CHANGE * told) / place) : 1;
  const changed = changes.find(({ confidence }) => confidence === told)?.service;
  // A change of one service and a fault in another are two stories, and share what can be believed.
  const leftOf = ({ service }: Hypothesis): number =>
    told >= CONCLUDE_FROM && changed !== undefined && service !== changed ? 1 - told : left;
  const all = [
    ...changes.map((hypothesis) => weaker(hypothesis, named.length ? LEFT_BY_NAMED : 1)),
    ...services.map((hypothesis) => {
      const share = leftOf(hypothesis);
      return weaker(hypothesis, named.length ? Math.min(share, TOLD_BY_CHANGE) : share);
    }),
    ...named,
    ...(surge ? [weaker(surge, told >= CONCLUDE_FROM ? TOLD_BY_CHANGE : 1)] : []),
  ];
  return all
    .map((hypothesis) => ({ ...hypothesis, confidence: Math.round(hypothesis.confidence * 1000) / 1000 }))
    .toSorted((one, other) => other.confidence - one.confidence || (one.why.en < other.why.en ? -1 : 1));
}

/** Nothing robust changed: said with the numbers of the metric that was looked at. */
function quiet(seen: Observations, alert: AlertCheck | undefined, book: EvidenceBook): Hypothesis {
  const { telemetry, windows } = seen;
  const { service, metric } = telemetry.bundle;
  const window = incidentWindow(windows);
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
          1 - Math.min(1, Math.max(0, alert.novelty)),
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
          0.5,
        ),
      ];
  return {
    category: 'none',
    confidence: alert ? Math.round((1 - Math.min(0.9, Math.max(0, alert.novelty) / 2)) * 1000) / 1000 : 0.5,
    supports,
    refutes: [],
    why: NOTHING_UNUSUAL,
  };
}
