import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inodeIn, peerProcess } from './peer-process.ts';

describe('the process at the other end', () => {
  it.skipIf(process.platform !== 'linux').each(['127.0.0.1', '::1'])('is found over %s', async (host) => {
    const server = createServer();
    onTestFinished(() => void server.close());
    server.listen(0, host);
    const here = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (!here) return;
    const { port } = server.address() as AddressInfo;
    const script = `require('node:net').connect(${port}, '${host}').resume()`;
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [socket] = (await once(server, 'connection')) as [Socket];
    onTestFinished(() => void socket.destroy());
    expect(peerProcess(socket.remotePort ?? 0, port)).toBe(child.pid);
    expect(peerProcess(port, port)).toBeUndefined();
  });

  it('is read from the table of the kernel by both ports', () => {
    const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1
   1: 0100007F:1F40 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 222 1
   2: 0100007F:C350 0100007F:1F40 01 00000000:00000000 00:00000000 00000000     0        0 333 1
   3: 0100007F:C351 0100007F:1F40 06 00000000:00000000 00:00000000 00000000     0        0 0 1`;
    expect(inodeIn(table, 50_000, 8_000)).toBe('333');
    expect(inodeIn(table, 50_001, 8_000)).toBeUndefined();
    expect(inodeIn(table, 50_002, 8_000)).toBeUndefined();
  });
});
