import type { SpanRecord } from '#spec/data';
import { isCallees, spanFailed } from './span-failed.ts';
import { nameCategory } from '../verdict/name-category.ts';
import type { IndexedSpan } from './trace-index.ts';
import { isServer } from './unseen-callees.ts';

/** What callers are told by the machine on which nobody listens any more. */
const GONE = /refused|reset|unreachable|hang ?up/i;

/**
 * The service in which a failure began, or undefined where this span only passes it on. A call that was answered with a
 * failure began to fail at the callee, also where the callee's own span was never kept; so did one that nobody took. A
 * call that the caller gave up is the caller's, and so is one that asks for the wrong thing. Of whoever sends no spans only
 * the caller can tell: there it is the caller's only where it gave up no later than such calls used to take.
 */
export function errorOrigin({ span, children, unseen }: IndexedSpan): string | undefined {
  if (!spanFailed(span) || children.some(spanFailed)) return undefined;
  const callee = unseen?.callee ?? calleeOf(span, children);
  if (callee === undefined || callee === span.service) return span.service;
  const status = Number(span.status);
  const said = saidBy(span);
  if (isCallees(status) || GONE.test(said)) return callee;
  if (!unseen || status >= BAD_REQUEST) return span.service;
  const gaveUp = nameCategory([String(span.status), said], 'none') === 'dependency_timeout';
  return gaveUp && !unseen.late ? span.service : callee;
}
/** From here on an answer tells of the question. */
const BAD_REQUEST = 400;

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

const saidBy = ({ attributes = {} }: SpanRecord): string =>
  Object.values(attributes)
    .filter((text) => typeof text === 'string')
    .join(' ');
