import type { CauseCategory } from '#spec/data';

/**
 * Kinds that words can tell, each by its own name and by what else people say for it. What brings others about comes
 * first: memory that runs out slows queries, slow queries empty pools, empty pools end in time-outs.
 */
const TOLD_BY: readonly (readonly [CauseCategory, ...string[]])[] = [
  ['certificate', 'x509', 'tls'],
  ['disk', 'no space', 'enospc'],
  ['resource_exhaustion', 'memory(?! address)', 'oom', 'heap'],
  ['crash_loop', 'crash', 'panic', 'restart', 'exited'],
  ['hot_key'],
  ['database_latency', 'query', 'statement', '(?:dead)?lock'],
  ['connection_pool', 'pool'],
  ['rate_limit', 'throttl', 'quota', '429'],
  ['network_delay'],
  ['dependency_timeout', 'timed? out', 'deadline', 'refused', 'unavailable', '504'],
];

const TELLING = TOLD_BY.map(([category, ...sayings]) => {
  // The words of one saying stand together or apart: rate limit, rate_limit, ratelimit.
  const ways = [category, ...sayings].map((saying) => saying.replace(/[ _]/g, '[ _-]?'));
  return [category, new RegExp(`(?<![a-z\\d])(?:${ways.join('|')})`, 'i')] as const;
});

/** The kind of a fault from what was said and measured about it, or `otherwise`. */
export function nameCategory(texts: readonly string[], otherwise: CauseCategory): CauseCategory {
  const apart = texts.map((text) => text.replace(/([a-z])(?=[A-Z])/g, '$1 '));
  return TELLING.find(([, said]) => apart.some((text) => said.test(text)))?.[0] ?? otherwise;
}

const rank = (category: CauseCategory): number => TOLD_BY.findIndex(([told]) => told === category);

/** What brings the other about comes first; a kind that no word tells, such as a release, before all. */
export const firstCause = (one: CauseCategory, other: CauseCategory): number => rank(one) - rank(other);
