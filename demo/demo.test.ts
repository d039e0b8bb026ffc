import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoUnderTest, openDemo } from '#support/demo/demo-under-test';
import { editRegistry } from './runtime/registry-file.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the demo', () => {
  let system: DemoUnderTest;
  beforeAll(async () => {
    system = await openDemo();
  });
  afterAll(() => system?.close());

  it('is well on a good day, and tells of itself in all three ways', async () => {
    const { demo, sink, until, folder } = system;
    await until('traffic', () => sink.rate('payment-service', 200) > 8);
    expect(demo.services.map(({ name, version }) => [name, version])).toEqual([
      ['payment-service', 'v2.3.0'],
      ['order-service', 'v1.8.2'],
      ['coupon-service', 'v1.4.0'],
    ]);
    await until('whole traces', () => sink.wholeTraces() > 0);
    expect(sink.unauthorized()).toBe(0);
    expect(sink.rate('payment-service', 503)).toBe(0);
    const text = await (await fetch(`${demo.services[0]?.url}/metrics`)).text();
    expect(text).toMatch(/http_server_request_duration_seconds_count\{.*version="v2.3.0".*code="200"/);
    const lines = (await readFile(join(folder, 'order-service.log'), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      service: 'order-service',
      level: 'info',
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('fires an alert about a surge that harms nobody', async () => {
    const { demo, sink, until, events } = system;
    await demo.inject('TRAFFIC_SURGE');
    const names = (): (string | undefined)[] => demo.firing().map(({ labels }) => labels['alertname']);
    await until('an alert', () => names().includes('HighRequestRate'));
    expect(sink.rate('payment-service', 200)).toBeGreaterThan(40);
    for (const code of [429, 503, 504]) expect(sink.rate('payment-service', code)).toBe(0);
    expect(demo.stats().traffic.rps).toBeGreaterThan(40);
    await demo.clear();
    await until('the end of the alert', () => !names().includes('HighRequestRate'));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['fault.injected', 'alert.firing', 'fault.cleared', 'alert.resolved']),
    );
  }, 40_000);

  it('replaces a process without refusing anybody', async () => {
    const { demo, sink, until, events } = system;
    const before = demo.services[1]?.pid;
    await editRegistry(demo.registryFile, ({ services }) => {
      const order = services['order-service'];
      if (order) order.restartedAt = new Date().toISOString();
    });
    await until('a new process', () => demo.services[1]?.pid !== before && !isAlive(before ?? 0));
    await sink.rounds(2);
    expect(sink.rate('payment-service', 503)).toBe(0);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'service.started', service: 'order-service' }),
    );
  });

  it('refuses a fault that does not exist', async () => {
    await expect(system.demo.inject('NOTHING')).rejects.toThrow("There is no fault 'NOTHING'.");
  });

  it('leaves no process behind', async () => {
    const { demo, started } = system;
    await demo.close();
    expect(started).toHaveLength(4);
    expect(started.filter(({ pid }) => pid !== undefined && isAlive(pid))).toEqual([]);
  });
});

it('ends with its parent, even when that is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-orphans-'));
  const parent = spawn(
    process.execPath,
    [join(import.meta.dirname, '../test/support/demo/orphan-parent.ts'), folder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pids = JSON.parse(line) as number[];
    expect(pids.filter(isAlive)).toHaveLength(3);
    parent.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000, interval: 50 }).toEqual([]);
  } finally {
    parent.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
