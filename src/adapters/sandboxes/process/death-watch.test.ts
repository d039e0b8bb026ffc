import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryPlace } from '#testkit/sandbox';

const LOCAL = join(import.meta.dirname, '..', 'local.ts');

/** Living processes that sleep for exactly so many seconds. */
function sleepers(seconds: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid)) return false;
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        return line === `sleep\0${seconds}\0` && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      } catch {
        // It ended between two looks.
        return false;
      }
    });
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const ends = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > ends) throw new Error(`this did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A process that runs a command on this machine and waits for it. */
async function running(command: string): Promise<ChildProcess> {
  const { place, close } = await temporaryPlace();
  onTestFinished(close);
  const script = `
    const { accessSync } = await import('node:fs');
    const { sandbox } = await import(${JSON.stringify(LOCAL)});
    const program = (name) => ['/usr/bin/', '/bin/'].map((dir) => dir + name).find((path) => {
      try { accessSync(path); return true; } catch { return false; }
    });
    const place = { ...${JSON.stringify({ ...place, env: { PATH: process.env['PATH'] } })}, program, key: () => undefined };
    const open = await sandbox.open(sandbox.options.parse({}), place);
    const spec = { command: ${JSON.stringify(command)}, timeoutMs: 1e6, maxOutputBytes: 1e6 };
    const command = await open.start(spec, new AbortController().signal);
    for await (const { text } of command.output) process.stdout.write(text);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) if (line === 'ready') return child;
  throw new Error('the command did not start');
}

describe.skipIf(process.platform !== 'linux')('a Hermes that is killed', () => {
  it.each([
    ['a plain child', (s: number) => `sleep ${s} & echo ready; wait`],
    ['one in a session of its own', (s: number) => `setsid -f sleep ${s}; echo ready; sleep ${s}`],
    [
      'a fork of a fork without its environment',
      (s: number) => `(env -i setsid -f sleep ${s} &) ; sleep 0.2; echo ready; sleep ${s}`,
    ],
    [
      'one that hears no signal',
      (s: number) => `trap '' TERM HUP INT; setsid -f sleep ${s}; echo ready; sleep ${s}`,
    ],
  ])(
    'leaves %s of its commands running no longer',
    async (name, command) => {
      const seconds = 900_000 + name.length * 100 + (process.pid % 100);
      onTestFinished(() => {
        for (const pid of sleepers(seconds)) process.kill(pid, 'SIGKILL');
      });
      const child = await running(command(seconds));
      await until('the command runs', () => sleepers(seconds).length > 0);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await until('nothing is left', () => sleepers(seconds).length === 0);
      expect(sleepers(seconds)).toEqual([]);
    },
    60_000,
  );
});
