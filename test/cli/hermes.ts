import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'hermes');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called with everything printed so far, and a way to send a signal. */
  readonly onOutput?: (printed: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** A home of its own under the system's temporary folder, removed when the file's tests are over. */
export async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'hermes-cli-'));
  afterAll(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** Runs the real command through its launcher. Nothing of the caller's environment but PATH reaches it. */
export function hermes(home: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      HERMES_HOME: home,
      LANG: 'C',
      NO_COLOR: '1',
      ...options.env,
    };
    const child = spawn(LAUNCHER, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    const tell = () => options.onOutput?.(out + err, (signal) => child.kill(signal));
    child.stdout.on('data', (data) => {
      out += String(data);
      tell();
    });
    child.stderr.on('data', (data) => {
      err += String(data);
      tell();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(options.input ?? '');
  });
}
