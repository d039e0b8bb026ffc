import type { SpanRecord } from '#spec/data';
import { isCallees, spanFailed } from './span-failed.ts';
import type { IndexedSpan } from './trace-index.ts';

/** What callers are told by the machine on which nobody listens any more. */
const GONE = /refused|reset|unreachable|hang ?up/i;

/**
 * The service in which a failure began, or undefined where this span only passes it on. A call that was answered with a
 * failure began to fail at the callee, also where the callee's own span was never kept; so did one that nobody took. A
 * call that the caller gave up is the caller's.
 */
export function errorOrigin({ span, children }: IndexedSpan): string | undefined {
  if (!spanFailed(span) || children.some(spanFailed)) return undefined;
  const callee = calleeOf(span, children);
  if (callee === undefined || callee === span.service) return span.service;
  return isCallees(Number(span.status)) || GONE.test(saidBy(span)) ? callee : span.service;
}

/** Whom a span calls: the service of its child, else the one that it names itself. */
function calleeOf(
  { service, attributes = {} }: SpanRecord,
  children: readonly SpanRecord[],
): string | undefined {
  const child = children.find((other) => other.service !== service);
  if (child) return child.service;
  if (children.length || isServer(attributes)) return undefined;
  const peer = attributes['peer.service'];
  return typeof peer === 'string' && peer !== '' ? peer : undefined;
}

function isServer(attributes: Readonly<Record<string, unknown>>): boolean {
  const kind = attributes['span.kind'];
  return typeof kind === 'string' && /server|consumer/i.test(kind);
}

const saidBy = ({ attributes = {} }: SpanRecord): string =>
  Object.values(attributes)
    .filter((text) => typeof text === 'string')
    .join(' ');
