import type { ServiceView } from './service-view.ts';

export interface AlertRule {
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** The same as an expression of Prometheus; `service` and, where there is one, `code` stay as labels. */
  readonly promql: string;
  readonly summary: string;
  /** What is wrong, with numbers. It must hold for a short and for a longer window. */
  find(service: string, view: ServiceView): readonly Found[];
}

interface Found {
  readonly labels?: Readonly<Record<string, string>>;
  readonly description: string;
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const LEAST_RPS = 1;
const ERROR_SHARE = 0.05;
const LIMITED_SHARE = 0.05;
const SLOW_MS = 300;
const MUCH_RPS = 40;
const MEMORY_SHARE = 0.75;
const UP_SHARE = 0.7;
const RATE = 'http_server_request_duration_seconds_count';

export const ALERT_RULES: readonly AlertRule[] = [
  {
    name: 'HighErrorRate',
    severity: 'critical',
    promql: `sum by (service, code) (rate(${RATE}{code=~"5.."}[5s])) / on (service) group_left sum by (service) (rate(${RATE}[5s])) > ${ERROR_SHARE}`,
    summary: 'answers too many requests with a server error',
    find: (_service, { rps, byCode }) =>
      Object.entries(byCode).flatMap(([code, perSecond]) =>
        code.startsWith('5') && rps > LEAST_RPS && perSecond / rps > ERROR_SHARE
          ? [
              {
                labels: { code },
                description: `${percent(perSecond / rps)} of ${rps.toFixed(1)} requests/s end with HTTP ${code}.`,
              },
            ]
          : [],
      ),
  },
  {
    name: 'RateLimited',
    severity: 'critical',
    promql: `sum by (service, code) (rate(${RATE}{code="429"}[5s])) / on (service) group_left sum by (service) (rate(${RATE}[5s])) > ${LIMITED_SHARE}`,
    summary: 'refuses requests with 429 Too Many Requests',
    find: (_service, { rps, byCode }) => {
      const share = (byCode['429'] ?? 0) / Math.max(rps, LEAST_RPS);
      return share > LIMITED_SHARE
        ? [
            {
              labels: { code: '429' },
              description: `${percent(share)} of ${rps.toFixed(1)} requests/s are refused with HTTP 429.`,
            },
          ]
        : [];
    },
  },
  {
    name: 'HighLatencyP95',
    severity: 'warning',
    promql: `histogram_quantile(0.95, sum by (service, le) (rate(http_server_request_duration_seconds_bucket[5s]))) * 1000 > ${SLOW_MS}`,
    summary: 'answers slowly',
    find: (_service, { p95Ms = 0, rps }) =>
      p95Ms > SLOW_MS && rps > LEAST_RPS
        ? [{ description: `The 95th percentile is ${p95Ms.toFixed(0)} ms, above ${SLOW_MS} ms.` }]
        : [],
  },
  {
    name: 'ServiceDown',
    severity: 'critical',
    promql: `avg by (service) (avg_over_time(up{job="demo"}[6s])) < ${UP_SHARE}`,
    summary: 'is down or restarts again and again',
    find: (_service, { up, restarts }) =>
      up < UP_SHARE
        ? [{ description: `It answered ${percent(up)} of the health checks; restart ${restarts} so far.` }]
        : [],
  },
  {
    name: 'MemoryNearLimit',
    severity: 'warning',
    promql: `sum by (service) (process_memory_usage_bytes) / sum by (service) (process_memory_limit_bytes) > ${MEMORY_SHARE}`,
    summary: 'is about to run out of memory',
    find: (_service, { memoryShare, memoryBytes = 0 }) =>
      memoryShare > MEMORY_SHARE
        ? [
            {
              description: `${(memoryBytes / 1e6).toFixed(0)} MB are in use: ${percent(memoryShare)} of the limit.`,
            },
          ]
        : [],
  },
  {
    name: 'ConnectionPoolSaturated',
    severity: 'warning',
    promql: 'sum by (service) (rate(db_client_connection_timeouts_total[5s])) > 0.5',
    summary: 'waits in vain for database connections',
    find: (_service, { poolTimeouts, poolShare }) =>
      poolTimeouts > 0.5
        ? [
            {
              description: `${poolTimeouts.toFixed(1)} requests/s get no connection; a pool is ${percent(poolShare)} in use.`,
            },
          ]
        : [],
  },
  {
    name: 'HighRequestRate',
    severity: 'warning',
    promql: `sum by (service) (rate(${RATE}{service="payment-service"}[5s])) > ${MUCH_RPS}`,
    summary: 'gets unusually many requests',
    find: (service, { rps }) =>
      service === 'payment-service' && rps > MUCH_RPS
        ? [{ description: `${rps.toFixed(0)} requests/s, above ${MUCH_RPS}.` }]
        : [],
  },
];
