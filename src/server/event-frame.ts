import { fail } from '#kit/app-error';
import type { RouteRequest } from '#spec/ports';

export interface PlacedEvent {
  readonly type: string;
  readonly data: unknown;
  /** Where it stands: the place to resume after. */
  readonly seq: number;
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** How long a browser waits before it connects again. */
const RETRY_MS = 2_000;
export const RETRY_FRAME = `retry: ${RETRY_MS}\n\n`;

/**
 * One server-sent event. A client that lost the line says its `id` as `Last-Event-ID` and misses nothing. JSON has no
 * line breaks, and a type that had one could not forge a line.
 */
export function eventFrame({ type, data, seq }: PlacedEvent): string {
  const name = type.replace(/[\r\n]/g, ' ');
  return `id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify(data) ?? 'null'}\n\n`;
}

/** Where a client wants to go on: its `Last-Event-ID`, or `after` of the query; undefined where it says nothing. */
export function resumeAfter(headers: RouteRequest['headers'], after: string | undefined): number | undefined {
  const text = headers['last-event-id'] || after;
  if (!text) return undefined;
  const place = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(place)) return place;
  throw fail('input.invalid', 'The place to resume after is not a whole number.');
}
