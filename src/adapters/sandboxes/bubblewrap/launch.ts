import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';

/** The descriptors of a `bwrap` that we start. 3 is the pipe for the working folder. */
export const DESCRIPTORS = { info: 4, arguments: 5, seccomp: 6, relay: 7 } as const;

/** What every command is started with, whatever it may see. */
export const BARRIERS: readonly string[] = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--clearenv',
  '--hostname',
  'sandbox',
  '--chdir',
  '/',
  '--seccomp',
  String(DESCRIPTORS.seccomp),
];

export const environmentArguments = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]);

/** Lets the relay of a command end. */
export function endRelay(child: ChildProcess): void {
  const streams: readonly unknown[] = child.stdio;
  const pipe = streams[DESCRIPTORS.relay];
  if (!(pipe instanceof Writable)) return;
  // It may be gone already.
  pipe.on('error', () => pipe.destroy());
  pipe.end();
}

/** Hands over options where no other user of this machine can read them. */
export function sendArguments(child: ChildProcess, options: readonly string[]): void {
  const streams: readonly unknown[] = child.stdio;
  const pipe = streams[DESCRIPTORS.arguments];
  if (!(pipe instanceof Writable)) return;
  // Only a bwrap that ended already does not read them; its code says why.
  pipe.on('error', () => pipe.destroy());
  pipe.end(options.map((option) => `${option}\0`).join(''));
}

/** The process that all others of the sandbox die with: the first one of its namespace. Undefined if it never was. */
export function firstProcess(child: ChildProcess): Promise<number | undefined> {
  const pipe = child.stdio[DESCRIPTORS.info];
  return new Promise((resolve) => {
    if (!(pipe instanceof Readable)) return resolve(undefined);
    let text = '';
    const look = () => {
      const pid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
      if (pid) resolve(Number(pid));
    };
    pipe.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
      look();
    });
    pipe.on('error', () => pipe.destroy());
    pipe.once('close', () => resolve(undefined));
  });
}
