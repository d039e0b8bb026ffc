import type { CacheTtl, Price, Usage } from '#spec/data';

const MILLION = 1_000_000;

/** What a call cost in US dollars. Cached tokens are charged at their own prices. */
export function costOf(usage: Usage, price: Price, cacheTtl: CacheTtl): number {
  const write = (cacheTtl === '1h' ? price.cacheWrite1h : price.cacheWrite5m) ?? price.input;
  return (
    (usage.input * price.input +
      usage.output * price.output +
      usage.cacheRead * (price.cacheRead ?? price.input) +
      usage.cacheWrite * write) /
    MILLION
  );
}
