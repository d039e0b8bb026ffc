import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { ProtocolId } from '#spec/data';

/** A request of each protocol in its plainest form, for tests that look at bytes and not through an SDK. */
export const RAW_REQUESTS: Record<ProtocolId, { path: string; body: Record<string, unknown> }> = {
  chat_completions: {
    path: '/v1/chat/completions',
    body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] },
  },
  codex_responses: { path: '/v1/responses', body: { model: 'm', stream: true, input: 'hello' } },
  anthropic_messages: {
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hello' }] },
  },
  bedrock_converse: {
    path: '/model/m/converse-stream',
    body: { messages: [{ role: 'user', content: [{ text: 'hello' }] }] },
  },
};

export interface RawCall {
  /** Resolves with the head of the response. */
  readonly head: Promise<{ status: number; headers: IncomingHttpHeaders }>;
  /** Resolves when at least this many frames have arrived. */
  frames(count: number): Promise<void>;
  /** Resolves when the response is over, whether it ended or was cut. */
  readonly over: Promise<{ bytes: Buffer; cut: boolean }>;
  readonly isOver: () => boolean;
  abandon(): void;
}

/** How many whole frames the bytes hold. */
export function countFrames(protocol: ProtocolId, bytes: Buffer): number {
  if (protocol !== 'bedrock_converse') return bytes.toString('latin1').split('\n\n').length - 1;
  let count = 0;
  for (let at = 0; at + 4 <= bytes.length; at += bytes.readUInt32BE(at)) {
    if (at + bytes.readUInt32BE(at) > bytes.length) break;
    count++;
  }
  return count;
}

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => new Uint8Array(Buffer.from(text)),
);

/** The name and payload of every frame. Throws on a frame that is damaged. */
export function readFrames(protocol: ProtocolId, bytes: Buffer): readonly { event: string; data: string }[] {
  if (protocol !== 'bedrock_converse') {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text
      .split('\n\n')
      .slice(0, -1)
      .map((block) => ({
        event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
        data: /^data: (.*)$/m.exec(block)?.[1] ?? '',
      }));
  }
  const found: { event: string; data: string }[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const message = codec.decode(bytes.subarray(at, at + bytes.readUInt32BE(at)));
    const name = message.headers[':event-type'] ?? message.headers[':exception-type'];
    found.push({ event: String(name?.value), data: Buffer.from(message.body).toString() });
  }
  return found;
}

/** Sends a request and lets a test watch the response arrive. */
export function rawCall(
  url: string,
  protocol: ProtocolId,
  options: { headers?: Record<string, string>; body?: Record<string, unknown>; path?: string } = {},
): RawCall {
  const plain = RAW_REQUESTS[protocol];
  const head = Promise.withResolvers<{ status: number; headers: IncomingHttpHeaders }>();
  const over = Promise.withResolvers<{ bytes: Buffer; cut: boolean }>();
  const waiting = new Set<() => void>();
  let bytes = Buffer.alloc(0);
  let ended = false;

  const settle = (cut: boolean) => {
    ended = true;
    over.resolve({ bytes, cut });
  };
  const sent = request(url + (options.path ?? plain.path), {
    method: 'POST',
    agent: false,
    headers: options.headers ?? {},
  });
  sent.on('response', (response: IncomingMessage) => {
    head.resolve({ status: response.statusCode ?? 0, headers: response.headers });
    response.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (const check of waiting) check();
    });
    response.on('end', () => settle(false));
    response.on('error', () => settle(true));
  });
  sent.on('error', (error) => {
    head.reject(error);
    settle(true);
  });
  head.promise.catch(() => undefined);
  sent.end(JSON.stringify(options.body ?? plain.body));

  return {
    head: head.promise,
    over: over.promise,
    isOver: () => ended,
    frames: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (countFrames(protocol, bytes) < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    abandon: () => sent.destroy(),
  };
}

/** The whole response to a request. */
export async function rawAnswer(...args: Parameters<typeof rawCall>) {
  const call = rawCall(...args);
  const { status, headers } = await call.head;
  const { bytes, cut } = await call.over;
  return { status, headers, bytes, cut, text: bytes.toString() };
}
