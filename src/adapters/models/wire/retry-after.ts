const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Headers in which vendors say when a limit resets, apart from the two standard ones. */
const RESET_HEADERS = [
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'x-ratelimit-reset',
  'ratelimit-reset',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
  'anthropic-ratelimit-input-tokens-reset',
];

/** How long a vendor asks to wait, in milliseconds from `now`, or undefined when it does not say. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const standard = parseDelay(headers.get('retry-after'), now);
  if (standard !== undefined) return standard;
  const resets = RESET_HEADERS.map((name) => parseDelay(headers.get(name), now));
  const known = resets.filter((reset) => reset !== undefined);
  return known.length ? Math.max(...known) : undefined;
}

/** A delay that stands only in the words of an error: `Please try again in 1.9s`, `"retryDelay": "39s"`. */
export function retryAfterInWords(message: string): number | undefined {
  const found =
    /(?:try again in|retry after|retryDelay"?:?\s*"?)\s*((?:\d+(?:\.\d+)?(?:ms|s|m|h))+|\d+(?:\.\d+)?(?= ?sec))/i.exec(
      message,
    )?.[1];
  return found === undefined ? undefined : parseDelay(found, 0);
}

/** Seconds, a duration such as `6m0s`, an epoch in seconds or milliseconds, or a date. */
function parseDelay(text: string | null, now: number): number | undefined {
  if (!text) return undefined;
  const number = Number(text);
  if (number >= 1e12) return Math.max(0, number - now);
  if (number >= 1e9) return Math.max(0, number * 1_000 - now);
  if (number >= 0) return number * 1_000;
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) {
    let total = 0;
    for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
      total += Number(amount) * (UNITS[unit as string] as number);
    }
    return total;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
