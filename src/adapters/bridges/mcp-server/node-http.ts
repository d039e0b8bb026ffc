import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';

const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** A request of Node as one of the web; undefined when its body is too long. */
export async function webRequest(
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<Request | undefined> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  const { method = 'GET' } = incoming;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too long is still read to its end: the answer would not arrive otherwise.
    if (size <= MOST_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MOST_BODY_BYTES) return undefined;
  // The host of the address is checked on the header: it must not be able to lead anywhere here.
  const url = new URL(incoming.url?.startsWith('/') ? incoming.url : '/', 'http://127.0.0.1');
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) };
  return new Request(url, { method, headers, signal, ...body });
}

export async function answerWith(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  // A stream may have nothing to say for a long time; its client should know that it is there.
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  // A client that has left needs no answer; what its stream says about that is heard where it is read.
  const stop = () => void reader.cancel().catch(() => undefined);
  outgoing.once('close', stop);
  for (let part = await reader.read(); !part.done; part = await reader.read())
    if (!outgoing.write(part.value) && !outgoing.destroyed)
      await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')]);
  outgoing.end();
}
