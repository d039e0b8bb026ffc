import type { Audience } from '#spec/data';

const PARTS = ['source', 'user', 'chat'] as const satisfies readonly (keyof Audience)[];

/** The conditions on `sessions` that an audience stands for, and what to bind to them. */
export function audienceClauses(audience: Partial<Audience> | undefined): {
  readonly clauses: string[];
  readonly values: (string | number)[];
} {
  const given = PARTS.flatMap((part) => {
    const value = audience?.[part];
    return value === undefined ? [] : [{ clause: `${part} = ?`, value }];
  });
  return { clauses: given.map(({ clause }) => clause), values: given.map(({ value }) => value) };
}
