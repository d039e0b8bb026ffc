import { randomBytes } from 'node:crypto';

export type SpanKind = 'internal' | 'server' | 'client';
export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Why it failed. */
  readonly error?: string;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
  /** What to send along, as W3C Trace Context writes it. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  /** Only the first end counts. */
  end(error?: string): void;
}

export interface Tracer {
  /** Begins a span under the caller's, or a new trace where the header is absent or malformed. */
  serve(name: string, traceparent: string | undefined, attributes: Attributes): Span;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** New traces that are recorded in one second; beyond that requests are counted and not traced. */
const TRACES_PER_SECOND = 25;

interface Parent {
  readonly traceId: string;
  readonly spanId?: string;
  readonly sampled: boolean;
}

export function createTracer(record: (span: FinishedSpan) => void): Tracer {
  const admit = perSecond(TRACES_PER_SECOND);
  const start = (parent: Parent, name: string, kind: SpanKind, attributes: Attributes): Span => {
    const { traceId, sampled } = parent;
    const spanId = randomBytes(8).toString('hex');
    const startMs = preciseNow();
    let known = attributes;
    let open = true;
    return {
      traceId,
      spanId,
      sampled,
      traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
      set: (more) => {
        known = { ...known, ...more };
      },
      child: (childName, childKind, more = {}) =>
        start({ traceId, spanId, sampled }, childName, childKind, more),
      end: (error) => {
        if (!open || !sampled) return;
        open = false;
        record({
          traceId,
          spanId,
          ...(parent.spanId === undefined ? {} : { parentId: parent.spanId }),
          name,
          kind,
          startMs,
          endMs: preciseNow(),
          attributes: known,
          ...(error === undefined ? {} : { error }),
        });
      },
    };
  };
  return {
    serve: (name, traceparent, attributes) => {
      const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
      const parent: Parent =
        traceId === undefined || spanId === undefined
          ? { traceId: randomBytes(16).toString('hex'), sampled: admit() }
          : { traceId, spanId, sampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 };
      return start(parent, name, 'server', attributes);
    },
  };
}

const preciseNow = (): number => performance.timeOrigin + performance.now();

function perSecond(most: number): () => boolean {
  let second = 0;
  let admitted = 0;
  return () => {
    const now = Math.floor(preciseNow() / 1000);
    if (now !== second) admitted = 0;
    second = now;
    admitted += 1;
    return admitted <= most;
  };
}
