import type { RecoveryCheck } from '#spec/data';
import { isBack, type Levels, type LeastStep, levelsOf, wasBad } from './level.ts';
import { mean } from '../rca/stats.ts';
import { type Compared, isShare, isTraffic, requestsOf } from './series-levels.ts';
import { words } from './words.ts';

/** A check, and whether what it looks at was part of what went wrong. */
export interface Judged {
  readonly check: RecoveryCheck;
  readonly wasBad: boolean;
}

/** One percent of requests, in percent. */
const LEAST_SHARE = 1;
const LEAST_ERRORS_PER_SECOND = 0.05;
const LEAST_OF_REQUESTS = 0.01;
const LEAST_MS = 10;
/** Fewer requests than half of the usual ones is no recovery. */
const LEAST_TRAFFIC = 0.5;
/** From so many requests a second on there is traffic that can vanish. */
const SOME_TRAFFIC = 0.02;

const queryOf = ({ metric, service }: Compared): string => `${metric}{service="${service}"}`;

function judgedOf(
  dimension: RecoveryCheck['dimension'],
  compared: Compared,
  levels: Levels,
  least: LeastStep,
  unit: string,
): Judged {
  const { usual, during, after } = levels;
  const ok = isBack(levels, least);
  return {
    wasBad: wasBad(levels, least),
    check: {
      dimension,
      ...(ok === undefined ? {} : { ok }),
      ...(usual === undefined ? {} : { usual }),
      ...(during === undefined ? {} : { during }),
      ...(after === undefined ? {} : { after }),
      unit,
      summary: words.numbers(`${compared.metric} (${compared.service})`, usual, during, after, unit),
      query: queryOf(compared),
    },
  };
}

export function errorChecks(series: readonly Compared[]): Judged[] {
  return series
    .filter(
      ({ meaning: { signal, words: named } }) =>
        signal === 'errors' || (signal === 'availability' && isShare(named)),
    )
    .map((compared) => {
      const { meaning, usual, during, after } = compared;
      if (!isShare(meaning.words)) {
        const levels = levelsOf(usual, during, after, 'mean');
        const requests = requestsOf(compared.service, series)?.usual ?? [];
        const some = requests.length ? mean(requests) * LEAST_OF_REQUESTS : 0;
        return judgedOf('errors', compared, levels, Math.max(LEAST_ERRORS_PER_SECOND, some), '/s');
      }
      const inPercent =
        meaning.words.some((word) => word === 'pct' || word === 'percent') ||
        [...usual, ...during, ...after].some((value) => value > 1.5);
      const failed = (values: readonly number[]): number[] =>
        values.map((value) => {
          const percent = inPercent ? value : value * 100;
          return meaning.signal === 'availability' ? 100 - percent : percent;
        });
      const levels = levelsOf(failed(usual), failed(during), failed(after), 'mean');
      return judgedOf('errors', compared, levels, LEAST_SHARE, '%');
    });
}

/** The far tail is noise where a nearer quantile is measured. */
const FAR_TAIL = /^(?:p99|p999|p9999|max)$/;

export function latencyChecks(series: readonly Compared[]): Judged[] {
  const all = series.filter(({ meaning }) => meaning.signal === 'latency');
  const near = all.filter(({ meaning }) => !meaning.words.some((word) => FAR_TAIL.test(word)));
  return (near.length ? near : all).map((compared) => {
    const { meaning, usual, during, after } = compared;
    const factor = millisecondsOf(meaning.words);
    const scaled = (values: readonly number[]): number[] => values.map((value) => value * factor);
    const levels = levelsOf(scaled(usual), scaled(during), scaled(after), 'median');
    return judgedOf('latency', compared, levels, LEAST_MS, 'ms');
  });
}

function millisecondsOf(named: readonly string[]): number {
  if (named.includes('seconds') || named.includes('s')) return 1_000;
  if (named.includes('us') || named.includes('microseconds')) return 0.001;
  return named.includes('ns') || named.includes('nanoseconds') ? 0.000_001 : 1;
}

/** Traffic is well when it has not vanished; more of it is no fault. */
export function trafficChecks(series: readonly Compared[]): Judged[] {
  return series.filter(isTraffic).map((compared) => {
    const { usual, during, after } = levelsOf(compared.usual, compared.during, compared.after, 'median');
    const known = usual !== undefined && after !== undefined && usual >= SOME_TRAFFIC;
    const ok = known ? after >= usual * LEAST_TRAFFIC : undefined;
    const numbers = words.numbers(`${compared.metric} (${compared.service})`, usual, during, after, '/s');
    return {
      wasBad: false,
      check: {
        dimension: 'traffic' as const,
        ...(ok === undefined ? {} : { ok }),
        ...(usual === undefined ? {} : { usual }),
        ...(during === undefined ? {} : { during }),
        ...(after === undefined ? {} : { after }),
        unit: '/s',
        summary: ok === false ? words.because(numbers, words.vanished) : numbers,
        query: queryOf(compared),
      },
    };
  });
}

/** What the alert itself measures, in its own unit, in the way that is bad for it. */
export function symptomCheck(compared: Compared): Judged {
  const { meaning, usual, during, after } = compared;
  const sign = meaning.bad === 'down' ? -1 : 1;
  const turned = (values: readonly number[]): number[] => values.map((value) => value * sign);
  const levels = levelsOf(turned(usual), turned(during), turned(after), 'median');
  const back = (value: number | undefined): number | undefined =>
    value === undefined ? value : value * sign;
  const judged = judgedOf('symptom', compared, levels, 0, '');
  const [first, worst, now] = [back(levels.usual), back(levels.during), back(levels.after)];
  return {
    ...judged,
    check: {
      ...judged.check,
      ...(first === undefined ? {} : { usual: first }),
      ...(worst === undefined ? {} : { during: worst }),
      ...(now === undefined ? {} : { after: now }),
      summary: words.numbers(`${compared.metric} (${compared.service})`, first, worst, now),
    },
  };
}
