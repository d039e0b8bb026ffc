import { execFile, execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const run = promisify(execFile);

/** Whether there is a tmux to run programs in. Without one, whoever asks says so and skips. */
export const hasTmux = ((): boolean => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('tmux is not installed: the tests on a real terminal are skipped');
    return false;
  }
})();

export interface Pane {
  /** Keys as tmux names them; other words are typed. */
  keys(...keys: readonly string[]): Promise<void>;
  /** A bracketed paste. */
  paste(text: string): Promise<void>;
  /** What is on the screen, without the empty lines at its end. */
  screen(): Promise<string>;
  /** The same with the scrollback before it. */
  everything(): Promise<string>;
  /** Waits until the screen satisfies; fails with the last screen. */
  until(wanted: RegExp | ((screen: string) => boolean)): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
}

export interface PaneOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const MOST_MS = 8_000;
const servers: string[] = [];
let count = 0;
// A server whose program has left may be gone already.
afterAll(() => Promise.all(servers.map((each) => tmux(each, 'kill-server').catch(() => ''))));

/** Runs a command line in a terminal of its own, on a tmux server of its own. */
export async function openPane(command: string, options: PaneOptions = {}): Promise<Pane> {
  const server = `hermes-test-${process.pid}-${++count}`;
  const { columns = 80, rows = 24, env = {}, cwd } = options;
  servers.push(server);
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  // The shell stays, so that what a program leaves on the screen can be read.
  const line = `trap : INT; ${variables.join(' ')} ${command}; echo "[left with $?]"; exec cat`;
  const size = ['-x', `${columns}`, '-y', `${rows}`, ...(cwd ? ['-c', cwd] : [])];
  await tmux(
    server,
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    'pane',
    ...size,
    `sh -c '${line.replaceAll("'", `'\\''`)}'`,
  );
  const capture = async (...more: readonly string[]) =>
    (await tmux(server, 'capture-pane', '-p', '-t', 'pane', ...more)).trimEnd();

  const pane: Pane = {
    keys: async (...keys) => {
      for (const key of keys) await tmux(server, 'send-keys', '-t', 'pane', key);
    },
    paste: async (text) => {
      await tmux(server, 'set-buffer', '--', text);
      await tmux(server, 'paste-buffer', '-p', '-t', 'pane');
    },
    screen: () => capture(),
    everything: () => capture('-S', '-'),
    until: async (wanted) => {
      const fits = typeof wanted === 'function' ? wanted : (screen: string) => wanted.test(screen);
      const end = Date.now() + MOST_MS;
      for (;;) {
        const screen = await capture();
        if (fits(screen)) return screen;
        if (Date.now() > end) throw new Error(`never saw ${String(wanted)} on\n${screen}`);
        await delay(25);
      }
    },
    resize: async (width, height) => {
      await tmux(server, 'resize-window', '-t', 'pane', '-x', `${width}`, '-y', `${height}`);
    },
  };
  return pane;
}

const tmux = async (server: string, ...args: readonly string[]): Promise<string> =>
  (await run('tmux', ['-L', server, ...args])).stdout;
