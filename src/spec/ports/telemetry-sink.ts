/** One reading of a metric, as it was sent. Times are milliseconds since the epoch; 0 where the sender gave none. */
export interface MetricPoint {
  readonly service: string;
  readonly version?: string | undefined;
  readonly instance?: string | undefined;
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  /** Of sums and histograms: since the start of the process, or since the reading before. */
  readonly temporality: 'cumulative' | 'delta';
  readonly monotonic: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly startMs: number;
  readonly timeMs: number;
  /** Of a histogram: how many. */
  readonly value: number;
  readonly sum?: number | undefined;
  /** Upper bounds; there is one bucket more than bounds. */
  readonly bounds?: readonly number[] | undefined;
  readonly buckets?: readonly number[] | undefined;
}

export interface LogRecord {
  readonly timeMs: number;
  readonly service: string;
  readonly pod?: string | undefined;
  /** As OpenTelemetry numbers them: 9 is INFO, 13 is WARN, 17 is ERROR; 0 is unknown. */
  readonly severity: number;
  readonly level?: string | undefined;
  readonly message: string;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface SpanData {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly service: string;
  readonly operation: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly error: boolean;
  readonly status?: string | number | undefined;
  /** The service at the other end, where the span says so. */
  readonly peer?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface TelemetryBatch {
  readonly points?: readonly MetricPoint[];
  readonly logs?: readonly LogRecord[];
  readonly spans?: readonly SpanData[];
}

/** How many of a batch were not taken, and why. */
export interface Rejected {
  readonly count: number;
  readonly why?: string;
}

/** Where received telemetry goes. */
export interface TelemetrySink {
  /** Kept when it resolves. */
  add(batch: TelemetryBatch): Promise<Rejected>;
}
