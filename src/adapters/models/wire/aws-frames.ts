import { crc32 } from 'node:zlib';
import { isRecord } from '#kit/is-record';
import type { Frame } from '#spec/ports';
import { BadFrameError, MOST_FRAME_BYTES, parseFrameJson } from './bad-frame.ts';

/** Total length, length of the headers, checksum of both. */
const PRELUDE = 12;
const CHECKSUM = 4;

/** Bytes that a header value of each fixed-size type takes; types 6 and 7 (bytes, text) carry their length. */
const VALUE_SIZES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TEXT = 7;

/**
 * Messages of `application/vnd.amazon.eventstream`. An exception or error becomes a frame named `exception`.
 * Written out here because the vendor's codec takes longer to load than all of Hermes.
 */
export async function* awsFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= PRELUDE) {
      const length = rest.readUInt32BE(0);
      if (crc32(rest.subarray(0, 8)) !== rest.readUInt32BE(8))
        throw new BadFrameError('the start of a frame is damaged');
      if (length < PRELUDE + CHECKSUM || length > MOST_FRAME_BYTES)
        throw new BadFrameError(`a frame claims ${length} bytes`);
      if (rest.length < length) break;
      yield readFrame(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }
}

function readFrame(bytes: Buffer): Frame {
  const end = bytes.length - CHECKSUM;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end))
    throw new BadFrameError('a frame is damaged');
  const bodyAt = PRELUDE + bytes.readUInt32BE(4);
  if (bodyAt > end) throw new BadFrameError('the headers of a frame are longer than the frame');
  const headers = readHeaders(bytes.subarray(PRELUDE, bodyAt));
  const text = bytes.subarray(bodyAt, end).toString('utf8');
  const data = text ? parseFrameJson(text) : {};
  if (headers.get(':message-type') === 'event') return { event: headers.get(':event-type') ?? '', data };
  const code = headers.get(':exception-type') ?? headers.get(':error-code') ?? '';
  const message = headers.get(':error-message') ?? '';
  return { event: 'exception', data: { message, ...(isRecord(data) ? data : {}), code } };
}

/** The headers that hold text; the others are passed over. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes[nameEnd] ?? -1;
    const fixed = VALUE_SIZES[type];
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    if (start > bytes.length) throw new BadFrameError('a header of a frame is cut off');
    const next = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (next > bytes.length) throw new BadFrameError('a header of a frame is cut off');
    if (type === TEXT) headers.set(name, bytes.toString('utf8', start, next));
    at = next;
  }
  return headers;
}
