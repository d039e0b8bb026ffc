import { isIP } from 'node:net';
import { connect, type PeerCertificate, rootCertificates, type TLSSocket } from 'node:tls';
import { fail } from '#kit/app-error';
import type { Certificate } from '#spec/ports';
import { checkUrl } from './check-url.ts';
import { networkError } from './network-error.ts';
import { checkedAddresses, type Resolve } from './pinned-connector.ts';
import { unlessAborted } from './unless-aborted.ts';

interface CertificateDeps {
  readonly exceptions: ReadonlySet<string>;
  readonly resolve: Resolve;
  readonly ca: readonly string[] | undefined;
}

/**
 * Shakes hands with a TLS server and closes again, by the same rules about addresses as a request. Nothing is sent, so
 * a certificate that nobody should trust may be looked at: that it is none to trust is told.
 */
export async function readCertificate(
  { host, port, name = host }: { readonly host: string; readonly port: number; readonly name?: string },
  timeoutMs: number,
  signal: AbortSignal,
  { exceptions, resolve, ca }: CertificateDeps,
): Promise<Certificate> {
  const shown = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const target = checkUrl(`https://${shown}/`, exceptions, 'any port');
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let failure: unknown;
  try {
    for (const address of await unlessAborted(limit, checkedAddresses(target, resolve))) {
      const socket = connect({
        host: address,
        port,
        rejectUnauthorized: false,
        ...(isIP(name) ? {} : { servername: name }),
        ...(ca ? { ca: [...rootCertificates, ...ca] } : {}),
      });
      try {
        await unlessAborted(limit, handshake(socket));
        return certificateOf(socket, shown, timeoutMs);
      } catch (error) {
        if (limit.aborted) throw error;
        failure = error;
      } finally {
        socket.destroy();
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    throw fail('tool.failed', `${shown} gave no answer within ${timeoutMs / 1_000} s`);
  }
  throw networkError(failure, shown, timeoutMs);
}

/** A server that closes instead of shaking hands says so by its end alone. */
const handshake = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', resolve);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });

function certificateOf(socket: TLSSocket, shown: string, timeoutMs: number): Certificate {
  const shows: Partial<PeerCertificate> = socket.getPeerCertificate();
  const [validFrom, validTo] = [new Date(shows.valid_from ?? ''), new Date(shows.valid_to ?? '')];
  if (Number.isNaN(validTo.getTime())) throw fail('tool.failed', `${shown} showed no certificate`);
  const named = (who: PeerCertificate['subject'] | undefined) => String(who?.CN ?? who?.O ?? '');
  const why: unknown = socket.authorizationError;
  const code = why instanceof Error ? ((why as NodeJS.ErrnoException).code ?? why.message) : why;
  return {
    address: socket.remoteAddress ?? '',
    protocol: socket.getProtocol() ?? '',
    subject: named(shows.subject),
    issuer: named(shows.issuer),
    names: (shows.subjectaltname ?? '')
      .split(', ')
      .flatMap((one) => /^(?:DNS|IP Address):(.+)$/.exec(one)?.[1] ?? []),
    validFrom,
    validTo,
    ...(socket.authorized ? {} : { distrust: distrustOf(String(code), shown, timeoutMs) }),
  };
}

const distrustOf = (code: string, shown: string, timeoutMs: number) =>
  networkError(Object.assign(new Error(code), { code }), shown, timeoutMs).record;
