import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findServer, type Host, refuseSecondServer, type ServerFile } from '#host';
import { fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import type { CliContext } from '../command.ts';
import { serveText } from '../text/serve-text.ts';
import { serverErrorFile } from './server-log-file.ts';

const LOOK_MS = 200;
const MOST_MS = 60_000;

/** `serve` with these arguments in a process of its own, which stays. Resolves when it answers. */
export async function startDaemon(
  host: Host,
  args: readonly string[],
  context: CliContext,
): Promise<ServerFile> {
  const text = serveText[context.language];
  await refuseSecondServer(host);
  mkdirSync(host.home.dir('logs'), { recursive: true, mode: 0o700 });
  const errors = openSync(serverErrorFile(host), 'w', 0o600);
  const profile = context.profile === undefined ? [] : ['--profile', context.profile];
  const child = spawn(
    process.execPath,
    [...process.execArgv, process.argv[1] ?? '', ...profile, 'serve', ...args],
    { detached: true, stdio: ['ignore', 'ignore', errors], env: process.env },
  );
  closeSync(errors);
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', () => (ended = true));
  const until = performance.now() + MOST_MS;
  for (;;) {
    const found = await findServer(host);
    if (found.state === 'running' && found.server.pid === child.pid) {
      child.unref();
      return found.server;
    }
    if (ended) throw fail('input.conflict', text.endedEarly(await complaint(host)));
    if (performance.now() > until || context.signal.aborted) {
      child.kill();
      throw fail('backend.unreachable', text.tooSlow);
    }
    await sleep(LOOK_MS, context.signal);
  }
}

/** What it said last, as one line or a few. */
async function complaint(host: Host): Promise<string> {
  const said = await readFile(serverErrorFile(host), 'utf8').catch(() => '');
  return said.trim().split('\n').slice(-4).join('\n');
}
