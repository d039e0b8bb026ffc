import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** A span as it came over the wire. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** `gone` cuts every connection, `mute` never answers, `garbage` answers 200 with half a page. */
export type Mood = 'takes' | 'gone' | 'mute' | 'garbage';

export interface ScriptedReceiver {
  readonly env: Readonly<Record<string, string>>;
  mood: Mood;
  /** Everything that was sent while it took it, in order, as often as it came. */
  readonly spans: readonly SentSpan[];
  /** How often somebody came, whatever the mood. */
  readonly requests: number;
}

/** A receiver of OTLP that keeps all that comes, double or not, and behaves as it is told. */
export async function startScriptedReceiver(mood: Mood = 'takes'): Promise<ScriptedReceiver> {
  const spans: SentSpan[] = [];
  const receiver = { env: {}, mood, spans, requests: 0 };
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const raw = Buffer.concat(chunks);
      const packed = incoming.headers['content-encoding'] === 'gzip';
      spans.push(...spansIn((packed ? gunzipSync(raw) : raw).toString()));
      outgoing.end('{}');
    });
  };
  const server = createServer((incoming, outgoing) => {
    receiver.requests++;
    if (receiver.mood === 'takes') return take(incoming, outgoing);
    if (receiver.mood === 'gone') return void incoming.socket.destroy();
    incoming.resume();
    if (receiver.mood === 'mute') return;
    outgoing.writeHead(200, { 'content-length': '100000' });
    outgoing.write('<html>\0', () => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
}

const spansIn = (body: string): readonly SentSpan[] =>
  (
    JSON.parse(body) as {
      readonly resourceSpans: readonly {
        readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
      }[];
    }
  ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
