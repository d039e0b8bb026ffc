import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { fail } from '#kit/app-error';
import type { AnchoredHead, HeadAnchor } from '#spec/ports';

const TAG = 'hermes-audit';
/** Facility `authpriv`, severity `notice`. */
const PRIORITY = 10 * 8 + 5;
const TIMEOUT_MS = 5_000;

const words = ({ home, seq, hash }: AnchoredHead): string =>
  `head seq=${seq} hash=${hash} home=${JSON.stringify(home)}`;

/** The log of this machine, by the program that everybody has: sockets of datagrams to a path are not Node's. */
export const programAnchor = (): HeadAnchor => ({
  tell: async (head) => {
    try {
      const args = ['-t', TAG, '-p', 'authpriv.notice', '--', words(head)];
      await promisify(execFile)('logger', args, { timeout: TIMEOUT_MS });
    } catch (cause) {
      throw fail(
        'backend.unreachable',
        `logger: ${(cause as Error).message.split('\n')[0]}`,
        undefined,
        cause,
      );
    }
  },
});

/** RFC 5424 over UDP. Nobody answers: what is lost on the way is not seen here. */
export const udpAnchor = ({ host, port }: { readonly host: string; readonly port: number }): HeadAnchor => ({
  tell: (head) =>
    new Promise((resolve, reject) => {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      const line = `<${PRIORITY}>1 ${head.at} ${hostname()} ${TAG} ${process.pid} - - ${words(head)}`;
      socket.once('error', (cause) => {
        socket.close();
        reject(fail('backend.unreachable', `syslog ${host}:${port}: ${cause.message}`, undefined, cause));
      });
      socket.send(line, port, host, (cause) => {
        if (cause) return socket.emit('error', cause);
        socket.close();
        resolve();
      });
    }),
});
