import { tell } from '#kit/text';
import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import type { Language } from '#kit/language';
import { HealthResult } from '../endpoint.ts';
import { jsonOrText, listIn } from '../loose.ts';
import type { Severity } from '../severity.ts';

export const AnomalyItem = z.object({
  severity: z.enum(['critical', 'high', 'medium', 'low', 'info']),
  name: z.string(),
  message: z.string(),
  state: z.string().default('down'),
  type: z.string().default('http'),
  target: z.string().default(''),
  /** How often in a row, this time included. */
  failures: z.number().default(1),
  endpoint: z.unknown().optional(),
});
export type AnomalyItem = z.infer<typeof AnomalyItem>;

/** Results of health checks, from the action itself or from a list. */
export const resultsIn = (value: unknown): HealthResult[] =>
  listIn(value, 'results').flatMap((entry) => {
    const parsed = HealthResult.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });

/** Earlier checks, oldest first: runs with results, or results by themselves. Anything else is no history. */
export function historyIn(value: unknown): HealthResult[][] {
  const plain = jsonOrText(value);
  const list = listIn(plain, 'runs', 'history', 'entries');
  const runs = list.length > 0 ? list : isRecord(plain) ? [plain] : [];
  const found = runs.map((run) => {
    const content = isRecord(run) && 'value' in run ? jsonOrText(run.value) : jsonOrText(run);
    const results = resultsIn(
      isRecord(content) && 'health_results' in content ? content.health_results : content,
    );
    if (results.length > 0) return results;
    const single = HealthResult.safeParse(content);
    return single.success ? [single.data] : [];
  });
  return found.filter((results) => results.length > 0);
}

const BY_STATE: Readonly<Record<HealthResult['state'], Severity>> = {
  up: 'info',
  slow: 'medium',
  degraded: 'high',
  down: 'critical',
  unknown: 'medium',
};

interface Limits {
  /** Below this many failures in a row, what is down is only worth a look. */
  readonly threshold: number;
}

/** What is wrong, judged by this check and those before it. */
export function anomaliesIn(
  results: readonly HealthResult[],
  history: readonly (readonly HealthResult[])[],
  { threshold }: Limits,
  language: Language,
): AnomalyItem[] {
  return results.flatMap((result) => {
    const before = history.flat().filter(({ name }) => name === result.name);
    if (result.state === 'up') return slowerThanUsual(result, before, language);
    const failures = 1 + trailing(before);
    const known = failures >= threshold;
    const severity = known ? severityFor(result) : 'low';
    const times =
      failures > 1 ? tell(` (${failures} times in a row)`, `(连续 ${failures} 次)`)[language] : '';
    return [itemOf(result, severity, `${result.message || result.state}${times}`, failures)];
  });
}

/** A service that takes more than twice the time that it may is worse than slow. */
function severityFor({ state, severity, ms, expected_ms: expected }: HealthResult): Severity {
  if (severity && (state === 'down' || state === 'degraded')) return severity;
  if (state === 'slow' && expected && ms && ms > 2 * expected) return 'high';
  return BY_STATE[state];
}

function trailing(before: readonly HealthResult[]): number {
  const lastGood = before.findLastIndex(({ ok }) => ok);
  return before.length - 1 - lastGood;
}

const FEW = 5;

/** Far outside of what its own past shows: three deviations, and twice the usual. */
function slowerThanUsual(
  result: HealthResult,
  before: readonly HealthResult[],
  language: Language,
): AnomalyItem[] {
  const times = before.filter(({ ok, ms }) => ok && typeof ms === 'number').map(({ ms }) => ms ?? 0);
  if (times.length < FEW || typeof result.ms !== 'number') return [];
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const deviation = Math.sqrt(times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / times.length);
  if (result.ms <= mean + 3 * deviation || result.ms <= 2 * mean || result.ms < 50) return [];
  const usual = Math.round(mean);
  const message = tell(`${result.ms} ms, usually ${usual} ms`, `耗时 ${result.ms} ms,平时 ${usual} ms`)[
    language
  ];
  return [itemOf(result, 'medium', message, 1)];
}

const itemOf = (
  { name, state, type, target, endpoint }: HealthResult,
  severity: Severity,
  message: string,
  failures: number,
): AnomalyItem => ({
  severity,
  name,
  message,
  state,
  type,
  target,
  failures,
  ...(endpoint === undefined ? {} : { endpoint }),
});
