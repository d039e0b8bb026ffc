import { crc32 } from 'node:zlib';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '#spec/ports';
import { BadFrameError } from './bad-frame.ts';
import { framings } from './frames.ts';

type Framing = keyof typeof framings;

async function framesOf(framing: Framing, chunks: readonly Uint8Array[]): Promise<Frame[]> {
  async function* source() {
    yield* chunks;
  }
  const frames: Frame[] = [];
  for await (const frame of framings[framing].frames(source())) frames.push(frame);
  return frames;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sse = (...chunks: string[]) => framesOf('sse', chunks.map(bytes));

/** The bytes cut at the given places; the pieces are copies, as they would be off a socket. */
function cutAt(whole: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
  return places.slice(1).map((end, index) => whole.slice(places[index], end));
}

const data = fc.oneof(
  fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 12 }), n: fc.integer() }),
  fc.record({ 文: fc.constantFrom('🙂', '连接池', 'é\r\n\t"\\', '\u2028') }),
);

describe('server-sent events', () => {
  it('gives the name and the JSON of each event', async () => {
    expect(await sse('event: ping\ndata: {"a":1}\n\n', 'data: [2]\n\n')).toEqual([
      { event: 'ping', data: { a: 1 } },
      { event: '', data: [2] },
    ]);
  });

  it('joins lines of data, skips comments and other fields, and takes data without a space', async () => {
    const text = ': keep-alive\nid: 7\nretry: 10\ndata: {"a":\ndata:1}\n: again\n\n:\n\n';
    expect(await sse(text)).toEqual([{ event: '', data: { a: 1 } }]);
  });

  it('knows the end mark', async () => {
    expect(await sse('data: {}\n\ndata: [DONE]\n\n')).toEqual([
      { event: '', data: {} },
      { event: '[DONE]', data: null },
    ]);
  });

  it('leaves out an event that the stream breaks off in', async () => {
    expect(await sse('data: {"a":1}\n\ndata: {"b"')).toEqual([{ event: '', data: { a: 1 } }]);
  });

  it('calls data that is not JSON a bad frame, after what came before it', async () => {
    const seen: Frame[] = [];
    const read = async () => {
      async function* source() {
        yield bytes('data: {"a":1}\n\n');
        yield bytes('data: {"b":\n\n');
      }
      for await (const frame of framings.sse.frames(source())) seen.push(frame);
    };
    await expect(read()).rejects.toThrow(BadFrameError);
    expect(seen).toHaveLength(1);
  });

  it('calls an event without end a bad frame', async () => {
    const flood = bytes('a'.repeat(1024 * 1024));
    await expect(framesOf('sse', [bytes('data: '), ...Array<Uint8Array>(34).fill(flood)])).rejects.toThrow(
      BadFrameError,
    );
  });

  it('does not care how the bytes were cut, which line ends are used, or about a byte order mark', async () => {
    const event = fc.record({
      name: fc.constantFrom('', 'delta', 'message_stop'),
      data,
      comment: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.array(fc.nat(2_000), { maxLength: 12 }),
        async (events, eol, mark, cuts) => {
          const lines = events.flatMap(({ name, data: value, comment }) => [
            ...(comment ? [': 池 keep-alive'] : []),
            ...(name ? [`event: ${name}`] : []),
            ...JSON.stringify(value, null, 1)
              .split('\n')
              .map((line) => `data: ${line}`),
            '',
          ]);
          const text = (mark ? '\uFEFF' : '') + lines.map((line) => line + eol).join('');
          const frames = await framesOf('sse', cutAt(bytes(text), cuts));
          expect(frames).toEqual(events.map(({ name, data: value }) => ({ event: name, data: value })));
        },
      ),
      { numRuns: 300 },
    );
  });
});

const codec = new EventStreamCodec(
  (value) => new TextDecoder().decode(value as Uint8Array),
  (text) => bytes(text),
);

function awsBytes(headers: Readonly<Record<string, string>>, body: string): Uint8Array {
  const entries = Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]);
  return codec.encode({ headers: Object.fromEntries(entries), body: bytes(body) });
}

const awsEvent = (type: string, value: unknown): Uint8Array =>
  awsBytes({ ':message-type': 'event', ':event-type': type }, JSON.stringify(value));

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

