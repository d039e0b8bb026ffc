/** How many model calls a turn may make. */
export interface IterationBudget {
  readonly limit: number;
  readonly used: number;
  readonly exhausted: boolean;
  spend(): void;
  /** Gives a call back that did no work of its own. */
  refund(): void;
}

export function iterationBudget(limit: number): IterationBudget {
  let used = 0;
  return {
    limit,
    get used() {
      return used;
    },
    get exhausted() {
      return used >= limit;
    },
    spend: () => {
      used++;
    },
    refund: () => {
      used = Math.max(0, used - 1);
    },
  };
}
