import type { z } from 'zod';
import type { Change, LogLine, MetricSeries, SpanRecord, Text, TimeWindow, Topology } from '#spec/data';
import type { Missing } from './missing.ts';
import type { Probeable } from './probe.ts';

/** What to look at. Every answer is bounded by `limit`: series, lines, spans or changes. */
export interface TelemetryScope {
  readonly window: TimeWindow;
  /** Only these services; all that the backend knows where it is absent. */
  readonly services?: readonly string[];
  readonly limit: number;
}

/** One request that was made, exactly. */
export interface AskedQuery {
  readonly query: string;
  /** Where a person sees the same. */
  readonly link?: string;
  readonly found: number;
  /** Names of the metrics that it gave, so that each can be asked for again by this query. */
  readonly gives?: readonly string[];
  readonly ms: number;
  /** It failed; the others may still have answered. */
  readonly problem?: Text;
}

export interface Collected<T> {
  readonly items: readonly T[];
  readonly asked: readonly AskedQuery[];
  /** There was more than the limit. */
  readonly cut: boolean;
}

/** Reads only. Rejects with an `AppError` when the backend cannot be asked at all. */
export interface MetricsSource {
  readonly name: string;
  /**
   * The signals of services: request rate, error rate by code, latency quantiles, saturation, resources. Names of metrics
   * say what they measure (`requests_per_second`, `errors_503_per_second`, `latency_p95_ms`, `cpu_usage`, …).
   */
  signals(scope: TelemetryScope, signal: AbortSignal): Promise<Collected<MetricSeries>>;
  /** A query in the backend's own language. */
  query(query: string, scope: TelemetryScope, signal: AbortSignal): Promise<Collected<MetricSeries>>;
}

export interface LogsSource {
  readonly name: string;
  /** `errorsFirst`: when not all fit, those that sound bad are kept. */
  lines(
    scope: TelemetryScope & { readonly text?: string; readonly errorsFirst?: boolean },
    signal: AbortSignal,
  ): Promise<Collected<LogLine>>;
  query(query: string, scope: TelemetryScope, signal: AbortSignal): Promise<Collected<LogLine>>;
}

export interface TracesSource {
  readonly name: string;
  /** Whole traces: all spans of each that is given. */
  spans(
    scope: TelemetryScope & { readonly errorsOnly?: boolean },
    signal: AbortSignal,
  ): Promise<Collected<SpanRecord>>;
  topology(scope: TelemetryScope, signal: AbortSignal): Promise<Topology>;
}

export interface ChangesSource {
  readonly name: string;
  changes(scope: TelemetryScope, signal: AbortSignal): Promise<Collected<Change>>;
}

/** The four kinds of evidence, and which kind a backend gives. */
export interface TelemetrySources {
  readonly metrics?: MetricsSource;
  readonly logs?: LogsSource;
  readonly traces?: TracesSource;
  readonly changes?: ChangesSource;
}

export interface TelemetryPlace {
  /** A key of the profile by the name of its variable. */
  key(name: string): string | undefined;
  /** A folder of the home for what the backend keeps itself. */
  readonly folder: string;
  readonly now: () => number;
}

/** A backend at work. */
export interface OpenedTelemetry extends TelemetrySources, Probeable {
  close(): Promise<void>;
}

/** One kind of backend, such as `prometheus`. `settings` is what stands under its name in `backends.yaml`. */
export interface TelemetryKind<Settings = unknown> {
  readonly name: string;
  readonly settings: z.ZodType<Settings>;
  missing?(settings: Settings, place: TelemetryPlace): Missing | undefined;
  open(settings: Settings, place: TelemetryPlace): Promise<OpenedTelemetry>;
}

export const defineTelemetry = <Settings>(kind: TelemetryKind<Settings>): TelemetryKind<Settings> => kind;
