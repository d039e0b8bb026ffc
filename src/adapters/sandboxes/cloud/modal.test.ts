import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxPlace } from '#spec/ports';
import { keptLog } from '#testkit/log';
import { type ModalServer, numberIn, startModalServer, textIn, textsIn } from '#testkit/cloud-sandboxes';
import { run, sandboxContract } from '#testkit/sandbox';
import { sandbox as modal } from './modal.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-modal-'));
let server: ModalServer;
beforeAll(async () => {
  server = await startModalServer();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const log = keptLog();
const place = ({ tokenId, tokenSecret }: { tokenId: string; tokenSecret: string }): SandboxPlace => ({
  name: 'modal-test',
  workspace: folder,
  hidden: [],
  limits: { memoryMb: 96, processes: 48, cpuSeconds: 2 },
  program: () => undefined,
  key: (name) => ({ MODAL_TOKEN_ID: tokenId, MODAL_TOKEN_SECRET: tokenSecret })[name],
  log,
});

const open = (
  more: Record<string, unknown> = {},
  keys: { tokenId: string; tokenSecret: string } = server,
) => {
  const workdir = mkdtempSync(join(folder, 'cloud-'));
  return modal.open(modal.options.parse({ api_url: server.url, workdir, ...more }), place(keys));
};

sandboxContract(
  'modal',
  async () => {
    const own = await startModalServer();
    const workdir = mkdtempSync(join(folder, 'contract-'));
    const sandbox = await modal.open(modal.options.parse({ api_url: own.url, workdir }), place(own));
    return {
      sandbox,
      close: async () => {
        await sandbox.close();
        await own.close();
      },
    };
  },
  { slowness: 0.7 },
);

describe('modal', () => {
  let sandbox: Sandbox | undefined;
  afterEach(async () => {
    await sandbox?.close();
    sandbox = undefined;
  });

  it('asks for a sandbox without network and with limits, and ends it', async () => {
    sandbox = await open({ cpus: 0.5, memory_mb: 512, idle_minutes: 5 });
    const definition = server.definitions.at(-1) ?? [];
    expect(textsIn(definition, 1)[0]).toBe('sleep');
    expect(textIn(definition, 3)).toBe('im-1');
    expect([numberIn(definition, 7), numberIn(definition, 11), numberIn(definition, 33)]).toEqual([
      86_400, 1, 300,
    ]);
    await sandbox.close();
    expect(server.calls.at(-1)).toBe('SandboxTerminate');
  });

  it('says which keys are refused, and never what they are', async () => {
    const wrong = { tokenId: 'ak-wrong-id-not-to-be-seen', tokenSecret: 'as-wrong-secret-not-to-be-seen' };
    const error = await open({}, wrong).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      record: {
        code: 'tool.failed',
        hint: 'Check MODAL_TOKEN_ID and MODAL_TOKEN_SECRET.',
        details: { status: 401 },
      },
    });
    const shown = JSON.stringify(error, Object.getOwnPropertyNames(error));
    expect(shown).not.toContain('not-to-be-seen');
    const missing = await modal.available(modal.options.parse({}), place({ tokenId: 'x', tokenSecret: '' }));
    expect(missing?.what).toMatchObject({ en: 'MODAL_TOKEN_SECRET is not set.' });
  });

  it('waits as long as a limit asks for, and passes over faults that pass', async () => {
    server.fault({ on: 'SandboxCreate', status: 429, headers: { 'retry-after': '0.3' } });
    server.fault({ on: 'AppGetOrCreate', status: 14 });
    server.fault({ on: 'TaskExecStart', status: 503 });
    const began = performance.now();
    sandbox = await open();
    expect(performance.now() - began).toBeGreaterThanOrEqual(290);
    server.fault({ on: 'TaskExecWait', status: 13, times: 2 });
    expect(await run(sandbox, 'echo fine')).toMatchObject({ stdout: 'fine\n', code: 0 });
  });

  it('goes on with output whose stream was cut, and loses nothing of it', async () => {
    sandbox = await open();
    for (const bytes of [0, 1, 40, 100, 5_000, 3]) server.cutReads(bytes, 2);
    const end = await run(sandbox, 'for i in $(seq 1 2000); do echo "line $i"; done; echo e >&2');
    expect(end.stdout.trim().split('\n')).toHaveLength(2_000);
    expect(end).toMatchObject({ stderr: 'e\n', code: 0 });
  });

  it('gets a new token when the one of the router is over', async () => {
    sandbox = await open();
    server.expireToken();
    expect(await run(sandbox, 'echo again')).toMatchObject({ stdout: 'again\n', code: 0 });
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

  it('says in the log which sandbox is left behind when it neither starts nor goes', async () => {
    server.fault({ on: 'TaskExecStart', status: 3 });
    server.fault({ on: 'SandboxTerminate', status: 7 });
    await expect(open()).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    expect(log.lines.at(-1)).toMatchObject({
      level: 'warn',
      event: 'sandbox.failed',
      doing: 'ending the sandbox sb-1, which did not start',
      thrown: { record: { code: 'tool.failed' } },
    });
  });

  it('tells of a server that is not there', async () => {
    const gone = await startModalServer();
    await gone.close();
    await expect(open({ api_url: gone.url }, gone)).rejects.toMatchObject({
      record: { code: 'tool.failed', retry: { again: true } },
    });
  });
});
