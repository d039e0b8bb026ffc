import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#kit/free-port';

export interface SshServer {
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  /** A file that knows the key of this server. */
  readonly knownHosts: string;
  /** An empty folder of the user there. */
  readonly workspace: string;
  close(): Promise<void>;
}

const GUEST = { name: 'guest', uid: 23_456 };

/**
 * A real `sshd` on a loopback port, with keys of its own. Run by root, it lets in an ordinary user whom only its own
 * mount namespace knows; run by anybody else, that one.
 */
export async function openSshServer(sshd: string): Promise<SshServer> {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), 'hermes-sshd-'));
  const at = (name: string) => join(folder, name);
  chmodSync(folder, 0o755);
  for (const key of ['host_key', 'user_key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
  }
  writeFileSync(at('authorized_keys'), readFileSync(at('user_key.pub')), { mode: 0o644 });
  for (const name of ['home', 'work']) {
    mkdirSync(at(name));
    if (isRoot) chownSync(at(name), GUEST.uid, GUEST.uid);
  }
  const user = isRoot ? GUEST.name : userInfo().username;
  const port = await freePort();
  writeFileSync(at('known_hosts'), `[127.0.0.1]:${port} ${readFileSync(at('host_key.pub'), 'utf8')}`);
  writeFileSync(at('config'), configFor(port, at));
  writeFileSync(
    at('passwd'),
    `${readFileSync('/etc/passwd', 'utf8')}${GUEST.name}:*:${GUEST.uid}:${GUEST.uid}::${at('home')}:/bin/bash\n`,
  );
  const start = `exec ${sshd} -D -e -f ${at('config')}`;
  const asRoot = `mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && mount --bind ${at('passwd')} /etc/passwd && ${start}`;
  const words = isRoot ? ['unshare', '--mount', 'sh', '-c', asRoot] : ['sh', '-c', start];
  const server = spawn(words[0] ?? 'sh', words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr?.on('data', (bytes: Buffer) => {
    log += bytes.toString('utf8');
  });
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const close = async () => {
    server.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 100 || server.exitCode !== null) {
      await close();
      throw new Error(`sshd did not start: ${log}`);
    }
    await delay(30);
  }
  return { port, user, keyFile: at('user_key'), knownHosts: at('known_hosts'), workspace: at('work'), close };
}

const configFor = (port: number, at: (name: string) => string): string =>
  [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host_key')}`,
    `AuthorizedKeysFile ${at('authorized_keys')}`,
    `PidFile ${at('pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'MaxSessions 50',
    'LogLevel ERROR',
    '',
  ].join('\n');

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
