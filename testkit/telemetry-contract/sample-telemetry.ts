import type { LogLine, SpanRecord, TimeWindow } from '#spec/data';

/** Half an hour of two services, one of which begins to fail at 12:20. What lies outside must never be given. */
export const SAMPLE_WINDOW: TimeWindow = { start: '2026-05-04T12:00:00Z', end: '2026-05-04T12:30:00Z' };
export const SAMPLE_FAULT_AT = Date.parse('2026-05-04T12:20:00Z') / 1_000;
export const SAMPLE_SERVICES = ['order-service', 'payment-service'] as const;

const START = Date.parse(SAMPLE_WINDOW.start) / 1_000;
/** Ten minutes on either side of the window too. */
const MINUTES = Array.from({ length: 50 }, (_, at) => START + (at - 10) * 60);

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
const traceOf = (time: number): string => hex(Math.round(time) * 7_919, 32);

/** A request of payment-service each minute, half of them failing since the fault. */
export const SAMPLE_SPANS: readonly SpanRecord[] = MINUTES.flatMap((time, at) => {
  const failed = time >= SAMPLE_FAULT_AT && at % 2 === 0;
  const traceId = traceOf(time);
  const [root, call, served] = [hex(at * 16 + 1, 16), hex(at * 16 + 2, 16), hex(at * 16 + 3, 16)];
  const slow = failed ? 900 : 0;
  const span = (
    spanId: string,
    parentId: string | null,
    service: string,
    operation: string,
    durationMs: number,
    bad: boolean,
  ): SpanRecord => ({
    traceId,
    spanId,
    parentId,
    service,
    operation,
    start: time + (parentId ? 0.005 : 0),
    durationMs,
    error: bad,
    status: bad ? 503 : 200,
  });
  return [
    span(root, null, 'payment-service', 'POST /pay', 60 + slow, failed),
    span(call, root, 'payment-service', 'POST', 30, false),
    span(served, call, 'order-service', 'POST /orders', 25.5, false),
  ];
});

/** One line of each service a minute, and a complaint of payment-service since the fault. */
export const SAMPLE_LINES: readonly LogLine[] = MINUTES.flatMap((time): LogLine[] => [
  {
    time: time + 1.25,
    service: 'payment-service',
    level: 'info',
    message: 'payment accepted',
    traceId: traceOf(time),
  },
  { time: time + 2.5, service: 'order-service', level: 'info', message: 'order stored' },
  ...(time >= SAMPLE_FAULT_AT
    ? [
        {
          time: time + 3.75,
          service: 'payment-service',
          level: 'error',
          message: 'connection pool exhausted: 2/2 in use',
          traceId: traceOf(time),
        },
      ]
    : []),
]);
