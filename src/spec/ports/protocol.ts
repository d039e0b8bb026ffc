import type { ModelInfo, ModelRequest, ProtocolId, Replay, StopReason, Usage } from '#spec/data';
import type { ChatDialect } from './provider.ts';

/** One decoded frame of a response stream. `event` is empty where the framing names none. */
export interface Frame {
  readonly event: string;
  readonly data: unknown;
}

/** The vendor's own words for a failure, before they are sorted into our codes. */
export interface VendorError {
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
}

/** What a decoder reads out of a frame. Parts arrive in the order in which they belong in the message. */
export type WireEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Closes the thinking part (or makes an empty one) and attaches what must be replayed with it. */
  | { readonly type: 'thinking_end'; readonly replay?: Replay }
  | {
      readonly type: 'tool_start';
      readonly key: string | number;
      readonly id: string;
      readonly name: string;
      readonly replay?: Replay;
    }
  | { readonly type: 'tool_arguments'; readonly key: string | number; readonly text: string }
  | { readonly type: 'tool_end'; readonly key: string | number }
  | { readonly type: 'usage'; readonly usage: Partial<Usage> }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'error'; readonly error: VendorError }
  /** The vendor said that the response is whole. A stream that ends without it was cut. */
  | { readonly type: 'complete' };

export interface Decoder {
  push(frame: Frame): readonly WireEvent[];
}

export interface WireRequest {
  /** Appended to the endpoint's base URL. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an encoder may know of where the request goes. */
export interface WireTarget {
  readonly info: ModelInfo;
  readonly dialect: ChatDialect;
}

/** One wire shape. Pure: it turns requests into bodies and frames into events, and opens no connection. */
export interface Protocol {
  readonly id: ProtocolId;
  readonly framing: 'sse' | 'aws_event_stream';
  encode(request: ModelRequest, target: WireTarget): WireRequest;
  decoder(): Decoder;
  /** Reads the body of a response that is not a stream. */
  vendorError(body: unknown): VendorError;
}

export const defineProtocol = (protocol: Protocol): Protocol => protocol;
