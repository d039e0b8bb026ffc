import { asText, uniqueTexts } from '#kit/text';
import type { Evidence, EvidenceResult, Rca, Telemetry } from '#spec/data';
import type { AskedRecord } from '../../evidence/asked-record.ts';
import { evidenceId } from '../verdict/evidence-book.ts';
import { gaveNothing } from '../words.ts';
import { changeSlice } from './change-slice.ts';
import { ALERT, logSlices } from './log-slice.ts';
import { metricSlices, namedSeries } from './metric-slice.ts';
import { nameSource } from './name-source.ts';
import { traceSlices } from './trace-slice.ts';

export interface GroundedRca {
  readonly rca: Rca;
  /** What each piece of evidence rests on, by its id. */
  readonly results: Readonly<Record<string, EvidenceResult>>;
}

/**
 * Ties every piece of evidence to the part of the telemetry that shows it, and to the backend and query that gave it. A
 * backend that did not answer is evidence too: a gap, which nobody cites. Takes a diagnosis as `diagnose` gave it.
 */
export function groundEvidence(rca: Rca, telemetry: Telemetry, asked: readonly AskedRecord[]): GroundedRca {
  const slices: Partial<Record<Evidence['kind'], (evidence: Evidence) => EvidenceResult | undefined>> = {
    metric: metricSlices(telemetry),
    log: logSlices(telemetry),
    trace: traceSlices(telemetry),
    change: (evidence) => changeSlice(telemetry, evidence),
    gap: () => ({}),
  };
  const results: Record<string, EvidenceResult> = {};
  const grounded = rca.evidence.map((evidence) => {
    const result = slices[evidence.kind]?.(evidence);
    if (result) results[evidence.id] = result;
    const isAlert = result?.lines?.every(({ service }) => service === ALERT);
    return isAlert
      ? { ...evidence, source: ALERT }
      : nameSource({ ...evidence, ...seriesOf(evidence) }, asked);
  });
  const gaps = gapEvidence(asked, telemetry, rca.evidence.filter(({ kind }) => kind === 'gap').length);
  for (const { id } of gaps) results[id] = {};
  return {
    rca: {
      ...rca,
      evidence: [...grounded, ...gaps],
      missing: uniqueTexts([...rca.missing, ...gaps.map(({ summary }) => summary)]),
    },
    results,
  };
}

/** Its query becomes the backend's own: which series it is about stays readable. */
function seriesOf(evidence: Evidence): Pick<Evidence, 'series'> {
  const series = evidence.kind === 'metric' ? namedSeries(evidence) : undefined;
  return series ? { series } : {};
}

function gapEvidence(asked: readonly AskedRecord[], { bundle }: Telemetry, known: number): Evidence[] {
  const failed = asked.flatMap(({ source, kind, query, problem }) =>
    problem === undefined ? [] : [{ source, query, summary: gaveNothing(source, kind, asText(problem)) }],
  );
  const once = [...new Map(failed.map((gap) => [gap.summary.en, gap])).values()];
  return once.map(
    ({ source, query, summary }, index): Evidence => ({
      id: evidenceId('gap', known + index + 1),
      kind: 'gap',
      summary,
      query: query || `everything from ${source}`,
      source,
      window: bundle.incident,
      score: 0,
    }),
  );
}
