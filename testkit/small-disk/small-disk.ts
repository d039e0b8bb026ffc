import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of its own under a folder, which only processes that are started with `enter` see. */
export interface SmallDisk {
  /** Put before a command, it runs where the disk is. */
  readonly enter: readonly string[];
  /** A path inside the folder, as this process reaches it. */
  path(...parts: readonly string[]): string;
  /** A script of the shell where the disk is; `$DISK` is the folder. */
  shell(script: string): Promise<string>;
  close(): Promise<void>;
}

export interface DiskOptions {
  readonly kind: 'tmpfs' | 'ext4';
  readonly megabytes: number;
  readonly inodes?: number;
}

const MOUNT = {
  tmpfs: 'mount -t tmpfs -o "size=${MB}m,nr_inodes=${INODES},mode=0700" hermes-test "$DISK"',
  ext4: 'truncate -s "${MB}M" "$IMAGE" && mkfs.ext4 -q -F "$IMAGE" && mount -o loop "$IMAGE" "$DISK"',
};

/**
 * Mounts a small disk over a folder, in a mount namespace of its own that ends with `close`; what lies in the folder is
 * copied onto it. Undefined where mounting is not allowed, or not possible: the test has to say that it is skipped.
 */
export async function openSmallDisk(folder: string, options: DiskOptions): Promise<SmallDisk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const image = `${folder}.image`;
  const holder = spawn('unshare', ['-m', '--propagation', 'private', 'sleep', '3600'], { stdio: 'ignore' });
  const close = async (): Promise<void> => {
    await end(holder);
    await rm(image, { force: true });
  };
  const enter = ['nsenter', '-t', String(holder.pid), '-m', '--'] as const;
  const env = {
    ...process.env,
    DISK: folder,
    IMAGE: image,
    MB: String(options.megabytes),
    INODES: String(options.inodes ?? 10_000),
  };
  const shell = async (script: string): Promise<string> => {
    const [program, ...args] = [...enter, 'sh', '-ec', script] as const;
    return (await run(program, args, { env })).stdout;
  };
  try {
    await once(holder, 'spawn');
    await inOwnNamespace(holder);
    const before = `${folder}.before`;
    await shell(`mkdir '${before}' && cp -a "$DISK/." '${before}'`);
    await shell(MOUNT[options.kind]);
    await shell(`cp -a '${before}/.' "$DISK" && rm -r '${before}'`);
    return { enter, path: (...parts) => join(`/proc/${holder.pid}/root`, folder, ...parts), shell, close };
  } catch {
    // Not allowed here: whoever asked says so.
    await close();
    return undefined;
  }
}

/** `unshare` has to have done its work before anything is mounted: else it would be mounted for everybody. */
async function inOwnNamespace(holder: ChildProcess): Promise<void> {
  const { stdout: mine } = await run('readlink', ['/proc/self/ns/mnt']);
  for (let tries = 0; tries < 200 && holder.exitCode === null; tries++) {
    const { stdout } = await run('readlink', [`/proc/${holder.pid}/ns/mnt`]);
    if (stdout !== mine) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('no namespace of its own');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
