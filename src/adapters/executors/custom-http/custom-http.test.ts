import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import { UncertainEffect } from '#kit/uncertain-effect';
import type { Executor, Probeable } from '#spec/ports';
import { executorContract, orderOf, sampleAction } from '#testkit/executor-contract';
import { type ReleasePlatform, startReleasePlatform } from '#testkit/release-platform';
import { executor as customHttp } from './custom-http.ts';

const TOKEN = 'platform-token-that-must-not-be-seen';
const service = 'payment-service';
const action = sampleAction({ operation: 'rollback_canary', service, params: { to: 'v2.3.0' } });
const place = (token: string | undefined = TOKEN) => ({
  key: (name: string) => (name === 'ACTION_EXECUTION_API_TOKEN' ? token : undefined),
  now: Date.now,
});
const open = (
  url: string,
  more: Record<string, unknown> = {},
  token?: string,
): Promise<Executor & Probeable> =>
  customHttp.open(
    customHttp.settings.parse({ base_url: url, timeout_ms: 5_000, wait_ms: 5_000, settle_ms: 20, ...more }),
    place(token),
  );

async function newPlatform(): Promise<ReleasePlatform> {
  const platform = await startReleasePlatform({ token: TOKEN });
  platform.add(service, { version: 'v2.3.1', previous: 'v2.3.0', replicas: 2, config: {} });
  return platform;
}

executorContract(
  'custom_http',
  async () => {
    const platform = await newPlatform();
    return {
      executor: await open(platform.url),
      action,
      reopen: () => open(platform.url),
      look: async () => JSON.stringify(platform.service(service)),
      effects: async () => platform.effects.length,
      disturb: async () =>
        platform.add(service, { version: 'v2.4.0', previous: 'v2.3.1', replicas: 2, config: {} }),
      loseAnswer: () => platform.fail('lost_answer', { methods: ['POST'], times: 1 }),
      loseRequest: () => platform.fail('cut', { methods: ['POST'], times: 1 }),
      vanish: () => platform.close(),
      secrets: [TOKEN],
      close: () => platform.close(),
    };
  },
  { fences: true },
);

describe('custom_http', () => {
  let platform: ReleasePlatform;
  let executor: Executor;
  beforeEach(async () => {
    platform = await newPlatform();
    executor = await open(platform.url);
  });
  afterEach(() => platform.close());

  const thrownBy = (work: Promise<unknown>) => work.then(String, (thrown: unknown) => thrown);

  it('sends what it is asked for, with the key in a header', async () => {
    await executor.execute(action, orderOf('key-1', { fence: 7 }));
    expect(platform.requests).toHaveLength(1);
    expect(platform.requests[0]?.headers['idempotency-key']).toBe('key-1');
    expect(platform.requests[0]?.json()).toEqual({
      operation: 'rollback_canary',
      service,
      params: { to: 'v2.3.0' },
      key: 'key-1',
      fence: 7,
      scope: 'flow-1',
      dry_run: false,
    });
  });

  it('follows an action that was only accepted to its end', async () => {
    platform.acceptOnly(true);
    const running = executor.execute(action, orderOf('key-1'));
    await expect.poll(() => platform.action('key-1')?.status).toBe('running');
    platform.finish('key-1');
    expect((await running).en).toBe('rollback_canary of payment-service is done');
  });

  it('does not know what became of an action that failed or does not end', async () => {
    platform.acceptOnly(true);
    const failing = thrownBy(executor.execute(action, orderOf('key-1')));
    await expect.poll(() => platform.action('key-1')?.status).toBe('running');
    platform.finish('key-1', 'failed');
    expect(await failing).toBeInstanceOf(UncertainEffect);
    const hasty = await open(platform.url, { wait_ms: 0 });
    expect(await thrownBy(hasty.execute(action, orderOf('key-2')))).toBeInstanceOf(UncertainEffect);
    const signal = new AbortController().signal;
    expect((await hasty.reconcile(action, 'key-2', {}, signal)).found).toBe('unknown');
    platform.finish('key-2');
    expect((await hasty.reconcile(action, 'key-2', {}, signal)).found).toBe('done');
    expect((await hasty.reconcile(action, 'key-1', {}, signal)).found).toBe('unknown');
  });

  it('believes a refusal, also one that comes late', async () => {
    platform.acceptOnly(true);
    const refused = thrownBy(executor.execute(action, orderOf('key-1')));
    await expect.poll(() => platform.action('key-1')?.status).toBe('running');
    platform.finish('key-1', 'refused');
    expect(await refused).toMatchObject({ record: { code: 'backend.refused' } });
    const strange = { ...action, operation: 'flush_cache' as const };
    expect(await thrownBy(executor.execute(strange, orderOf('key-2')))).toMatchObject({
      record: {
        code: 'backend.refused',
        message: 'The release platform answered 422: flush_cache is not offered',
      },
    });
  });

  it('tells a failure before sending from one after it', async () => {
    const sure = ['unauthorized', 'forbidden', 'rate_limited'] as const;
    for (const fault of sure) {
      platform.fail(fault, { times: 1 });
      expect(await thrownBy(executor.execute(action, orderOf(fault)))).toBeInstanceOf(AppError);
    }
    const unsure = ['failing', 'malformed', 'unknown_shape', 'cut', 'slow'] as const;
    const quick = await open(platform.url, { timeout_ms: 400 });
    for (const fault of unsure) {
      platform.fail(fault, { times: 1 });
      const thrown = await thrownBy(quick.execute(action, orderOf(fault)));
      expect(thrown).toBeInstanceOf(UncertainEffect);
      expect(String(thrown)).not.toMatch(/sk-abcdefghijklmnop/);
    }
    expect(platform.effects).toEqual([]);
    const { url } = platform;
    await platform.close();
    expect(await thrownBy((await open(url)).execute(action, orderOf('gone')))).toMatchObject({
      record: {
        code: 'backend.unreachable',
        message: 'The release platform cannot be reached: ECONNREFUSED.',
      },
    });
  });

  it('does not know what happened when it is stopped after sending', async () => {
    platform.fail('slow', { times: 1 });
    const stop = new AbortController();
    const thrown = thrownBy(executor.execute(action, orderOf('key-1', { signal: stop.signal })));
    await expect.poll(() => platform.requests.length).toBe(1);
    stop.abort();
    expect(await thrown).toBeInstanceOf(UncertainEffect);
  });

  it('says which key is refused or missing, and never what it is', async () => {
    const wrong = await open(platform.url, {}, 'wrong-token-that-must-not-be-seen');
    const thrown = await thrownBy(wrong.rehearse(action, new AbortController().signal));
    expect(thrown).toMatchObject({
      record: { hint: 'Check ACTION_EXECUTION_API_TOKEN.', details: { status: 401 } },
    });
    const settings = customHttp.settings.parse({ base_url: platform.url });
    expect(customHttp.missing?.(settings, place(''))?.what).toMatchObject({
      en: expect.stringContaining('ACTION_EXECUTION_API_TOKEN'),
    });
  });

  it('takes only an encrypted address without credentials', () => {
    for (const base_url of [
      'http://releases.example',
      'https://user:pass@releases.example',
      'ftp://x',
      'https://x/?token=1',
    ])
      expect(customHttp.settings.safeParse({ base_url }).success).toBe(false);
    expect(customHttp.settings.parse({ base_url: 'https://releases.example/api/' }).base_url).toBe(
      'https://releases.example/api',
    );
  });
});
