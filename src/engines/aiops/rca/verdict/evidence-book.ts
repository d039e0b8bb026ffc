import type { Evidence } from '#spec/data';

/** Numbers evidence as it is cited: the same thing has one id, and what nobody cites is not kept. */
export interface EvidenceBook {
  cite(evidence: Omit<Evidence, 'id' | 'score'>, score: number): string;
  all(): Evidence[];
}

export function openEvidenceBook(): EvidenceBook {
  const kept = new Map<string, Evidence>();
  return {
    cite(evidence, score) {
      const key = `${evidence.kind}\n${evidence.query}\n${evidence.summary}`;
      const known = kept.get(key);
      if (known) return known.id;
      const id = `e${kept.size + 1}`;
      kept.set(key, { ...evidence, id, score: Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000 });
      return id;
    },
    all: () => [...kept.values()],
  };
}
