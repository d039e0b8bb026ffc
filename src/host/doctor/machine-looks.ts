import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Host } from '../open-host.ts';
import { findServer } from '../served/running-server.ts';
import type { DoctorText, Finding } from '#app/doctor';

const LITTLE_BYTES = 1_000_000_000;
const TOO_LITTLE_BYTES = 100_000_000;
const TOO_FEW_FILES = 1_000;

/** Room for what Hermes writes. */
export async function lookAtDisk({ home }: Pick<Host, 'home'>, text: DoctorText): Promise<Finding> {
  const { bavail, bsize, ffree, files } = await statfs(home.root).catch(() => statfs(dirname(home.base)));
  const bytes = bavail * bsize;
  // Some file systems count no files.
  const fewFiles = files > 0 && ffree < TOO_FEW_FILES;
  const detail = text.free(`${(bytes / 1e9).toFixed(1)} GB`, files > 0 ? ffree.toLocaleString('en') : '∞');
  if (bytes < TOO_LITTLE_BYTES || fewFiles) return { state: 'bad', detail, fix: text.full };
  return { state: bytes < LITTLE_BYTES ? 'warn' : 'good', detail };
}

/** Whether `hermes serve` could listen, or does. */
export async function lookAtPort(host: Pick<Host, 'home' | 'loaded'>, text: DoctorText): Promise<Finding> {
  const { host: address, port } = host.loaded.config.server;
  const found = await findServer(host);
  if (found.state !== 'absent') return { state: 'good', detail: text.served(found.server.url) };
  const shown = `${address}:${port}`;
  const server = createServer();
  try {
    server.listen(port, address);
    await once(server, 'listening');
    return { state: 'good', detail: text.portFree(shown) };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    return { state: 'bad', detail: text.portTaken(shown), fix: text.portFix };
  } finally {
    server.close();
  }
}
