import { describe, expect, it } from 'vitest';
import { bundleSources } from './bundle-sources.ts';
import { callTraces } from './call-traces.ts';
import { INCIDENT_START, sampleSystem } from './sample-system.ts';

const telemetry = {
  ...sampleSystem(),
  ...callTraces({ calls: 20, fails: (during, call) => during && call < 3 }),
  changes: [
    { id: 'a', kind: 'deploy' as const, service: 'web', time: '2026-03-01T12:01:00Z', summary: 'a' },
    { id: 'b', kind: 'config' as const, time: '2026-03-01T12:01:00Z', summary: 'b' },
    { id: 'c', kind: 'deploy' as const, service: 'web', time: '2026-02-01T12:01:00Z', summary: 'c' },
  ],
};
const { metrics, logs, traces, changes } = bundleSources(telemetry);
const window = telemetry.bundle.incident;
const { signal } = new AbortController();

describe('bundleSources', () => {
  it('answers for a window and for services, within the limit', async () => {
    const two = await metrics?.signals({ window, services: ['web', 'orders'], limit: 100 }, signal);
    expect(two?.items).toHaveLength(10);
    expect(two?.items[0]?.times).toHaveLength(16);
    expect(two?.items[0]?.times[0]).toBe(INCIDENT_START);
    const few = await metrics?.signals({ window, limit: 3 }, signal);
    expect(few).toMatchObject({ items: { length: 3 }, cut: true });
    expect((await logs?.lines({ window, limit: 100 }, signal))?.items).toHaveLength(20);
    expect(
      (await changes?.changes({ window, services: ['web'], limit: 9 }, signal))?.items.map(({ id }) => id),
    ).toEqual(['a', 'b']);
  });

  it('gives whole traces only', async () => {
    const some = await traces?.spans({ window, services: ['payments'], limit: 12 }, signal);
    expect(some).toMatchObject({ items: { length: 10 }, cut: true });
    const failed = await traces?.spans({ window, limit: 1_000, errorsOnly: true }, signal);
    expect(failed?.items).toHaveLength(15);
    expect(await traces?.topology({ window, limit: 9 }, signal)).toEqual(telemetry.topology);
  });

  it('keeps complaints when not all lines fit', async () => {
    const mixed = bundleSources({
      ...telemetry,
      logs: ['fine', 'fine', 'refused: timeout'].map((message, at) => ({
        time: INCIDENT_START + at,
        service: 'web',
        message,
      })),
    });
    const found = await mixed.logs?.lines({ window, limit: 1, errorsFirst: true }, signal);
    expect(found?.items[0]?.message).toContain('timeout');
  });

  it('reads a small language and says so where it does not', async () => {
    const one = await metrics?.query('cpu{service="web"}', { window, limit: 9 }, signal);
    expect(one?.items).toMatchObject([{ service: 'web', metric: 'cpu' }]);
    const lines = await logs?.query('{service="payments"} |= "CHARGED"', { window, limit: 99 }, signal);
    expect(lines?.items).toHaveLength(20);
    await expect(metrics?.query('rate(x[5m])', { window, limit: 9 }, signal)).rejects.toMatchObject({
      record: { code: 'input.invalid' },
    });
    await expect(logs?.query('sum(x)', { window, limit: 9 }, signal)).rejects.toMatchObject({
      record: { code: 'input.invalid' },
    });
  });

  it('has no source for what the bundle does not have, and stops when told', async () => {
    const { changes: _, ...bare } = { ...telemetry, logs: [] };
    expect(Object.keys(bundleSources(bare))).toEqual(['metrics', 'traces']);
    await expect(
      metrics?.signals({ window, limit: 9 }, AbortSignal.abort(new Error('stop'))),
    ).rejects.toThrow('stop');
  });
});
