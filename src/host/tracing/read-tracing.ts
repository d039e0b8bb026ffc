import type { SpanAttributes } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import { readSampler, type Sampler } from '#app/tracing';

/** Where traces go and which of them. */
export interface TracingSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compress: boolean;
  readonly timeoutMs: number;
  readonly resource: SpanAttributes;
  readonly sampler: Sampler;
}

type Loaded = Pick<LoadedConfig, 'config' | 'env'>;

const TIMEOUT_MS = 10_000;

/**
 * The variables of OpenTelemetry over `tracing` of config.yaml. A variable that makes no sense is told to `warn` and left
 * alone, as OpenTelemetry wants it; undefined where nothing can be sent.
 */
export function readTracing(
  { env, config }: Loaded,
  version: string,
  warn: (message: string) => void,
): TracingSettings | undefined {
  const { tracing } = config;
  /** The one for traces alone comes before the one for all signals. */
  const of = (name: string): string | undefined =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined;
  if (of('PROTOCOL') === 'grpc') {
    warn(
      'OTEL_EXPORTER_OTLP_PROTOCOL: gRPC is not spoken. Set it to http/json, and the endpoint to its port.',
    );
    return undefined;
  }
  const url = urlOf(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'], of('ENDPOINT') ?? tracing.endpoint ?? '');
  if (!url) {
    warn('OTEL_EXPORTER_OTLP_ENDPOINT: it is no http address without a name and password in it.');
    return undefined;
  }
  const resource = readPairs(env['OTEL_RESOURCE_ATTRIBUTES'], (text) =>
    warn(badPair('OTEL_RESOURCE_ATTRIBUTES', text)),
  );
  const timeout = Number(of('TIMEOUT') ?? TIMEOUT_MS);
  return {
    url,
    headers: readPairs(of('HEADERS'), () => warn('OTEL_EXPORTER_OTLP_HEADERS: it is a list of name=value.')),
    compress: of('COMPRESSION') !== 'none',
    timeoutMs: timeout > 0 && Number.isFinite(timeout) ? timeout : TIMEOUT_MS,
    resource: {
      'service.version': version,
      ...resource,
      'service.name': env['OTEL_SERVICE_NAME'] || resource['service.name'] || tracing.service,
    },
    sampler: readSampler(env['OTEL_TRACES_SAMPLER'], env['OTEL_TRACES_SAMPLER_ARG'], tracing.ratio, warn),
  };
}

const badPair = (variable: string, text: string): string => `${variable}: '${text}' is no name=value.`;

/** The address for traces is taken as it is; the one for all signals gets the path of traces. */
function urlOf(exact: string | undefined, base: string): string | undefined {
  const url = URL.parse(exact || base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (!exact) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

/** `a=1,b=2`, with percent-encoded values. */
function readPairs(text: string | undefined, bad: (pair: string) => void): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (text ?? '').split(',')) {
    if (!pair.trim()) continue;
    const [name = '', ...rest] = pair.split('=');
    const value = decoded(rest.join('=').trim());
    if (!/^[\w.!#$%&'*+^`|~-]+$/.test(name.trim()) || rest.length === 0 || value === undefined)
      bad(name.trim());
    else pairs[name.trim()] = value;
  }
  return pairs;
}

/** Undefined also for what no header may hold. */
function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    // oxlint-disable-next-line no-control-regex
    return /[\0-\x1f\x7f]/.test(value) ? undefined : value;
  } catch (cause) {
    if (cause instanceof URIError) return undefined;
    throw cause;
  }
}
