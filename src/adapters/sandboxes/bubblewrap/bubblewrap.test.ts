import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxPlace } from '#spec/ports';
import { findProgram, run, sandboxContract, temporaryPlace } from '#testkit/sandbox';
import { sandbox as kind } from './bubblewrap.ts';

const skip = findProgram('bwrap') ? undefined : 'bwrap is not installed';

/** Closing twice does no harm; a test that failed has not closed anything. */
const left = new Set<() => Promise<void>>();

async function open(options: unknown = {}, prepare: (workspace: string) => void = () => undefined) {
  const { place, close } = await temporaryPlace();
  prepare(place.workspace);
  const sandbox = await kind.open(kind.options.parse(options), place);
  const closeBoth = async () => {
    await sandbox.close();
    await close();
  };
  left.add(closeBoth);
  return { sandbox, close: closeBoth };
}

afterAll(async () => {
  for (const close of left) await close();
});

sandboxContract('bubblewrap', () => open(), { skip, holds: ['memory', 'processes', 'cpu'] });

describe.skipIf(skip !== undefined)(`bubblewrap (skipped where ${skip ?? 'nothing is missing'})`, () => {
  const missing = async (change: Partial<SandboxPlace>, options: unknown = {}) => {
    const { place, close } = await temporaryPlace();
    const found = await kind.available(kind.options.parse(options), { ...place, ...change });
    await close();
    return found;
  };

  it('says what is missing, and leaves nothing behind', async () => {
    // A folder of its own: others on this machine make such folders, too.
    const own = await mkdtemp(join(tmpdir(), 'hermes-left-'));
    vi.stubEnv('TMPDIR', own);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rm(own, { recursive: true, force: true });
    });
    const folders = () => readdirSync(own).filter((name) => name.startsWith('hermes-bwrap-'));
    expect(await missing({})).toBeUndefined();
    expect(await missing({ program: () => undefined })).toMatchObject({
      what: { en: 'bubblewrap is not installed.' },
    });
    expect(await missing({ workspace: '/' })).toMatchObject({ what: { en: '/ cannot be a workspace.' } });
    expect(await missing({ workspace: '/usr' })).toMatchObject({
      what: { en: '/usr cannot be a workspace.' },
    });
    expect(await missing({}, { read: ['/'] })).toMatchObject({
      what: { en: expect.stringContaining('holds the system') },
    });
    const broken = (name: string) => (name === 'bwrap' ? findProgram('false') : findProgram(name));
    expect(await missing({ program: broken })).toMatchObject({
      what: { en: expect.stringContaining('does not work here') },
    });
    expect(folders()).toEqual([]);
  });

  it('keeps home and temporary files from one command to the next, and no longer', async () => {
    const first = await open();
    await run(first.sandbox, 'echo kept > ~/note; echo kept > /tmp/note');
    expect((await run(first.sandbox, 'cat ~/note /tmp/note /var/tmp/note')).stdout).toBe(
      'kept\nkept\nkept\n',
    );
    await first.close();
    const second = await open();
    expect((await run(second.sandbox, 'ls ~ /tmp')).stdout).not.toContain('note');
    await second.close();
  });

  it('shows a folder that is listed, without its secrets', async () => {
    const shown = await temporaryPlace();
    mkdirSync(join(shown.place.workspace, '.ssh'));
    const { place, close } = await temporaryPlace({ env: { ...process.env, HOME: shown.place.workspace } });
    const sandbox = await kind.open(kind.options.parse({ read: [shown.place.workspace] }), place);
    const { stdout } = await run(
      sandbox,
      `ls -A ${shown.place.workspace}; touch ${shown.place.workspace}/x || echo closed`,
    );
    expect(stdout).toBe('.ssh\nclosed\n');
    await sandbox.close();
    await close();
    await shown.close();
  });

  it('guards the hooks of a repository that has none yet', async () => {
    const { sandbox, close } = await open({}, (workspace) => mkdirSync(join(workspace, '.git')));
    await run(sandbox, 'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit');
    expect(existsSync(join(sandbox.workspace, '.git/hooks/pre-commit'))).toBe(false);
    await close();
  });

  it('does not start where another sandbox put a link in the place of a mount', async () => {
    const { sandbox, close } = await open({}, (workspace) => mkdirSync(join(workspace, '.git')));
    await rename(join(sandbox.workspace, '.git'), join(sandbox.workspace, 'old'));
    symlinkSync('/etc', join(sandbox.workspace, '.git'));
    await expect(run(sandbox, 'ls .git')).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    await close();
  });

  it('takes a network only as it is told', async () => {
    const { sandbox, close } = await open({ network: true });
    const { stdout } = await run(
      sandbox,
      'cat /proc/net/dev | wc -l; python3 -c "import socket; socket.socket(1)" || echo closed',
    );
    expect(stdout).toContain('closed');
    await close();
    for (const network of [
      'yes',
      { allow: [] },
      { allow: ['http://x'] },
      { allow: ['*'] },
      { deny: ['x'] },
    ]) {
      expect([network, kind.options.safeParse({ network }).success]).toEqual([network, false]);
    }
  });
});
