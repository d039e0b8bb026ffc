import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { sleep } from '#kit/sleep';
import type { FaultSpec } from './fault-spec.ts';
import type { Framing } from './framing.ts';
import type { Frame } from './framing.ts';

/** A response as it will go out, byte by byte, with what goes wrong on the way. */
export type Outgoing =
  | { readonly kind: 'body'; readonly status: number; readonly type: string; readonly text: string }
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'frames';
      readonly framing: Framing;
      readonly frames: readonly Frame[];
      readonly delayMs: number;
      readonly fault?: FaultSpec;
      /** The vendor's error frame, given the frames that were sent before it. */
      readonly failed: (sent: readonly Frame[]) => Frame;
    };

type Frames = Extract<Outgoing, { kind: 'frames' }>;

/** Frames before a fault that does not say how many. */
const DEFAULT_AFTER = 4;

/**
 * The place of the frame at which a fault strikes. Unasked, that is before anything that says the response is
 * over; asked, it is at the latest the last frame.
 */
function strikesAt(fault: FaultSpec, frames: readonly Frame[]): number {
  if (fault.afterFrames !== undefined) return Math.min(fault.afterFrames, Math.max(0, frames.length - 1));
  const final = frames.findIndex((frame) => frame.final === true);
  return Math.min(DEFAULT_AFTER, final < 0 ? frames.length : final);
}

/** Resolves when the bytes are with the operating system, so that what follows cannot overtake them. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a few bytes at a time, each time after the reader had a chance to take the ones before. */
async function dribble(response: ServerResponse, bytes: Uint8Array, size: number): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await write(response, bytes.subarray(at, at + size));
    await nextTick();
  }
}

/** The first faulty frame in place of the right one, and whether the response goes on after it. */
async function strike(
  response: ServerResponse,
  outgoing: Frames,
  fault: FaultSpec,
  at: number,
): Promise<boolean> {
  const frame = outgoing.frames[at] ?? { event: '', data: '{}' };
  switch (fault.kind) {
    case 'cut':
      await nextTick();
      response.socket?.destroy();
      return false;
    case 'stall':
      if (!response.destroyed) await once(response, 'close');
      return false;
    case 'bad_json':
      await write(response, outgoing.framing.malformed(frame));
      return true;
    case 'bad_frame':
      await write(response, outgoing.framing.damaged(frame));
      return true;
    case 'error_in_stream':
      await write(response, outgoing.framing.encode(outgoing.failed(outgoing.frames.slice(0, at))));
      response.end();
      return false;
    default:
      response.end();
      return false;
  }
}

const STRIKES = new Set(['cut', 'end_early', 'stall', 'bad_json', 'bad_frame', 'error_in_stream', 'empty']);

async function sendFrames(response: ServerResponse, outgoing: Frames, signal: AbortSignal): Promise<void> {
  const { frames, framing, fault, delayMs } = outgoing;
  const struck = fault && STRIKES.has(fault.kind) ? fault : undefined;
  const at = struck ? (struck.kind === 'empty' ? 0 : strikesAt(struck, frames)) : -1;
  response.writeHead(200, { 'content-type': framing.contentType, 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const [index, frame] of frames.entries()) {
    if (response.destroyed || (index > 0 && delayMs > 0 && !(await sleep(delayMs, signal)))) return;
    if (struck && index === at) {
      if (!(await strike(response, outgoing, struck, at))) return;
    } else {
      const bytes = framing.encode(frame);
      await (fault?.kind === 'dribble' ? dribble(response, bytes, fault.bytes ?? 1) : write(response, bytes));
    }
  }
  response.end();
}

/** Sends it and resolves when nothing more will be sent. A client that has left is no error. */
export async function sendResponse(
  response: ServerResponse,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (outgoing.kind === 'silence') {
      if (!response.destroyed) await once(response, 'close');
    } else if (outgoing.kind === 'body') {
      response.writeHead(outgoing.status, { 'content-type': outgoing.type });
      response.end(outgoing.text);
    } else {
      await sendFrames(response, outgoing, signal);
    }
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}
