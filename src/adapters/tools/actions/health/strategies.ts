import { parse } from 'yaml';
import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import type { AnomalyItem } from './anomalies.ts';

const Strategy = z
  .object({
    /** What it is for: the name of an endpoint, part of one, or `*`. */
    match: z.string().min(1),
    name: z.string().optional(),
    /** A command line, or another action with its arguments. */
    command: z.string().min(1).optional(),
    action: z.string().min(1).optional(),
    args: z.record(z.string(), z.unknown()).default({}),
  })
  .refine(({ command, action }) => command !== undefined || action !== undefined);
export type Strategy = z.infer<typeof Strategy>;

/**
 * Remedies as people write them down: a list of records, a map from names to commands, or the text of either.
 * What cannot be read is no remedy.
 */
export function strategiesIn(value: unknown): Strategy[] {
  const plain = typeof value === 'string' ? fromText(value) : value;
  if (Array.isArray(plain))
    return plain.flatMap((entry) => (typeof entry === 'string' ? strategiesIn(entry) : one(entry)));
  if (!isRecord(plain)) return [];
  const single = one(plain);
  if (single.length > 0) return single;
  if ('strategies' in plain) return strategiesIn(plain.strategies);
  if ('value' in plain) return strategiesIn(plain.value);
  return Object.entries(plain).flatMap(([match, entry]) =>
    typeof entry === 'string'
      ? one({ match, command: entry })
      : isRecord(entry)
        ? one({ match, ...entry })
        : [],
  );
}

function one(entry: unknown): Strategy[] {
  if (!isRecord(entry)) return [];
  const match = entry.match ?? entry.for ?? entry.endpoint ?? entry.service ?? entry.name;
  const parsed = Strategy.safeParse({ ...entry, match });
  return parsed.success ? [parsed.data] : [];
}

function fromText(text: string): unknown {
  if (text.trim() === '' || text.length > 100_000) return undefined;
  try {
    return parse(text, { maxAliasCount: 10 }) as unknown;
  } catch {
    // Prose that is neither JSON nor YAML names no remedy.
    return undefined;
  }
}

/** The remedy for a thing: by its whole name first, then by a part of it, then the one for everything. */
export function strategyFor(
  { name, target, type }: AnomalyItem,
  strategies: readonly Strategy[],
): Strategy | undefined {
  const words = [name, target].map((word) => word.toLowerCase());
  const same = strategies.find(({ match }) => words.includes(match.toLowerCase()));
  if (same) return same;
  const part = strategies.find(
    ({ match }) =>
      match !== '*' && match.length > 2 && words.some((word) => word.includes(match.toLowerCase())),
  );
  return (
    part ?? strategies.find(({ match }) => match === type) ?? strategies.find(({ match }) => match === '*')
  );
}
