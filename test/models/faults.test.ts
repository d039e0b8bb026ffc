import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ErrorCode, PROTOCOL_IDS, type ProtocolId } from '#spec/data';
import { FAULT_KINDS, type FaultKind, type ModelServer, startModelServer } from '#testkit/model-server';
import { ask, collect, modelAt } from './endpoints.ts';

/** Long enough for a few deltas before and after whatever strikes. */
const REPLY = { text: 'The database pool of the payment service is exhausted since 03:12.', chunk: 8 };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: { rules: [], fallback: REPLY } });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

type Expected = ErrorCode | 'done' | 'content_filter';

/** What each fault must end in, whichever protocol it strikes. */
const EXPECTED: Readonly<Record<FaultKind, Expected>> = {
  none: 'done',
  rate_limit: 'model.rate_limited',
  rate_limit_bare: 'model.rate_limited',
  server_error: 'model.server',
  overloaded: 'model.overloaded',
  auth: 'model.auth',
  billing: 'model.billing',
  forbidden: 'model.permission',
  not_found: 'model.not_found',
  context_overflow: 'model.context_overflow',
  too_large: 'model.payload_too_large',
  content_filter: 'model.content_filter',
  cut: 'model.cut',
  end_early: 'model.cut',
  stall: 'model.stalled',
  stall_headers: 'model.timeout',
  slow_first_byte: 'done',
  dribble: 'done',
  bad_json: 'model.bad_response',
  bad_frame: 'model.bad_response',
  bad_type: 'model.bad_response',
  error_in_stream: 'model.overloaded',
  empty: 'model.cut',
};

const SETTINGS: Partial<Record<FaultKind, object>> = {
  cut: { afterFrames: 4 },
  end_early: { afterFrames: 4 },
  stall: { afterFrames: 7 },
  bad_json: { afterFrames: 4 },
  bad_frame: { afterFrames: 4 },
  error_in_stream: { afterFrames: 4, error: 'overloaded' },
  slow_first_byte: { ms: 60 },
  rate_limit: { retryAfter: 2 },
};

/** Short, so that silence is noticed soon, yet well above a slow test machine's hiccups. */
const SHORT = { firstByte: 700, stall: 700, total: 5_000 };

const CASES = PROTOCOL_IDS.flatMap((protocol) => FAULT_KINDS.map((kind) => ({ protocol, kind })));

describe('every fault on every protocol ends in a typed outcome', () => {
  it.each(CASES)('$protocol: $kind', async ({ protocol, kind }) => {
    server.plan([{ kind, ...SETTINGS[kind] }]);
    const model = await modelAt(server, protocol, { timeouts: SHORT });
    const { events, outcome } = await collect(model, ask('What is wrong?'));

    expect(events.filter(({ type }) => type === 'response.end')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('response.end');
    const got =
      outcome.status === 'failed'
        ? outcome.error.code
        : outcome.status === 'done' && outcome.stop === 'content_filter'
          ? 'content_filter'
          : outcome.status;
    const expected = EXPECTED[kind];
    expect(got === 'content_filter' ? 'model.content_filter' : got).toBe(expected);
    if (outcome.status !== 'failed') return;
    expect(outcome.error.source).toMatchObject({ provider: protocol, credential: 'TEST_KEY' });
    expect(outcome.error.message).not.toContain('test-key-1');
    expect(outcome.error.message.length).toBeGreaterThan(5);
  });

  it.each(PROTOCOL_IDS)('%s keeps what had arrived before a cut', async (protocol) => {
    server.plan([{ kind: 'cut', afterFrames: 6 }]);
    const { outcome } = await collect(await modelAt(server, protocol), ask('What is wrong?'));
    expect(outcome.status).toBe('failed');
    const [part] = outcome.message.content;
    expect(part?.type === 'text' && REPLY.text.startsWith(part.text) && part.text.length > 0).toBe(true);
  });

  it.each(PROTOCOL_IDS)('%s: half a tool call is never handed over', async (protocol) => {
    server.script({
      rules: [],
      fallback: {
        toolCalls: [{ id: 'c', name: 'restart', arguments: { service: 'payment-service', force: true } }],
        chunk: 4,
      },
    });
    server.plan([{ kind: 'cut', afterFrames: 6 }]);
    const { outcome } = await collect(await modelAt(server, protocol), ask('Restart it'));
    expect(outcome.status).toBe('failed');
    expect(outcome.message.content).toEqual([]);
    server.script({ rules: [], fallback: REPLY });
  });

  it.each(PROTOCOL_IDS)('%s reads how long to wait', async (protocol) => {
    for (const hint of ['seconds', 'milliseconds', 'date', 'reset', 'message'] as const) {
      server.plan([{ kind: 'rate_limit', retryAfter: 7, hint }]);
      const { outcome } = await collect(await modelAt(server, protocol), ask('Hello'));
      const after = outcome.status === 'failed' ? outcome.error.retry.afterMs : undefined;
      expect(after, hint).toBeGreaterThan(5_000);
      expect(after, hint).toBeLessThanOrEqual(8_000);
    }
    server.plan([{ kind: 'rate_limit_bare' }]);
    const { outcome } = await collect(await modelAt(server, protocol), ask('Hello'));
    expect(outcome.status === 'failed' && outcome.error.retry).toEqual({ again: true });
  });

  it('says so when nobody listens at the address', async () => {
    const gone = await startModelServer();
    const model = await modelAt(gone, 'chat_completions');
    await gone.close();
    const { outcome } = await collect(model, ask('Hello'));
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'model.network', message: expect.stringContaining('ECONNREFUSED') },
    });
  });
});

describe('abort works at each point', () => {
  const points: readonly (readonly [string, FaultKind | undefined])[] = [
    ['before the request', undefined],
    ['while waiting for headers', 'stall_headers'],
    ['in the middle of the answer', 'stall'],
  ];
  const cases = PROTOCOL_IDS.flatMap((protocol) =>
    points.map(([point, kind]) => ({ protocol, point, kind })),
  );

  it.each(cases)(
    '$protocol: $point',
    async ({ protocol, kind }: { protocol: ProtocolId; kind: FaultKind | undefined }) => {
      const controller = new AbortController();
      if (kind) server.plan([{ kind, ...SETTINGS[kind] }]);
      else controller.abort();
      const stream = (await modelAt(server, protocol)).stream(ask('What is wrong?'), controller.signal);
      const events: string[] = [];
      if (kind === 'stall_headers') setTimeout(() => controller.abort(), 60);
      for await (const event of stream) {
        events.push(event.type);
        if (event.type === 'text.delta') controller.abort();
      }
      const outcome = await stream.result();
      expect(outcome.status).toBe('aborted');
      expect(events.at(-1)).toBe('response.end');
      if (kind === 'stall') expect(outcome.message.content).toHaveLength(1);
    },
  );
});
