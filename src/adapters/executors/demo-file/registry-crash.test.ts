import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeployRegistry } from '#kit/deploy-registry';
import { orderOf, sampleAction } from '#testkit/executor-contract';
import { registryExecutor } from './registry-executor.ts';

const action = sampleAction({
  operation: 'scale_deployment',
  service: 'payment-service',
  params: { replicas: 5 },
});
const signal = new AbortController().signal;
const settings = (state_file: string) => ({
  state_file,
  version_service: 'payment-service',
  rate_limit_key: 'rate_limit_rps',
});

/** Executes in a process of its own: tells when it is asked whether it is still its own, and waits `pauseMs` then. */
const CHILD = `
const { registryExecutor } = await import(process.env.MODULE);
const given = JSON.parse(process.env.GIVEN);
const executor = registryExecutor(given.settings, { key: () => undefined, now: Date.now });
const stillMine = async () => {
  process.stdout.write('asked\\n');
  await new Promise((resolve) => setTimeout(resolve, given.pauseMs));
  return true;
};
await executor.execute(given.action, { key: 'key-1', fence: 1, scope: 's', stillMine, signal: new AbortController().signal });
process.stdout.write('done\\n');
await new Promise((resolve) => setTimeout(resolve, 60_000));
`;

describe('a registry whose writer is killed', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hermes-crash-'));
    file = join(folder, 'deployments.json');
    writeFileSync(file, JSON.stringify({ services: { 'payment-service': { version: 'v1', replicas: 2 } } }));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function killAfter(pauseMs: number, when: 'asked' | 'done', waitMs = 0): Promise<void> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD], {
      env: {
        PATH: process.env.PATH,
        MODULE: join(import.meta.dirname, 'registry-executor.ts'),
        GIVEN: JSON.stringify({ settings: settings(file), action, pauseMs }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
        if (said.includes(when)) resolve();
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  const registry = () => DeployRegistry.parse(JSON.parse(readFileSync(file, 'utf8')));
  const place = { key: () => undefined, now: Date.now };

  it('in front of the effect: nothing was done, the lock is taken over, and it can be done', async () => {
    await killAfter(60_000, 'asked');
    expect(existsSync(`${file}.lock`)).toBe(true);
    const executor = registryExecutor(settings(file), place);
    expect((await executor.reconcile(action, 'key-1', {}, signal)).found).toBe('not_done');
    await executor.execute(action, orderOf('key-1'));
    expect(registry()).toMatchObject({ services: { 'payment-service': { replicas: 5 } } });
    expect(registry().history).toHaveLength(1);
  });

  it('behind the effect: it was done, and is not done again', async () => {
    await killAfter(0, 'done');
    const executor = registryExecutor(settings(file), place);
    expect((await executor.reconcile(action, 'key-1', {}, signal)).found).toBe('done');
    expect(await executor.execute(action, orderOf('key-1'))).toMatchObject({
      en: expect.stringMatching(/^Done already/),
    });
    expect(registry().history).toHaveLength(1);
  });

  it('anywhere around the effect: what is found is what happened, and there is one effect in the end', async () => {
    for (const waitMs of [0, 1, 2, 4, 8]) {
      writeFileSync(
        file,
        JSON.stringify({ services: { 'payment-service': { version: 'v1', replicas: 2 } } }),
      );
      await killAfter(1, 'asked', waitMs);
      const executor = registryExecutor(settings(file), place);
      const done = registry().history.length === 1;
      expect((await executor.reconcile(action, 'key-1', {}, signal)).found).toBe(done ? 'done' : 'not_done');
      await executor.execute(action, orderOf('key-1'));
      expect(registry().history).toHaveLength(1);
    }
  });
});