describe('AWS event streams', () => {
  it('gives the type and the JSON of each event, and takes an empty body for no fields', async () => {
    const empty = awsBytes({ ':message-type': 'event', ':event-type': 'ping' }, '');
    expect(await framesOf('aws_event_stream', [awsEvent('messageStop', { a: '池' }), empty])).toEqual([
      { event: 'messageStop', data: { a: '池' } },
      { event: 'ping', data: {} },
    ]);
  });

  it('gives exceptions and errors with their code and words', async () => {
    const exception = awsBytes(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      '{"message":"Slow down"}',
    );
    const error = awsBytes(
      { ':message-type': 'error', ':error-code': 'Broken', ':error-message': 'It broke' },
      '',
    );
    expect(await framesOf('aws_event_stream', [exception, error])).toEqual([
      { event: 'exception', data: { message: 'Slow down', code: 'throttlingException' } },
      { event: 'exception', data: { message: 'It broke', code: 'Broken' } },
    ]);
  });

  it('does not care how the bytes were cut', async () => {
    const event = fc.record({ event: fc.constantFrom('contentBlockDelta', 'metadata'), data });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 4 }),
        fc.array(fc.nat(2_000), { maxLength: 12 }),
        async (events, cuts) => {
          const whole = joined(events.map((one) => awsEvent(one.event, one.data)));
          expect(await framesOf('aws_event_stream', cutAt(whole, cuts))).toEqual(events);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads a stream that comes byte by byte', async () => {
    const whole = joined([awsEvent('a', { text: '🙂' }), awsEvent('b', {})]);
    const single = Array.from(whole, (_, index) => whole.slice(index, index + 1));
    expect(await framesOf('aws_event_stream', single)).toHaveLength(2);
  });

  it('passes over headers that hold no text', async () => {
    const frame = codec.encode({
      headers: {
        yes: { type: 'boolean', value: true },
        byte: { type: 'byte', value: 1 },
        short: { type: 'short', value: 2 },
        integer: { type: 'integer', value: 3 },
        binary: { type: 'binary', value: bytes('\u0007:event-type') },
        at: { type: 'timestamp', value: new Date(0) },
        uuid: { type: 'uuid', value: '123e4567-e89b-12d3-a456-426614174000' },
        ':message-type': { type: 'string', value: 'event' },
        ':event-type': { type: 'string', value: '池' },
      },
      body: bytes('{}'),
    });
    expect(await framesOf('aws_event_stream', [frame])).toEqual([{ event: '池', data: {} }]);
  });

  it('calls a frame with any flipped byte a bad one', async () => {
    const frame = awsEvent('contentBlockDelta', { delta: { text: 'abc' } });
    for (let index = 0; index < frame.length; index++) {
      const broken = frame.slice();
      broken[index] = (broken[index] as number) ^ 0x01;
      await expect(framesOf('aws_event_stream', [broken])).rejects.toThrow(BadFrameError);
    }
  });

  /** A frame with sound checksums around whatever it claims and holds. */
  function sealed(length: number, headersLength: number, inside: Uint8Array): Uint8Array {
    const frame = Buffer.alloc(16 + inside.length);
    frame.writeUInt32BE(length, 0);
    frame.writeUInt32BE(headersLength, 4);
    frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
    frame.set(inside, 12);
    frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
    return frame;
  }

  it.each([0, 1, 15, 33 * 1024 * 1024, 0xff_ff_ff_ff])(
    'calls a frame of %i bytes a bad one',
    async (length) => {
      await expect(framesOf('aws_event_stream', [sealed(length, 0, bytes(''))])).rejects.toThrow(
        /claims \d+ bytes/,
      );
      await expect(framesOf('aws_event_stream', [sealed(length, 0, bytes(''))])).rejects.toThrow(
        BadFrameError,
      );
    },
  );

  it('takes whatever stands in a sound frame for a frame or a bad one, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.nat(60), async (inside, headersLength) => {
        const frame = sealed(16 + inside.length, headersLength, inside);
        const outcome = await framesOf('aws_event_stream', [frame]).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof BadFrameError).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('calls an event whose body is not JSON a bad frame', async () => {
    const broken = awsBytes({ ':message-type': 'event', ':event-type': 'x' }, '{"a":');
    await expect(framesOf('aws_event_stream', [broken])).rejects.toThrow(BadFrameError);
  });

  it('leaves out a frame that the stream breaks off in', async () => {
    const whole = awsEvent('a', {});
    expect(await framesOf('aws_event_stream', [whole, whole.slice(0, -1)])).toHaveLength(1);
  });
});
