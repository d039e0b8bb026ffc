import type { Env } from './env-file.ts';
import type { Config } from './schema.ts';

/** Whether somebody wants traces at all: read at every start, so it is cheap. */
export const wantsTracing = ({ env, config }: { readonly env: Env; readonly config: Config }): boolean =>
  Boolean(
    env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ||
      env['OTEL_EXPORTER_OTLP_ENDPOINT'] ||
      config.tracing.endpoint,
  ) &&
  !/^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '') &&
  env['OTEL_TRACES_EXPORTER'] !== 'none';
