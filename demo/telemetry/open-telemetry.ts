import { createMeter, type Meter } from './instruments.ts';
import { openLogFile } from './log-file.ts';
import { createLogger, type Logger } from './logger.ts';
import { type OtlpTarget, startOtlpExporter } from './otlp-exporter.ts';
import { createTracer, type Tracer } from './tracer.ts';

export interface TelemetryOptions {
  readonly service: string;
  readonly version: () => string;
  readonly instance: string;
  readonly logFile: string;
  /** Where to push to; without it there are the log file and `/metrics`. */
  readonly otlp?: OtlpTarget;
}

export interface ServiceTelemetry {
  readonly meter: Meter;
  readonly logger: Logger;
  readonly tracer: Tracer;
  /** Delivers what is left. */
  close(): Promise<void>;
}

export function openTelemetry({
  service,
  version,
  instance,
  logFile,
  otlp,
}: TelemetryOptions): ServiceTelemetry {
  const meter = createMeter(service);
  const file = openLogFile(logFile, { service, instance });
  const exporter =
    otlp &&
    startOtlpExporter({
      target: otlp,
      meter,
      startMs: Date.now(),
      resource: () => ({
        'service.name': service,
        'service.version': version(),
        'service.instance.id': instance,
        'service.namespace': 'demo-shop',
      }),
    });
  return {
    meter,
    logger: createLogger(file.write, (record) => exporter?.log(record)),
    tracer: createTracer((span) => exporter?.span(span)),
    close: async () => {
      await exporter?.close();
      await file.close();
    },
  };
}
