import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JaegerServer, startJaegerServer } from '#testkit/jaeger-server';
import {
  describeBareFailure,
  describeRemoteTelemetry,
  describeTracesSource,
  remoteOpener,
  SAMPLE_SPANS,
  SAMPLE_WINDOW,
} from '#testkit/telemetry-contract';
import { telemetry } from './jaeger.ts';

const signal = new AbortController().signal;
const window = SAMPLE_WINDOW;
const open = remoteOpener(telemetry);

describe('jaeger', () => {
  let server: JaegerServer;
  beforeAll(async () => {
    server = await startJaegerServer(SAMPLE_SPANS, {
      dependencies: [{ parent: 'order-service', child: 'db' }],
    });
  });
  afterAll(() => server.close());

  describeTracesSource('jaeger', () => open(server.url));
  describeRemoteTelemetry('jaeger', open, () => server.url);
  describeBareFailure(startJaegerServer, open);

  it('joins stored dependencies with what spans show', async () => {
    const { traces, close } = await open(server.url);
    const all = await traces?.topology({ window, limit: 1_000 }, signal);
    expect(all?.edges).toEqual([
      { from: 'order-service', to: 'db' },
      { from: 'payment-service', to: 'order-service' },
    ]);
    const some = await traces?.topology({ window, services: ['payment-service'], limit: 1_000 }, signal);
    expect(some?.edges).toEqual([{ from: 'payment-service', to: 'order-service' }]);
    await close();
  });

  it('takes some traces of every part of the window when there are too many', async () => {
    const { traces, close } = await open(server.url, { max_traces: 8 });
    const answer = await traces?.spans({ window, services: ['payment-service'], limit: 1_000 }, signal);
    const from = Date.parse(window.start) / 1_000;
    const quarters = new Set(answer?.items.map(({ start }) => Math.min(3, Math.floor((start - from) / 450))));
    expect(quarters).toEqual(new Set([0, 1, 2, 3]));
    expect(answer?.cut).toBe(true);
    expect(answer?.items.length).toBe(24);
    await close();
  });

  it('asks by microseconds and for failures by their tag', async () => {
    const { traces, close } = await open(server.url);
    const answer = await traces?.spans(
      { window, services: ['payment-service'], limit: 100, errorsOnly: true },
      signal,
    );
    const last = server.searches.at(-1);
    expect(last?.get('start')).toBe(String(Date.parse(window.start) * 1_000));
    expect(last?.get('tags')).toBe('{"error":"true"}');
    expect(answer?.asked[0]?.link).toContain(`${server.url}/search?service=payment-service&start=`);
    await close();
  });

  it('keeps versions of processes, and knows services by other names', async () => {
    const { traces, close } = await open(server.url, { services: { pay: 'payment-service' } });
    const answer = await traces?.spans({ window, services: ['pay'], limit: 100 }, signal);
    expect(answer?.items.some(({ service }) => service === 'pay')).toBe(true);
    expect(answer?.items.some(({ service }) => service === 'payment-service')).toBe(false);
    expect(answer?.items[0]?.attributes?.['service.version']).toBe('v1');
    expect(answer?.asked[0]?.link).toContain('/search?service=payment-service&');
    await close();
  });
});
