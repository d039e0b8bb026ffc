import { EventStreamCodec } from '@smithy/eventstream-codec';
import { createParser } from 'eventsource-parser';
import { isRecord } from '#kit/is-record';
import type { Frame, Protocol } from '#spec/ports';

/** Bytes that are not what the framing promises. */
export class BadFrameError extends Error {
  override readonly name = 'BadFrameError';
}

/** An event of a response is never larger than this; more means that the peer is not speaking the protocol. */
const MOST_BYTES = 32 * 1024 * 1024;

type Frames = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Frame>;

export const framings: Readonly<Record<Protocol['framing'], { contentType: string; frames: Frames }>> = {
  sse: { contentType: 'text/event-stream', frames: sseFrames },
  aws_event_stream: { contentType: 'application/vnd.amazon.eventstream', frames: awsFrames },
};

async function* sseFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const ready: Frame[] = [];
  const parser = createParser({
    maxBufferSize: MOST_BYTES,
    onEvent: ({ event, data }) => ready.push(sseFrame(event ?? '', data)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw new BadFrameError('an event is too large');
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* ready.splice(0);
  }
}

/** The end mark of OpenAI-style streams is the one event whose data is not JSON. */
function sseFrame(event: string, data: string): Frame {
  if (data.trim() === '[DONE]') return { event: '[DONE]', data: null };
  return { event, data: parseJson(data) };
}

async function* awsFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const codec = new EventStreamCodec(
    (bytes) => new TextDecoder().decode(bytes as Uint8Array),
    (text) => new TextEncoder().encode(text),
  );
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    rest = rest.length ? concat(rest, chunk) : chunk;
    while (rest.length >= 4) {
      const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
      if (length < 16 || length > MOST_BYTES) throw new BadFrameError(`a frame claims ${length} bytes`);
      if (rest.length < length) break;
      yield awsFrame(codec, rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }
}

function awsFrame(codec: EventStreamCodec, bytes: Uint8Array): Frame {
  let message: ReturnType<EventStreamCodec['decode']>;
  try {
    message = codec.decode(bytes);
  } catch (cause) {
    throw new BadFrameError(cause instanceof Error ? cause.message : 'a frame does not decode', { cause });
  }
  const header = (name: string) => String(message.headers[name]?.value ?? '');
  const text = new TextDecoder().decode(message.body);
  const data = text ? parseJson(text) : {};
  if (header(':message-type') === 'event') return { event: header(':event-type'), data };
  const code = header(':exception-type') || header(':error-code');
  const words = isRecord(data) ? data : {};
  return { event: 'exception', data: { message: header(':error-message'), ...words, code } };
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadFrameError(`an event is not JSON: ${text.slice(0, 80)}`, { cause });
  }
}
