import type { CauseCategory } from '#spec/data';

/** Tried in order: what names a cause comes before what names an effect. */
const SAYINGS: readonly (readonly [RegExp, CauseCategory])[] = [
  [/certificate|x509|tls handshake/i, 'certificate'],
  [/no space left|disk full|enospc|inode/i, 'disk'],
  [
    /pool (?:is )?(?:exhausted|timeout)|acquir\w+ connection|too many connections|max_?conns?|db_pool|connection pool/i,
    'connection_pool',
  ],
  [/hot ?key|big ?key/i, 'hot_key'],
  [/rate.?limit|too many requests(?! (?:with|end|fail))|\b429\b|throttl|quota/i, 'rate_limit'],
  [
    /out of memory|\boom|oom ?kill|heap (?:space|limit)|memory (?:limit|leak|pressure)|allocation .{0,30}failed|gc overhead/i,
    'resource_exhaustion',
  ],
  [
    /crash ?loop|restart(?:_total|s|ed|ing)|back-?off restarting|panic:|segmentation fault|core dumped|exit(?:s|ed) with code [1-9]/i,
    'crash_loop',
  ],
  [
    /slow query|statement timeout|db_query|query_(?:latency|duration)|rows_examined|deadlock|lock wait/i,
    'database_latency',
  ],
  [
    /deadline ?exceeded|timed? ?out|timeout|(?:no|not) answer(?:ed)? within|upstream .{0,40}(?:unavailable|refused)|connection refused|\b50[234]\b/i,
    'dependency_timeout',
  ],
];

/** The kind of a fault from what was said and measured about it, or `otherwise`. */
export const nameCategory = (texts: readonly string[], otherwise: CauseCategory): CauseCategory =>
  SAYINGS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1] ?? otherwise;
