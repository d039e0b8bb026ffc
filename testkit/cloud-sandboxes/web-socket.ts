import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const BINARY = 0x82;
const CLOSE = 0x88;

export interface ServerSocket {
  send(bytes: Uint8Array): void;
  /** An orderly end. */
  close(code: number): void;
  /** The line is cut. */
  cut(): void;
  readonly closed: boolean;
}

/** The serving side of a WebSocket that only sends. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex): ServerSocket {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}${MAGIC}`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let closed = false;
  const finish = () => {
    closed = true;
  };
  socket.on('close', finish).on('error', finish).on('end', finish).resume();
  return {
    get closed() {
      return closed;
    },
    send: (bytes) => void (closed || socket.write(frame(BINARY, bytes))),
    close: (code) => {
      if (closed) return;
      closed = true;
      socket.end(frame(CLOSE, Buffer.from([code >> 8, code & 0xff])));
    },
    cut: () => {
      closed = true;
      socket.destroy();
    },
  };
}

function frame(kind: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10);
  head[0] = kind;
  if (bytes.length < 126) head[1] = bytes.length;
  else if (bytes.length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(bytes.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(bytes.length), 2);
  }
  return Buffer.concat([head, bytes]);
}
