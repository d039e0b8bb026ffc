import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeployRegistry } from '#kit/deploy-registry';
import type { Operation, ProposedAction } from '#spec/data';
import type { Executor, Probeable } from '#spec/ports';
import { executorContract, orderOf, sampleAction } from '#testkit/executor-contract';
import { executor as demoFile } from './demo-file.ts';

const service = 'payment-service';
const NOW = Date.parse('2026-05-01T12:00:00Z');
const place = { key: () => undefined, now: () => NOW };
const signal = new AbortController().signal;

const REGISTRY = {
  fence: 0,
  applied: {},
  note: 'kept by hand',
  services: {
    [service]: {
      version: 'v2.3.0',
      previous: 'v2.2.9',
      canary: { version: 'v2.3.1', weight: 50 },
      replicas: 2,
      config: { pool_size: 20, rate_limit_rps: 200, api_token: 'hunter2hunter2' },
      degraded: [],
      active: 'primary',
      zone: 'b',
    },
  },
  history: [],
};

interface Desk {
  readonly folder: string;
  readonly file: string;
  read(): DeployRegistry;
  write(change: (registry: DeployRegistry) => void): void;
  open(more?: Record<string, unknown>): Promise<Executor & Probeable>;
}

function newDesk(): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-registry-'));
  const file = join(folder, 'deployments.json');
  writeFileSync(file, JSON.stringify(REGISTRY));
  const read = () => DeployRegistry.parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    folder,
    file,
    read,
    write: (change) => {
      const registry = read();
      change(registry);
      writeFileSync(file, JSON.stringify(registry));
    },
    open: (more = {}) => demoFile.open(demoFile.settings.parse({ state_file: file, ...more }), place),
  };
}

executorContract(
  'demo_file',
  async () => {
    const desk = newDesk();
    return {
      executor: await desk.open(),
      action: sampleAction({ operation: 'rollback_canary', service }),
      reopen: () => desk.open(),
      look: async () => readFileSync(desk.file, 'utf8'),
      effects: async () => desk.read().history.length,
      disturb: async () =>
        desk.write(({ services }) => {
          const now = services[service];
          if (now) now.canary = { version: 'v2.3.2', weight: 10 };
        }),
      vanish: async () => rmSync(desk.file),
      secrets: ['hunter2hunter2'],
      close: async () => rmSync(desk.folder, { recursive: true, force: true }),
    };
  },
  { fences: true },
);

