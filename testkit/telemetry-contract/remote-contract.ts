import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '#spec/data';
import type { OpenedTelemetry, TelemetryScope, TelemetrySources } from '#spec/ports';
import { AppError } from '#kit/app-error';
import { BACKEND_FAULTS, type BackendFault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { OpenRemote } from './open-remote.ts';
import { SAMPLE_WINDOW } from './sample-telemetry.ts';

const CODES: Readonly<Record<BackendFault, ErrorCode>> = {
  page: 'backend.bad_response',
  odd_json: 'backend.bad_response',
  failing: 'backend.bad_response',
  login: 'backend.bad_response',
  endless: 'backend.bad_response',
  busy: 'backend.unreachable',
  broken: 'backend.unreachable',
  silent: 'backend.unreachable',
  limited: 'backend.refused',
};
/** What an answer may have at most, so that trouble shows soon. */
const SMALL = { timeout_seconds: 1, max_response_mb: 1 };
const SCOPE: TelemetryScope = { window: SAMPLE_WINDOW, limit: 1_000 };

/** How every backend over HTTP fails, and that it is only read. `target` is the address of one that holds the sample. */
export function describeRemoteTelemetry(name: string, open: OpenRemote, target: () => string): void {
  describe(`${name} over HTTP`, () => {
    let proxy: FaultProxy;
    beforeAll(async () => {
      proxy = await startFaultProxy(target());
    });
    afterEach(() => proxy.fail(undefined));
    afterAll(() => proxy.close());

    const openWith = (token: string, url = proxy.url) => open(url, SMALL, token);
    const failureOf = async (sources: OpenedTelemetry, signal = new AbortController().signal) => {
      const thrown = await askAnything(sources, SCOPE, signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      await sources.close();
      return thrown;
    };
    const recordOf = (thrown: unknown) => (thrown instanceof AppError ? thrown.record : undefined);

    it('only reads', async () => {
      const sources = await openWith(proxy.token);
      expect(await askAnything(sources, SCOPE, new AbortController().signal)).toBeGreaterThan(0);
      await sources.close();
      const writes = proxy.requests.filter(
        ({ method, path }) => method !== 'GET' && !(method === 'POST' && /\/query(?:_range)?$/.test(path)),
      );
      expect(writes).toEqual([]);
    });

    it('says that nobody answers', async () => {
      const record = recordOf(await failureOf(await openWith(proxy.token, 'http://127.0.0.1:1')));
      expect(record?.code).toBe('backend.unreachable');
      expect(record?.hint).toMatch(/base_url/);
      expect(record?.retry.again).toBe(true);
    });

    it('says that the token is wrong, without showing it', async () => {
      const wrong = 'wrong-7d02c1b6a9e54f7c';
      const record = recordOf(await failureOf(await openWith(wrong)));
      expect(record?.code).toBe('backend.refused');
      expect(record?.hint).toMatch(/token/);
      expect(JSON.stringify(record)).not.toContain(wrong);
    });

    it.each(BACKEND_FAULTS)('tells what kind of trouble it is: %s', async (fault) => {
      proxy.fail(fault);
      const record = recordOf(await failureOf(await openWith(proxy.token)));
      expect(record?.code).toBe(CODES[fault]);
      expect(JSON.stringify(record)).not.toContain(proxy.token);
      expect(record?.message).not.toContain('<');
    });

    it('works again when the trouble is over', async () => {
      const sources = await openWith(proxy.token);
      proxy.fail('busy');
      await expect(askAnything(sources, SCOPE, new AbortController().signal)).rejects.toThrow(AppError);
      proxy.fail(undefined);
      expect(await askAnything(sources, SCOPE, new AbortController().signal)).toBeGreaterThan(0);
      await sources.close();
    });

    it('is asked itself by its probe, which only reads and tells what is wrong', async () => {
      const { signal } = new AbortController();
      const probed = async (token = proxy.token, url = proxy.url) => {
        const sources = await openWith(token, url);
        const told = await sources.probe(signal).catch(recordOf);
        await sources.close();
        return told;
      };
      const before = proxy.requests.length;
      expect(await probed()).toMatchObject({ state: 'reached' });
      const asked = proxy.requests.slice(before);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.every(({ method }) => method === 'GET')).toBe(true);
      expect(await probed(proxy.token, 'http://127.0.0.1:1')).toMatchObject({ code: 'backend.unreachable' });
      expect(await probed('wrong-7d02c1b6a9e54f7c')).toMatchObject({ code: 'backend.refused' });
      for (const fault of BACKEND_FAULTS) {
        proxy.fail(fault);
        expect(await probed(), fault).toMatchObject({ code: CODES[fault] });
      }
    });

    it('ends with the signal', async () => {
      const reason = new Error('enough');
      const early = new AbortController();
      early.abort(reason);
      expect(await failureOf(await openWith(proxy.token), early.signal)).toBe(reason);
      proxy.fail('silent');
      const late = new AbortController();
      const thrown = failureOf(await openWith(proxy.token), late.signal);
      setImmediate(() => late.abort(reason));
      expect(await thrown).toBe(reason);
    });

    it('keeps the token out of what it shows', async () => {
      const sources = await openWith(proxy.token);
      const signal = new AbortController().signal;
      const collected = [
        await sources.metrics?.signals(SCOPE, signal),
        await sources.logs?.lines(SCOPE, signal),
        await sources.traces?.spans(SCOPE, signal),
      ];
      const asked = collected.flatMap((one) => one?.asked ?? []);
      await sources.close();
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.every(({ query, link }) => query !== '' && link?.startsWith('http'))).toBe(true);
      expect(JSON.stringify(asked)).not.toContain(proxy.token);
    });
  });
}

/** How many items it gives, of whatever kind it has. */
async function askAnything(
  { metrics, logs, traces, changes }: TelemetrySources,
  scope: TelemetryScope,
  signal: AbortSignal,
): Promise<number> {
  const answers = [
    await metrics?.signals(scope, signal),
    await logs?.lines(scope, signal),
    await traces?.spans(scope, signal),
    await changes?.changes(scope, signal),
  ];
  return answers.reduce((sum, answer) => sum + (answer?.items.length ?? 0), 0);
}
