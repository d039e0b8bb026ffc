/** Where a span stands. */
export interface SpanContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Whether it is sent to anybody. */
  readonly sampled: boolean;
  /** A caller outside this process said so. */
  readonly remote?: boolean;
}

/** Numbers, names and ids. Never a text that a person or a model wrote, an argument or a secret. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export type SpanKind = 'internal' | 'server' | 'client';

/** Times are milliseconds since the epoch. */
export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** The kind of failure that it ended with, such as an error code. */
  readonly error?: string | undefined;
}

/** Something that has begun. */
export interface OpenSpan {
  readonly context: SpanContext;
  /** The first call counts. */
  end(ended: {
    /** Where it is known only now. */
    readonly name?: string;
    readonly attributes?: SpanAttributes;
    readonly error?: string | undefined;
    readonly at?: number;
  }): void;
}

/** Nothing here waits, throws or is noticed by what it watches. */
export interface Tracer {
  begin(span: {
    readonly name: string;
    readonly kind: SpanKind;
    /** Without one, a trace begins. */
    readonly parent?: SpanContext | undefined;
    readonly at?: number;
  }): OpenSpan;
}

/** Sends spans away, some time after they were given. */
export interface SpanExporter {
  add(span: FinishedSpan): void;
  /** How many spans came to which end: `exported`, or the reason for which they were dropped. */
  counts(): ReadonlyMap<string, number>;
  /**
   * How many spans it has taken, and how many of the first of them are sent or given up. Those that it is left with when
   * it closes are neither: they can be told again.
   */
  progress(): { readonly taken: number; readonly done: number };
  /** Sends what is left, in two seconds at most. */
  close(): Promise<void>;
}
