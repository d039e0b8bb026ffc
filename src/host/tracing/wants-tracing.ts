import type { LoadedConfig } from '../config/load-config.ts';

/** Whether somebody wants traces at all: read at every start, so it is cheap. */
export const wantsTracing = ({ env, config }: Pick<LoadedConfig, 'config' | 'env'>): boolean =>
  Boolean(
    env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ||
      env['OTEL_EXPORTER_OTLP_ENDPOINT'] ||
      config.tracing.endpoint,
  ) &&
  !/^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '') &&
  env['OTEL_TRACES_EXPORTER'] !== 'none';
