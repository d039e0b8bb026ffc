import type { LogLine, SpanRecord } from '#spec/data';
import { BASELINE_START, INCIDENT_START } from './sample-system.ts';

export interface CallOptions {
  /** Calls in each of the two windows. */
  readonly calls: number;
  /** What the wire between orders and payments takes. */
  readonly delayMs?: (during: boolean) => number;
  /** What payments says on each call. */
  readonly says?: (during: boolean) => readonly { level: string; message: string }[];
  readonly fails?: (during: boolean, call: number) => boolean;
}

/** Traces of web → orders → payments, with a client span for the second call, and the log lines of payments. */
export function callTraces({
  calls,
  delayMs = () => 2,
  says = () => [{ level: 'INFO', message: 'Charge.java:40 charged' }],
  fails = () => false,
}: CallOptions): { spans: SpanRecord[]; logs: LogLine[] } {
  const spans: SpanRecord[] = [];
  const logs: LogLine[] = [];
  for (const during of [false, true]) {
    for (let call = 0; call < calls; call++) {
      const start = (during ? INCIDENT_START : BASELINE_START) + 60 + call * 10;
      const traceId = `${during ? 'd' : 'b'}${call}`;
      const wire = delayMs(during) * (1 + (call % 5) / 50);
      const work = 30 + (call % 7);
      const error = fails(during, call);
      const span = (
        spanId: string,
        parentId: string | null,
        service: string,
        operation: string,
        from: number,
        durationMs: number,
      ) =>
        spans.push({
          traceId,
          spanId,
          parentId,
          service,
          operation,
          start: start + from / 1000,
          durationMs,
          ...(error ? { error } : {}),
        });
      span('1', null, 'web', 'POST /buy', 0, 40 + wire + work);
      span('2', '1', 'orders', 'placeOrder', 5, 30 + wire + work);
      span('3', '2', 'orders', 'HTTP POST', 10, wire + work);
      span('4', '2', 'orders', 'INSERT', 12 + wire + work, 5);
      span('5', '3', 'payments', 'charge', 10 + wire / 2, work);
      for (const { level, message } of says(during)) {
        logs.push({ time: start + 0.02, service: 'payments', level, message, traceId, spanId: '5' });
      }
    }
  }
  return { spans, logs };
}
