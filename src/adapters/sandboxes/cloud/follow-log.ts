import { WebSocket } from 'undici';

export interface LogRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const ORDERLY = 1_000;

/**
 * Follows a log over a WebSocket from its beginning. Resolves to true when the other side closed it in order, to false
 * when the line was cut or whoever asked has left.
 */
export function followLog(
  { url, headers, signal }: LogRequest,
  onBytes: (bytes: Uint8Array) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const socket = new WebSocket(url, { headers: { ...headers } });
    socket.binaryType = 'arraybuffer';
    const finish = (orderly: boolean) => {
      signal.removeEventListener('abort', leave);
      resolve(orderly);
    };
    const leave = () => {
      finish(false);
      socket.close();
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      if (signal.aborted) return;
      onBytes(typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data as ArrayBuffer));
    });
    socket.addEventListener('error', () => finish(false));
    socket.addEventListener('close', ({ code }: { code: number }) => finish(code === ORDERLY));
  });
}
