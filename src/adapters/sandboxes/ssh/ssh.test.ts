import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findProgram,
  openSshServer,
  run,
  type SshServer,
  sandboxContract,
  temporaryPlace,
} from '#testkit/sandbox';
import { sandbox as kind } from './ssh.ts';

const sshd = findProgram('sshd');
const skip = sshd && findProgram('ssh') ? undefined : 'sshd or ssh is not installed';
let server: SshServer;

/** Closing twice does no harm; a test that failed has not closed anything. */
const left = new Set<() => Promise<void>>();

async function open(change: Record<string, unknown> = {}) {
  const { place, close } = await temporaryPlace();
  const options = kind.options.parse({
    host: '127.0.0.1',
    port: server.port,
    user: server.user,
    key_file: server.keyFile,
    known_hosts: server.knownHosts,
    working_dir: server.workspace,
    ...change,
  });
  const sandbox = await kind.open(options, place).catch(async (thrown: unknown) => {
    await close();
    throw thrown;
  });
  const closeBoth = async () => {
    await sandbox.close();
    await close();
  };
  left.add(closeBoth);
  return { sandbox, close: closeBoth };
}

beforeAll(async () => {
  if (sshd && !skip) server = await openSshServer(sshd);
});
afterAll(async () => {
  for (const close of left) await close();
  await server?.close();
});

sandboxContract('ssh', () => open(), { skip, holds: ['memory', 'cpu'], slowness: 2 });

describe.skipIf(skip !== undefined)(`ssh (skipped where ${skip ?? 'nothing is missing'})`, () => {
  it('refuses a host whose key is not known, and says what to do', async () => {
    const known = `${server.knownHosts}.empty`;
    writeFileSync(known, '');
    await expect(open({ known_hosts: known })).rejects.toMatchObject({
      record: { code: 'tool.failed', hint: expect.stringContaining('known_hosts') },
    });
  });

  it('refuses a host whose key has changed, also with accept-new', async () => {
    const known = `${server.knownHosts}.changed`;
    const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGV4YW1wbGVleGFtcGxlZXhhbXBsZWV4YW1wbGVleGFt';
    writeFileSync(known, `[127.0.0.1]:${server.port} ${other}\n`);
    await expect(open({ known_hosts: known, host_key: 'accept-new' })).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
  });

  it('says that a key is refused and that nobody listens', async () => {
    const { place, close } = await temporaryPlace();
    const options = {
      host: '127.0.0.1',
      port: server.port,
      user: server.user,
      known_hosts: server.knownHosts,
    };
    const missing = await kind.available(
      kind.options.parse({ ...options, key_file: server.knownHosts }),
      place,
    );
    expect(missing).toMatchObject({ what: { en: expect.stringMatching(/permission denied/i) } });
    const nobody = await kind.available(kind.options.parse({ ...options, port: 1 }), place);
    expect(nobody).toMatchObject({
      what: { en: expect.stringMatching(/refused/) },
      fix: { en: 'Check host and port.' },
    });
    await close();
  });

  it('connects again after the connection was lost', async () => {
    const { sandbox, close } = await open();
    const cut = await run(sandbox, 'kill -9 $(ps -o ppid= -p $PPID); sleep 5', {
      timeoutMs: 5_000,
    });
    expect(cut.stopped).toBe('lost');
    expect(await run(sandbox, 'echo back')).toMatchObject({ stdout: 'back\n' });
    await close();
  });

  it('runs under bubblewrap there when it is told to', async () => {
    const { sandbox, close } = await open({ sandbox: true });
    const script =
      'grep CapEff /proc/self/status; touch ok.txt && echo wrote; touch /etc/x ~/x /tmp/x 2>&1; ls -A ~';
    const { stdout } = await run(sandbox, `${script}; cat "${server.keyFile}" 2>&1`);
    expect(stdout).toContain('0000000000000000');
    expect(stdout).toContain('wrote');
    expect(stdout).toMatch(/\/etc\/x.*Read-only/);
    expect(stdout).not.toContain('PRIVATE KEY');
    const net = await run(sandbox, `exec 5<>/dev/tcp/127.0.0.1/${server.port} && echo reached`);
    expect(net.stdout).not.toContain('reached');
    await close();
  });

  it('refuses a sandbox that would show the home', async () => {
    const { place, close } = await temporaryPlace();
    const options = kind.options.parse({
      host: '127.0.0.1',
      port: server.port,
      user: server.user,
      key_file: server.keyFile,
      known_hosts: server.knownHosts,
      sandbox: true,
    });
    expect(await kind.available(options, place)).toMatchObject({
      fix: { en: expect.stringContaining('working_dir') },
    });
    await close();
  });
});
