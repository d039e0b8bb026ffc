import { EventStreamCodec } from '@smithy/eventstream-codec';

/** One event of a response stream, before framing. `data` that is a string is sent as it stands. */
export interface Frame {
  readonly event: string;
  readonly data: unknown;
  readonly exception?: boolean;
  /** The response is over for a client that has seen this frame. */
  readonly final?: boolean;
}

/** How frames become bytes, and how they become bytes that a reader must not accept. */
export interface Framing {
  readonly contentType: string;
  encode(frame: Frame): Uint8Array;
  /** The frame with a payload that is not JSON. */
  malformed(frame: Frame): Uint8Array;
  /** The frame damaged on the way. */
  damaged(frame: Frame): Uint8Array;
}

const payload = (frame: Frame) => (typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data));

/** JSON with its end torn off. */
const torn = (json: string) => (json.length > 2 ? json.slice(0, Math.ceil(json.length / 2)) : '{"torn": ');

const RUBBISH = Uint8Array.of(0xff, 0x00, 0xfe, 0x80, 0xc3, 0x28, 0x00, 0x1b);

/** Overwrites the middle with bytes that are neither UTF-8 nor JSON. */
function withRubbish(text: string, from: number): Uint8Array {
  const bytes = Buffer.from(text);
  const room = bytes.length - from;
  if (room < RUBBISH.length + 4)
    return Buffer.concat([bytes.subarray(0, from), RUBBISH, Buffer.from('\n\n')]);
  bytes.set(RUBBISH, from + Math.floor((room - RUBBISH.length) / 2));
  return bytes;
}

const sseEvent = (event: string, data: string) => `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`;

export const sseFraming: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  encode: (frame) => Buffer.from(sseEvent(frame.event, payload(frame))),
  malformed: (frame) => Buffer.from(sseEvent(frame.event, torn(payload(frame)))),
  damaged(frame) {
    const text = sseEvent(frame.event, payload(frame));
    return withRubbish(text, text.indexOf('data: ') + 'data: '.length);
  },
};

/** A response that is not a stream: its one frame is the body. */
export const jsonFraming: Framing = {
  contentType: 'application/json',
  encode: (frame) => Buffer.from(payload(frame)),
  malformed: (frame) => Buffer.from(torn(payload(frame))),
  damaged: (frame) => withRubbish(payload(frame), 0),
};

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => new Uint8Array(Buffer.from(text)),
);

function awsMessage(frame: Frame, body: string): Uint8Array {
  const kind = frame.exception ? 'exception' : 'event';
  return codec.encode({
    headers: {
      [`:${kind}-type`]: { type: 'string', value: frame.event },
      ':content-type': { type: 'string', value: 'application/json' },
      ':message-type': { type: 'string', value: kind },
    },
    body: new Uint8Array(Buffer.from(body)),
  });
}

export const awsFraming: Framing = {
  contentType: 'application/vnd.amazon.eventstream',
  encode: (frame) => awsMessage(frame, payload(frame)),
  malformed: (frame) => awsMessage(frame, torn(payload(frame))),
  damaged(frame) {
    const bytes = Uint8Array.from(awsMessage(frame, payload(frame)));
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] as number) ^ 0xff;
    return bytes;
  },
};
