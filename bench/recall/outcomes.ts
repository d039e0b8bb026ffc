import type { Question } from './conversation-data.ts';

const MULTI_HOP = 1;
const OPEN_DOMAIN = 3;

export interface Outcome {
  readonly category: number;
  readonly found: number;
  readonly r5: number;
  readonly r10: number;
}

/** How many of the lines that answer a question are among the first. */
export function outcomeOf({ category, gold }: Question, ids: readonly string[]): Outcome {
  const recall = (depth: number) => {
    const top = ids.slice(0, depth);
    return gold.filter((id) => top.includes(id)).length / gold.length;
  };
  return { category, found: ids.length, r5: recall(5), r10: recall(10) };
}

export interface Figures {
  readonly r5: number;
  readonly r10: number;
  readonly multi_hop_r10: number;
  readonly open_domain_r10: number;
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const of = (category: number) => outcomes.filter((outcome) => outcome.category === category);
  return {
    r5: mean(outcomes, 'r5'),
    r10: mean(outcomes, 'r10'),
    multi_hop_r10: mean(of(MULTI_HOP), 'r10'),
    open_domain_r10: mean(of(OPEN_DOMAIN), 'r10'),
  };
}

function mean(outcomes: readonly Outcome[], figure: 'r5' | 'r10'): number {
  const sum = outcomes.reduce((total, outcome) => total + outcome[figure], 0);
  return Number((sum / outcomes.length).toFixed(4));
}
