import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxPlace } from '#spec/ports';
import { keptLog } from '#testkit/log';
import { type DaytonaServer, startDaytonaServer } from '#testkit/cloud-sandboxes';
import { run, sandboxContract } from '#testkit/sandbox';
import { sandbox as daytona } from './daytona.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-daytona-'));
let server: DaytonaServer;
beforeAll(async () => {
  server = await startDaytonaServer();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const log = keptLog();
const place = (key: string | undefined = server.key): SandboxPlace => ({
  name: 'daytona-test',
  workspace: folder,
  hidden: [],
  limits: { memoryMb: 96, processes: 48, cpuSeconds: 2 },
  program: () => undefined,
  key: (name) => (name === 'DAYTONA_API_KEY' ? key : undefined),
  log,
});

const open = (more: Record<string, unknown> = {}, key?: string): Promise<Sandbox> => {
  const workdir = mkdtempSync(join(folder, 'cloud-'));
  return daytona.open(daytona.options.parse({ api_url: server.url, workdir, ...more }), place(key));
};

sandboxContract(
  'daytona',
  async () => {
    const own = await startDaytonaServer();
    const workdir = mkdtempSync(join(folder, 'contract-'));
    const sandbox = await daytona.open(daytona.options.parse({ api_url: own.url, workdir }), place(own.key));
    return {
      sandbox,
      close: async () => {
        await sandbox.close();
        await own.close();
      },
    };
  },
  { slowness: 0.7, holds: ['cpu'] },
);

describe('daytona', () => {
  let sandbox: Sandbox | undefined;
  afterEach(async () => {
    await sandbox?.close();
    sandbox = undefined;
  });

  it('asks for a sandbox without network, and removes it at the end', async () => {
    sandbox = await open({ snapshot: 'tools', cpus: 2 });
    expect(server.created.at(-1)).toMatchObject({
      snapshot: 'tools',
      cpu: 2,
      networkBlockAll: true,
      autoStopInterval: 15,
    });
    await sandbox.close();
    expect(server.requests.at(-1)).toBe('DELETE /api/sandbox/sb%201');
  });

  it('says which key is refused, and never what it is', async () => {
    const wrong = 'dtn_wrong-key-that-must-not-be-seen';
    const error = await open({}, wrong).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      record: { code: 'tool.failed', hint: 'Check DAYTONA_API_KEY.', details: { status: 401 } },
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(wrong);
    expect(await daytona.available(daytona.options.parse({}), place(''))).toMatchObject({
      what: { en: expect.stringContaining('DAYTONA_API_KEY') },
    });
  });

  it('waits as long as a limit asks for, and asks again', async () => {
    server.fault({ on: 'POST /api/sandbox', status: 429, headers: { 'retry-after': '0.3' } });
    const began = performance.now();
    sandbox = await open();
    expect(performance.now() - began).toBeGreaterThanOrEqual(290);
    expect(await run(sandbox, 'echo fine')).toMatchObject({ stdout: 'fine\n' });
  });

  it('asks again after a 5xx only where that does no harm', async () => {
    sandbox = await open();
    server.fault({ on: 'GET /toolbox', status: 502, times: 2 });
    expect(await run(sandbox, 'echo fine')).toMatchObject({ stdout: 'fine\n', code: 0 });
    server.fault({ on: '/exec', status: 500 });
    const before = server.requests.length;
    await expect(run(sandbox, 'echo twice')).rejects.toMatchObject({ record: { retry: { again: true } } });
    expect(server.requests.slice(before).filter((line) => line.endsWith('/exec'))).toHaveLength(1);
  });

  it('goes on with a log whose line was cut, and loses nothing of it', async () => {
    sandbox = await open();
    for (const bytes of [0, 1, 40, 100, 101, 102, 5_000]) server.cutLogs(bytes, 1);
    const end = await run(
      sandbox,
      'for i in $(seq 1 2000); do echo "line $i"; [ $((i % 500)) = 0 ] && sleep 0.1; done; echo e >&2',
    );
    expect(end.stdout.trim().split('\n')).toHaveLength(2_000);
    expect(end).toMatchObject({ stderr: 'e\n', code: 0 });
  });

  it('tells of a sandbox that went away in the middle', async () => {
    sandbox = await open();
    const running = await sandbox.start(
      { command: 'echo begun; sleep 30', timeoutMs: 20_000, maxOutputBytes: 1_000 },
      new AbortController().signal,
    );
    for await (const { text } of running.output) if (text.includes('begun')) server.vanish();
    expect(await running.ended).toMatchObject({ code: null, stopped: 'lost' });
    await expect(run(sandbox, 'true')).rejects.toMatchObject({ record: { details: { status: 404 } } });
  });

  it('starts a sandbox again that was stopped meanwhile', async () => {
    sandbox = await open();
    server.stop();
    expect(await run(sandbox, 'echo back')).toMatchObject({ stdout: 'back\n' });
  });

  it('says in the log which sandbox is left behind when it neither starts nor goes', async () => {
    server.fault({ on: '/process/execute', status: 500 });
    server.fault({ on: 'DELETE /api/sandbox', status: 403 });
    await expect(open()).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    expect(log.lines.at(-1)).toMatchObject({
      level: 'warn',
      event: 'sandbox.failed',
      doing: 'removing the sandbox sb 1, which did not start',
      thrown: { record: { code: 'tool.failed' } },
    });
  });

  it('takes only an encrypted address', () => {
    expect(daytona.options.safeParse({ api_url: 'http://daytona.example/api' }).success).toBe(false);
  });
});
