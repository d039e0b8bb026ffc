import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileCredentialBook } from '#adapters/store';
import { type Candidate, openTurn, type RouteOptions } from '#engines/models';
import type { ModelEvent, ProtocolId } from '#spec/data';
import type { Credential } from '#spec/ports';
import { keptLog } from '#testkit/log';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { ask, collect, credential, MODELS, modelAt } from './endpoints.ts';

const KEY_A = credential('secret-aaaa', 'KEY_A');
const KEY_B = credential('secret-bbbb', 'KEY_B');
const KEY_C = credential('secret-cccc', 'KEY_C');

let primary: ModelServer;
let standIn: ModelServer;
let folder: string;
beforeAll(async () => {
  primary = await startModelServer({ script: { rules: [], fallback: { text: 'from the primary' } } });
  standIn = await startModelServer({ script: { rules: [], fallback: { text: 'from the stand-in' } } });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-failover-'));
});
afterEach(async () => {
  primary.reset();
  standIn.reset();
  await rm(folder, { recursive: true });
});
afterAll(() => Promise.all([primary.close(), standIn.close()]));

/** A clock that only the test moves; waiting moves it. */
function handClock() {
  let now = Date.parse('2026-01-01T03:00:00Z');
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    sleep: async (ms: number, signal: AbortSignal) => {
      waits.push(ms);
      now += ms;
      return !signal.aborted;
    },
  };
}

async function candidate(
  server: ModelServer,
  protocol: ProtocolId,
  id: string,
  keys: readonly Credential[],
): Promise<Candidate> {
  const models = new Map(
    await Promise.all(
      keys.map(async (key) => [key.id, await modelAt(server, protocol, { id, key })] as const),
    ),
  );
  const [first] = models.values();
  if (!first) throw new Error('a candidate needs a key here');
  return {
    info: first.info,
    credentials: keys,
    strategy: 'fill_first',
    open: (key) => models.get(key?.id ?? '') ?? first,
  };
}

async function route(clock: ReturnType<typeof handClock>): Promise<RouteOptions> {
  return {
    candidates: [
      await candidate(primary, 'anthropic_messages', 'prime', [KEY_A, KEY_B]),
      await candidate(standIn, 'chat_completions', 'spare', [KEY_C]),
    ],
    book: fileCredentialBook(join(folder, 'credentials.json'), keptLog()),
    maxRetries: 2,
    now: clock.now,
    random: () => 0,
    sleep: clock.sleep,
  };
}

/** The run as a log: who failed with what, what was done about it, who answered. */
function recorded(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'attempt.failed') {
      const { source, code } = event.error;
      const next =
        event.next.kind === 'failover'
          ? `failover to ${event.next.provider}`
          : event.next.kind === 'rotate'
            ? `rotate to ${event.next.credential}`
            : event.next.kind;
      return [`${source?.provider} ${source?.credential} ${source?.status}: ${code} → ${next}`];
    }
    if (event.type !== 'response.end') return [];
    const [part] = event.message.content;
    return [`${event.status}: ${part?.type === 'text' ? part.text : ''}`];
  });
}

