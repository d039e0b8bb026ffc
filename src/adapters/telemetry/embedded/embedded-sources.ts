import type { LogsSource, MetricsSource, TracesSource } from '#spec/ports';
import { AppError } from '#kit/app-error';
import { type Database, toStoreError } from './open-file.ts';
import { logsSource } from './read-logs.ts';
import { metricsSource } from './read-metrics.ts';
import { tracesSource } from './read-traces.ts';

/** What the stored telemetry gives. Errors of the file are errors of ours; an abort stays what it is. */
export function embeddedSources(
  db: Database,
  path: string,
): { metrics: MetricsSource; logs: LogsSource; traces: TracesSource } {
  const guarded = async <T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof AppError ? error : toStoreError(error, path);
    }
  };
  const metrics = metricsSource(db);
  const logs = logsSource(db);
  const traces = tracesSource(db);
  return {
    metrics: {
      name: metrics.name,
      signals: (scope, signal) => guarded(signal, () => metrics.signals(scope, signal)),
      query: (query, scope, signal) => guarded(signal, () => metrics.query(query, scope, signal)),
    },
    logs: {
      name: logs.name,
      lines: (scope, signal) => guarded(signal, () => logs.lines(scope, signal)),
      query: (query, scope, signal) => guarded(signal, () => logs.query(query, scope, signal)),
    },
    traces: {
      name: traces.name,
      spans: (scope, signal) => guarded(signal, () => traces.spans(scope, signal)),
      topology: (scope, signal) => guarded(signal, () => traces.topology(scope, signal)),
    },
  };
}
