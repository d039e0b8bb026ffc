import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppError, fail } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import type { SandboxPlace } from '#spec/ports';
import { quoteWord } from '../process/shell-script.ts';
import type { RemoteOptions } from './remote-options.ts';

/** One connection to another machine that all commands share. */
export interface Connection {
  /** The command line that runs a script of `sh` there. */
  words(script: string): readonly string[];
  /** The environment of the `ssh` of this machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Connects again where the connection was lost. */
  ensure(): Promise<void>;
  close(): Promise<void>;
}

/** The folder holds the socket of the connection; nobody else may use it. */
export async function connect(options: RemoteOptions, place: SandboxPlace): Promise<Connection> {
  const ssh = place.program('ssh');
  if (!ssh)
    throw fail(
      'tool.failed',
      tell('There is no ssh on this machine.', '本机没有 ssh。'),
      tell('Install the OpenSSH client.', '请安装 OpenSSH 客户端。'),
    );
  const folder = await mkdtemp(join(tmpdir(), 'hermes-ssh-'));
  const env = clientEnvironment(place);
  const settings = ['-S', join(folder, 'c'), ...settingsFor(options, place)];
  const target = ['--', options.user ? `${options.user}@${options.host}` : options.host];
  let master: ChildProcess | undefined;
  let opening: Promise<void> | undefined;
  const reopen = async () => {
    master = await openMaster(ssh, [...settings, ...target], env, options);
  };
  const ensure = async () => {
    if (master && master.exitCode === null && master.signalCode === null) return;
    opening ??= reopen().finally(() => {
      opening = undefined;
    });
    await opening;
  };
  const connection: Connection = {
    env,
    ensure,
    words: (script) => [
      ssh,
      '-o',
      'ControlMaster=no',
      '-T',
      ...settings,
      ...target,
      `exec sh -c ${quoteWord(script)}`,
    ],
    async close() {
      const over =
        master && master.exitCode === null
          ? new Promise((resolve) => master?.once('exit', resolve))
          : undefined;
      master?.kill('SIGTERM');
      await over;
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await ensure();
    return connection;
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
}

function settingsFor(options: RemoteOptions, place: SandboxPlace): string[] {
  const home = (path: string) => path.replace(/^~(?=\/)/, place.env?.['HOME'] ?? '~');
  const values: Record<string, string> = {
    Port: String(options.port),
    BatchMode: 'yes',
    StrictHostKeyChecking: options.host_key === 'accept-new' ? 'accept-new' : 'yes',
    ConnectTimeout: String(options.connect_timeout),
    ServerAliveInterval: '10',
    ServerAliveCountMax: '3',
    ForwardAgent: 'no',
    ForwardX11: 'no',
    ClearAllForwardings: 'yes',
    UpdateHostKeys: 'no',
    EscapeChar: 'none',
    LogLevel: 'ERROR',
    ...(options.known_hosts ? { UserKnownHostsFile: home(options.known_hosts) } : {}),
    ...(options.key_file ? { IdentityFile: home(options.key_file), IdentitiesOnly: 'yes' } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** Keys may come from an agent; nothing else of our environment is the other side's business. */
function clientEnvironment(place: SandboxPlace): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SSH_AUTH_SOCK', 'LANG'];
  const found = names.flatMap((name) => {
    const value = place.env?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Its first session says when the connection stands, and ends with our end of the pipe: also when we are killed. */
function openMaster(
  ssh: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  options: RemoteOptions,
): Promise<ChildProcess> {
  const session = 'echo ready; exec cat > /dev/null';
  const child = spawn(ssh, ['-M', '-T', '-o', 'ControlPersist=no', ...words, session], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Written to by nobody; its end is the end of the connection, which `exit` tells.
  child.stdin.on('error', () => child.stdin.destroy());
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), (options.connect_timeout + 5) * 1_000);
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString('utf8')).slice(-2_000);
    });
    child.stdout.once('data', () => {
      clearTimeout(timer);
      resolve(child);
    });
    child.once('error', (cause) => reject(fail('tool.failed', `ssh could not be started: ${cause.message}`)));
    child.once('exit', () => {
      clearTimeout(timer);
      reject(refusal(said.trim(), options));
    });
  });
}

function refusal(said: string, { host, port }: RemoteOptions): AppError {
  const hints: readonly (readonly [RegExp, Text])[] = [
    [
      /host key verification failed|host identification has changed/i,
      tell(
        `Check the host's key, then add it to known_hosts: ssh-keyscan -p ${port} ${host}`,
        `请核对主机密钥,再加入 known_hosts:ssh-keyscan -p ${port} ${host}`,
      ),
    ],
    [
      /permission denied/i,
      tell(
        'Check user and key_file; the key must work without a passphrase or be in an agent.',
        '请检查 user 和 key_file;密钥必须没有口令,或已加入 agent。',
      ),
    ],
    [/could not resolve|refused|timed out|no route/i, tell('Check host and port.', '请检查 host 和 port。')],
  ];
  const hint = hints.find(([pattern]) => pattern.test(said))?.[1];
  return fail(
    'tool.failed',
    tell(
      `No connection to ${host}: ${said.split('\n').at(-1) || 'it was closed'}`,
      `无法连接 ${host}:${said.split('\n').at(-1) || '连接被关闭'}`,
    ),
    hint,
  );
}
