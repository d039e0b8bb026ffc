import { asksStore, peerName } from '#kit/peer-name';
import type { SpanRecord } from '#spec/data';

type NameCallee = (span: SpanRecord, children: readonly SpanRecord[]) => string | undefined;

/**
 * Names whom a call went to, where no span of theirs is known: what the caller measured of it is all there is. One that
 * answers other calls under a name of its own is no stranger, and what a service asks of its database is its own work.
 */
export function unseenCallees(
  spans: readonly SpanRecord[],
  childrenOf: (span: SpanRecord) => readonly SpanRecord[],
): NameCallee {
  const seen = new Set(spans.map(({ service }) => service));
  const answered = new Set<string>();
  for (const span of spans) {
    const name = span.attributes && peerName(span.attributes);
    if (name !== undefined && childrenOf(span).some(({ service }) => service !== span.service))
      answered.add(name);
  }
  return ({ service, attributes = {} }, children) => {
    if (children.length || isServer(attributes) || asksStore(attributes)) return undefined;
    const name = peerName(attributes);
    return name === undefined || name === service || seen.has(name) || answered.has(name) ? undefined : name;
  };
}

export function isServer(attributes: Readonly<Record<string, unknown>>): boolean {
  const kind = attributes['span.kind'];
  return typeof kind === 'string' && /server|consumer/i.test(kind);
}