describe('a provider in trouble', () => {
  it('is survived by rotation and failover, rests as told, and is returned to on a later turn', async () => {
    const clock = handClock();
    const options = await route(clock);

    primary.plan([
      { kind: 'rate_limit', retryAfter: 600, key: KEY_A.secret, times: 1 },
      { kind: 'billing', key: KEY_B.secret, times: 1 },
    ]);
    const firstTurn = openTurn(options);
    const first = await collect(firstTurn, ask('What is wrong?'));
    expect(recorded(first.events)).toEqual([
      'prime KEY_A 429: model.rate_limited → rotate to KEY_B',
      expect.stringMatching(/^prime KEY_B \d+: model\.billing → failover to spare$/),
      'done: from the stand-in',
    ]);
    expect(first.outcome.message.origin).toEqual({
      provider: 'spare',
      model: MODELS.chat_completions,
      protocol: 'chat_completions',
    });

    // Within the turn it stays where it works: the primary is not asked again.
    const before = primary.requests.length;
    expect(recorded((await collect(firstTurn, ask('And now?'))).events)).toEqual(['done: from the stand-in']);
    expect(primary.requests).toHaveLength(before);

    // Both keys of the primary rest, so the next turn goes to the stand-in at once.
    expect(recorded((await collect(openTurn(options), ask('Still?'))).events)).toEqual([
      'done: from the stand-in',
    ]);
    expect(primary.requests).toHaveLength(before);

    // After the reset time that the provider gave, its key works again and the primary answers.
    clock.pass(601_000);
    expect(recorded((await collect(openTurn(options), ask('Better?'))).events)).toEqual([
      'done: from the primary',
    ]);
    expect(primary.requests.at(-1)?.key).toBe(KEY_A.secret);
    expect(clock.waits).toEqual([]);

    const book = await readFile(join(folder, 'credentials.json'), 'utf8');
    for (const { secret } of [KEY_A, KEY_B, KEY_C]) expect(book).not.toContain(secret);
    expect(JSON.parse(book)).toMatchObject({ prime: { KEY_B: { restsBecause: 'model.billing' } } });
  });

  it('waits as long as it is asked when there is nowhere else to go', async () => {
    const clock = handClock();
    const [only] = (await route(clock)).candidates;
    const options = { ...(await route(clock)), candidates: [{ ...only, credentials: [KEY_A] }] as const };
    primary.plan([
      { kind: 'rate_limit', retryAfter: 30, times: 1 },
      { kind: 'overloaded', times: 1 },
    ]);
    const { events } = await collect(openTurn(options), ask('What is wrong?'));
    expect(recorded(events).at(-1)).toBe('done: from the primary');
    expect(clock.waits).toEqual([30_000, 4_000]);
  });

  it('is retried only while nothing has been shown', async () => {
    const clock = handClock();
    const options = await route(clock);
    primary.plan([{ kind: 'cut', afterFrames: 0, times: 1 }]);
    const early = await collect(openTurn(options), ask('What is wrong?'));
    expect(recorded(early.events).at(-1)).toBe('done: from the primary');
    expect(early.events.filter(({ type }) => type === 'response.start')).toHaveLength(1);

    primary.plan([{ kind: 'cut', afterFrames: 5, times: 1 }]);
    const late = await collect(openTurn(options), ask('What is wrong?'));
    expect(late.outcome).toMatchObject({ status: 'failed', error: { code: 'model.cut' } });
    expect(late.outcome.message.content).toHaveLength(1);
    expect(standIn.requests).toHaveLength(0);
  });

  it('tells of every attempt when all of them fail', async () => {
    const clock = handClock();
    const options = await route(clock);
    primary.plan([{ kind: 'auth' }]);
    standIn.plan([{ kind: 'server_error', status: 500 }]);
    const { outcome } = await collect(openTurn(options), ask('What is wrong?'));
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'model.server', source: { provider: 'spare' } },
    });
    const attempts = outcome.status === 'failed' ? outcome.error.details?.attempts : [];
    expect(attempts).toMatchObject([
      { provider: 'prime', credential: 'KEY_A', code: 'model.auth' },
      { provider: 'prime', credential: 'KEY_B', code: 'model.auth' },
      { provider: 'spare', credential: 'KEY_C', code: 'model.server' },
      { provider: 'spare', code: 'model.server' },
      { provider: 'spare', code: 'model.server' },
    ]);
    expect(JSON.stringify(outcome)).not.toMatch(/secret-/);
  });

  it('sends thinking that the vendor refuses only once', async () => {
    const clock = handClock();
    const options = await route(clock);
    const { origin } = (await collect(openTurn(options), ask('Hello'))).outcome.message;
    const stale = { type: 'thinking', text: 'old', replay: { signature: 'not-ours' } } as const;
    const request = ask('Go on', {
      thinking: 'low',
      messages: [
        ...ask('Start').messages,
        {
          role: 'assistant',
          content: [stale, { type: 'tool_call', id: 'c1', name: 'look', arguments: '{}' }],
          origin,
        },
        {
          role: 'tool',
          callId: 'c1',
          name: 'look',
          content: [{ type: 'text', text: 'seen' }],
          isError: false,
        },
      ],
      tools: [{ name: 'look', description: 'Looks', input: { type: 'object' } }],
    });
    const { events } = await collect(openTurn(options), request);
    const [failed] = events.filter(({ type }) => type === 'attempt.failed');
    expect(failed).toMatchObject({
      error: { code: 'model.thinking_signature' },
      next: { kind: 'retry', afterMs: 0 },
    });
  });

  it('is left in peace when the user stops while it is being waited for', async () => {
    const clock = handClock();
    const [only] = (await route(clock)).candidates;
    const controller = new AbortController();
    const options: RouteOptions = {
      ...(await route(clock)),
      candidates: [{ ...only, credentials: [KEY_A] }],
      sleep: async () => {
        controller.abort();
        return false;
      },
    };
    primary.plan([{ kind: 'overloaded' }]);
    const { outcome } = await collect(openTurn(options), ask('What is wrong?'), controller.signal);
    expect(outcome.status).toBe('aborted');
    expect(primary.requests).toHaveLength(1);
  });
});
