import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findServer, refuseSecondServer } from '#host/served/running-server';
import type { Host, ServerFile } from '#host';
import { fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import type { CliContext } from '../command.ts';
import { serveText } from '../text/serve-text.ts';

/** What the process itself says on standard error, such as why Node ended it. */
const errorFile = ({ home }: Pick<Host, 'home'>): string => join(home.dir('logs'), 'server.err');

const LOOK_MS = 200;
const MOST_MS = 60_000;
const MOST_BYTES = 1024 * 1024;

/** `serve` with these arguments in a process of its own, which stays. Resolves when it answers. */
export async function startDaemon(
  host: Pick<Host, 'home' | 'loaded'>,
  args: readonly string[],
  context: CliContext,
): Promise<ServerFile> {
  const text = serveText[context.language];
  await refuseSecondServer(host);
  mkdirSync(host.home.dir('logs'), { recursive: true, mode: 0o700 });
  const errors = openErrors(errorFile(host));
  const before = fstatSync(errors).size;
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
    if (ended) throw fail('input.conflict', text.endedEarly(await complaint(host, before)));
    if (performance.now() > until || context.signal.aborted) {
      child.kill();
      throw fail('backend.unreachable', text.tooSlow);
    }
    await sleep(LOOK_MS, context.signal);
  }
}

/** Appended to: why an earlier one ended must be there after a restart. When it is long it makes place for a new one. */
function openErrors(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** What it said last, as one line or a few; what stood in the file before is not of it. */
async function complaint(host: Pick<Host, 'home'>, before: number): Promise<string> {
  const said = (await readFile(errorFile(host))).subarray(before).toString();
  return said.trim().split('\n').slice(-4).join('\n');
}
