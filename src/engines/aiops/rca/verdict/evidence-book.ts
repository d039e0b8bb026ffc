import type { Evidence } from '#spec/data';
import type { FoundEvidence } from '../finding.ts';
import { thousandths } from '../show-number.ts';

/** More of anything is no help to a reader. */
export const MOST_SHOWN = 5;

/** Numbers evidence as it is cited: the same thing has one id, and what nobody cites is not kept. */
export interface EvidenceBook {
  cite(evidence: FoundEvidence, score: number): string;
  all(): Evidence[];
}

export function openEvidenceBook(): EvidenceBook {
  const kept = new Map<string, Evidence>();
  const counts = new Map<Evidence['kind'], number>();
  return {
    cite(evidence, score) {
      const key = `${evidence.kind}\n${evidence.query}\n${evidence.summary.en}`;
      const known = kept.get(key);
      if (known) return known.id;
      const count = (counts.get(evidence.kind) ?? 0) + 1;
      counts.set(evidence.kind, count);
      const id = evidenceId(evidence.kind, count);
      kept.set(key, { ...evidence, id, score: thousandths(Math.min(1, Math.max(0, score))) });
      return id;
    },
    all: () => [...kept.values()],
  };
}

/** Counted by kind, such as `ev_metric_1`: people and models quote it. */
export const evidenceId = (kind: Evidence['kind'], count: number): string => `ev_${kind}_${count}`;