describe('demo_file', () => {
  let desk: Desk;
  let executor: Executor;
  beforeEach(async () => {
    desk = newDesk();
    executor = await desk.open();
  });
  afterEach(() => rmSync(desk.folder, { recursive: true, force: true }));

  const action = (operation: Operation, params: ProposedAction['params'] = {}) =>
    sampleAction({ operation, service, params });

  it.each<[Operation, ProposedAction['params'], Record<string, unknown>]>([
    ['rollback_canary', {}, { version: 'v2.3.0', previous: 'v2.2.9', canary: null }],
    ['rollback_canary', { from: 'v2.3.1', to: 'v2.3.0' }, { version: 'v2.3.0', canary: null }],
    ['rollback_canary', { to: 'v2.2.8' }, { version: 'v2.2.8', previous: 'v2.3.0', canary: null }],
    ['restart_deployment', {}, { restartedAt: '2026-05-01T12:00:00.000Z' }],
    ['scale_deployment', { replicas: 5 }, { replicas: 5 }],
    ['switch_traffic', { weight: 5 }, { canary: { version: 'v2.3.1', weight: 5 } }],
    [
      'change_config',
      { key: 'pool_size', value: '30' },
      { config: { ...REGISTRY.services[service].config, pool_size: 30 } },
    ],
    [
      'change_rate_limit',
      { from: 200, to: 400 },
      { config: { ...REGISTRY.services[service].config, rate_limit_rps: 400 } },
    ],
    ['flush_cache', {}, { cacheFlushedAt: '2026-05-01T12:00:00.000Z' }],
    ['failover_dependency', {}, { active: 'replica' }],
    ['degrade_dependency', { dependency: 'coupon-service' }, { degraded: ['coupon-service'] }],
  ])('%s %j', async (operation, params, expected) => {
    const wanted = action(operation, params);
    const { allowed, state } = await executor.rehearse(wanted, signal);
    expect(allowed).toBe(true);
    await executor.execute(wanted, orderOf('key-1', { fence: 3, expects: state }));
    const registry = desk.read();
    expect(registry.services[service]).toMatchObject({ zone: 'b', ...expected });
    expect(registry).toMatchObject({ fence: 3, applied: { 'key-1': '2026-05-01T12:00:00.000Z' } });
    expect(registry.history).toMatchObject([{ service, details: { operation, by: 'hermes', key: 'key-1' } }]);
    expect(JSON.parse(readFileSync(desk.file, 'utf8'))).toMatchObject({ note: 'kept by hand' });
    expect(existsSync(`${desk.file}.lock`)).toBe(false);
  });

  it.each<[Operation, ProposedAction['params'], string]>([
    ['rollback_canary', { from: 'v9' }, 'v2.3.1 is running, not v9.'],
    ['scale_deployment', { replicas: 2 }, 'It has 2 replicas already.'],
    ['scale_deployment', { replicas: -1 }, "'replicas' must be a whole number from 0 to 10000."],
    ['switch_traffic', { weight: 101 }, "'weight' must be a number from 0 to 100."],
    ['change_config', { key: 'pool_size' }, "'change_config' needs the parameter 'value'."],
    ['change_config', { key: 'pool_size', from: 2, to: 30 }, 'pool_size is not what the action says it is.'],
    ['degrade_dependency', {}, "'degrade_dependency' needs the parameter 'dependency'."],
    ['observe', {}, "demo_file cannot do 'observe'."],
  ])('refuses %s %j, and says why', async (operation, params, why) => {
    const before = readFileSync(desk.file, 'utf8');
    const wanted = action(operation, params);
    expect(await executor.rehearse(wanted, signal)).toMatchObject({
      allowed: false,
      why: { en: why, zh: expect.stringMatching(/[一-鿿]/) },
      diff: '',
    });
    await expect(executor.execute(wanted, orderOf('key-1'))).rejects.toMatchObject({
      record: { code: 'backend.refused', message: `${why} Nothing was done.` },
    });
    expect(readFileSync(desk.file, 'utf8')).toBe(before);
  });

  it('refuses a service that is not there, also one with the name of a method', async () => {
    for (const name of ['other-service', 'toString', '__proto__']) {
      const wanted = sampleAction({ operation: 'restart_deployment', service: name });
      expect(await executor.rehearse(wanted, signal)).toMatchObject({ allowed: false });
    }
  });

  it('shows what would change, and hides a value whose name sounds secret', async () => {
    const { preview, diff } = await executor.rehearse(action('rollback_canary', { to: 'v2.3.0' }), signal);
    expect(preview).toBe('rollback_canary payment-service to=v2.3.0');
    expect(diff).toContain('-  "canary": {');
    expect(diff).toContain('+  "canary": null');
    const hidden = await executor.rehearse(
      action('change_config', { key: 'api_token', value: 'newsecret99' }),
      signal,
    );
    expect(JSON.stringify(hidden)).toMatch(/api_token/);
    expect(JSON.stringify(hidden)).not.toMatch(/hunter2|newsecret99/);
  });

  it('keeps a copy of the version as text', async () => {
    const copy = join(desk.folder, 'runtime', 'version.txt');
    const copying = await desk.open({ version_file: copy });
    await copying.execute(action('rollback_canary', { to: 'v2.2.9' }), orderOf('key-1'));
    expect(readFileSync(copy, 'utf8')).toBe('v2.2.9\n');
  });

  it('takes over the lock of a process that is gone, and waits for one that lives', async () => {
    const lock = `${desk.file}.lock`;
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: 'x' }));
    await executor.execute(action('flush_cache'), orderOf('key-1'));
    expect(desk.read().history).toHaveLength(1);
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: hostname(), token: 'x' }));
    const waiting = executor.execute(action('flush_cache'), orderOf('key-2'));
    rmSync(lock);
    await waiting;
    expect(desk.read().history).toHaveLength(2);
  });

  it('believes no lock from before the machine was started, though its number is in use again', async () => {
    const lock = `${desk.file}.lock`;
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, at: 0, host: hostname(), token: 'x' }));
    utimesSync(lock, 1, 1);
    await executor.execute(action('flush_cache'), orderOf('key-1'));
    expect(desk.read().history).toHaveLength(1);
  });

  it('does nothing while another machine holds the lock and has been silent for less than a minute', async () => {
    const lock = `${desk.file}.lock`;
    writeFileSync(lock, JSON.stringify({ pid: 1, at: Date.now(), host: 'elsewhere', token: 'x' }));
    const touched = new Date(Date.now() - 45_000);
    utimesSync(lock, touched, touched);
    const order = { ...orderOf('key-1'), signal: AbortSignal.timeout(100) };
    await expect(executor.execute(action('flush_cache'), order)).rejects.toMatchObject({
      record: { code: 'tool.refused', message: expect.stringContaining('Nothing was done') },
    });
    expect(desk.read().history).toHaveLength(0);
  });

  it('says that a broken registry is broken, and leaves it', async () => {
    writeFileSync(desk.file, '{"services": 3}');
    await expect(executor.rehearse(action('flush_cache'), signal)).rejects.toMatchObject({
      record: { code: 'backend.bad_response' },
    });
    await expect(executor.execute(action('flush_cache'), orderOf('key-1'))).rejects.toMatchObject({
      record: { code: 'backend.bad_response' },
    });
    expect(readFileSync(desk.file, 'utf8')).toBe('{"services": 3}');
  });
});
