import { connect, isIP } from 'node:net';
import { fail } from '#kit/app-error';
import type { Reached } from '#spec/ports';
import { checkUrl } from './check-url.ts';
import { networkError } from './network-error.ts';
import { checkedAddresses, type Resolve } from './pinned-connector.ts';

interface ReachDeps {
  readonly exceptions: ReadonlySet<string>;
  readonly resolve: Resolve;
}

/** Opens a TCP connection and closes it again, by the same rules about addresses as a request. Nothing is sent. */
export async function reachPort(
  host: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
  { exceptions, resolve }: ReachDeps,
): Promise<Reached> {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const target = checkUrl(`http://${name}:${port}/`, exceptions, 'any port');
  const begun = performance.now();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let failure: unknown;
  for (const address of await checkedAddresses(target, resolve)) {
    try {
      await touch(address, port, limit);
      return { address, ms: performance.now() - begun };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw fail('tool.failed', `${name}:${port} gave no answer within ${timeoutMs} ms`);
      failure = error;
    }
  }
  throw networkError(failure, `${name}:${port}`, timeoutMs);
}

function touch(address: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
