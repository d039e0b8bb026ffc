import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeBareFailure,
  describeRemoteTelemetry,
  describeTracesSource,
  remoteOpener,
  SAMPLE_SPANS,
  SAMPLE_WINDOW,
} from '#testkit/telemetry-contract';
import { startTempoServer, type TempoServer } from '#testkit/tempo-server';
import { telemetry } from './tempo.ts';

const signal = new AbortController().signal;
const window = SAMPLE_WINDOW;
const open = remoteOpener(telemetry);

describe('tempo', () => {
  let server: TempoServer;
  let hexadecimal: TempoServer;
  beforeAll(async () => {
    server = await startTempoServer(SAMPLE_SPANS);
    hexadecimal = await startTempoServer(SAMPLE_SPANS, { ids: 'hex' });
  });
  afterAll(async () => {
    await server.close();
    await hexadecimal.close();
  });

  describeTracesSource('tempo', () => open(server.url));
  describeTracesSource('tempo with hexadecimal ids', () => open(hexadecimal.url));
  describeRemoteTelemetry('tempo', open, () => server.url);
  describeBareFailure(startTempoServer, open);

  it('asks in TraceQL, with names as they are', async () => {
    const { traces, close } = await open(server.url);
    await traces?.spans({ window, services: ['a"b', 'c.d'], limit: 10, errorsOnly: true }, signal);
    expect(server.searches.at(-1)?.get('q')).toBe(
      String.raw`{ resource.service.name =~ "a\"b|c\\.d" && status = error }`,
    );
    await close();
  });

  it('lives with a trace that cannot be read yet', async () => {
    const [first] = SAMPLE_SPANS.filter(({ start }) => start * 1_000 >= Date.parse(window.start));
    const unreadable = [first?.traceId ?? ''];
    const young = await startTempoServer(SAMPLE_SPANS, { unreadable });
    const { traces, close } = await open(young.url);
    const answer = await traces?.spans({ window, limit: 1_000 }, signal);
    expect(answer?.items).toHaveLength(30 * 3);
    expect(answer?.asked.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
    await close();
    await young.close();
  });

  it('reads no more traces than it may', async () => {
    const { traces, close } = await open(server.url, { max_traces: 4 });
    const answer = await traces?.spans({ window, limit: 1_000 }, signal);
    expect(answer?.items).toHaveLength(12);
    expect(answer?.cut).toBe(true);
    await close();
  });
});
