import { describe, expect, it } from 'vitest';
import { ConfigSchema, wantsTracing } from '#config';
import { readTracing } from './read-tracing.ts';

function read(env: Record<string, string>, tracing: object = {}) {
  const warnings: string[] = [];
  const loaded = { env, config: ConfigSchema.parse({ tracing }) };
  return {
    wanted: wantsTracing(loaded),
    warnings,
    settings: readTracing(loaded, '1.2.3', (text) => warnings.push(text)),
  };
}
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('traces are wanted', () => {
  it('where an endpoint is set and nothing switches them off', () => {
    expect(read({}).wanted).toBe(false);
    expect(read(ENDPOINT).wanted).toBe(true);
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a/' }).wanted).toBe(true);
    expect(read({}, { endpoint: 'http://127.0.0.1:4318' }).wanted).toBe(true);
    expect(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).wanted).toBe(false);
    expect(read({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }).wanted).toBe(false);
  });
});

describe('the settings', () => {
  it('know the address for all signals from the one for traces', () => {
    expect(read(ENDPOINT).settings?.url).toBe('http://127.0.0.1:4318/v1/traces');
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://a.example/otlp/' }).settings?.url).toBe(
      'https://a.example/otlp/v1/traces',
    );
    const exact = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/in' };
    expect(read(exact).settings?.url).toBe('http://127.0.0.1:9/in');
    expect(read({}, { endpoint: 'http://127.0.0.1:1/x' }).settings?.url).toBe(
      'http://127.0.0.1:1/x/v1/traces',
    );
  });

  it('take names, headers and attributes', () => {
    const { settings, warnings } = read({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc=,x-scope=a',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,service.name=other',
      OTEL_SERVICE_NAME: 'hermes-eu',
    });
    expect(settings?.headers).toEqual({ authorization: 'Basic abc=', 'x-scope': 'a' });
    expect(settings?.resource).toEqual({
      'service.name': 'hermes-eu',
      'service.version': '1.2.3',
      'deployment.environment.name': 'prod',
    });
    expect(warnings).toEqual([]);
    expect(read(ENDPOINT).settings?.resource['service.name']).toBe('hermes');
    expect(read(ENDPOINT, { service: 'ours' }).settings?.resource['service.name']).toBe('ours');
  });

  it('never stop anything: what makes no sense is told, without secrets', () => {
    const bad = read({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=a%0d%0ab-secret',
      OTEL_RESOURCE_ATTRIBUTES: 'nonsense',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_EXPORTER_OTLP_TIMEOUT: 'soon',
    });
    expect(bad.settings).toMatchObject({ headers: {}, timeoutMs: 10_000 });
    expect(bad.warnings).toHaveLength(3);
    expect(bad.warnings.join()).not.toContain('secret');
    expect(read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatchObject({ settings: undefined });
    for (const OTEL_EXPORTER_OTLP_ENDPOINT of ['localhost:4317', 'ftp://a', 'http://me:word@a'])
      expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({
        settings: undefined,
        warnings: [expect.not.stringContaining('word@') as unknown],
      });
  });
});

describe('a sampler', () => {
  const LOW = '0af7651916cd43dd0000000000000001';
  const HIGH = '0af7651916cd43ddffffffffffffffff';
  const caller = (sampled: boolean) => ({ traceId: LOW, spanId: 'b7ad6b7169203331', sampled, remote: true });
  const sampler = (name: string, argument = '', tracing = {}) => {
    const { settings } = read(
      { ...ENDPOINT, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument },
      tracing,
    );
    if (!settings) throw new Error('no settings');
    return settings.sampler;
  };

  it('decides by the id of the trace', () => {
    expect(sampler('always_on')(HIGH, undefined)).toBe(true);
    expect(sampler('always_off')(LOW, undefined)).toBe(false);
    expect([LOW, HIGH].map((id) => sampler('traceidratio', '0.5')(id, undefined))).toEqual([true, false]);
    expect([LOW, HIGH].map((id) => sampler('', '', { ratio: 0.5 })(id, undefined))).toEqual([true, false]);
    expect(sampler('traceidratio', '1')(HIGH, undefined)).toBe(true);
    expect(sampler('traceidratio', '0')(LOW, undefined)).toBe(false);
  });

  it('lets callers decide where it is told to, and spans of one trace never part', () => {
    expect(sampler('')(HIGH, caller(false))).toBe(false);
    expect(sampler('parentbased_always_off')(HIGH, caller(true))).toBe(true);
    expect(sampler('always_off')(HIGH, caller(true))).toBe(false);
    expect(sampler('always_on')(HIGH, caller(false))).toBe(true);
    expect(sampler('always_on')(HIGH, { ...caller(false), remote: false })).toBe(false);
  });
});
