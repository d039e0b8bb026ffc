import { uniqueTexts } from '#kit/text';
import type { EvidenceResult, Rca, Telemetry } from '#spec/data';
import type { AskedRecord } from '../evidence/asked-record.ts';
import { diagnose } from './diagnose.ts';
import { checkCitations } from './grounding/check-citations.ts';
import { type GroundedRca, groundEvidence } from './grounding/ground-evidence.ts';

/** The root cause of what was collected, with the part of it that each citation rests on. */
export function reachVerdict(telemetry: Telemetry, asked: readonly AskedRecord[] = []): GroundedRca {
  const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, asked);
  return { rca: onlyWhatIsShown(rca, results), results };
}

/** A verdict with a citation that a reader could not see is none, and says so: nothing is done on it. */
export function onlyWhatIsShown(rca: Rca, results: Readonly<Record<string, EvidenceResult>>): Rca {
  const [first] = rca.hypotheses;
  const problems = first ? checkCitations({ ...rca, hypotheses: [first] }, results) : [];
  if (rca.status === 'inconclusive' || !problems.length) return rca;
  const hypotheses = rca.hypotheses.map((hypothesis) => {
    const { undo: _, ...thought } = hypothesis;
    return thought;
  });
  return { ...rca, status: 'inconclusive', hypotheses, missing: uniqueTexts([...problems, ...rca.missing]) };
}
