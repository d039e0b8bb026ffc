import type { ProtocolId, StopReason, Usage } from '#spec/data';
import type { Frame, Framing } from './framing.ts';
import type { Seals } from './seals.ts';

export interface NormalCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A message in the one form that rules are matched against. A tool message answers exactly one call. */
export interface NormalMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly NormalCall[];
  readonly images: number;
  /** Of a tool message: which call it answers, and the tool's name where the request tells. */
  readonly callId?: string;
  readonly toolName?: string;
}

export type CacheTtl = '5m' | '1h';

/** A stretch of the prompt. A cached prefix ends at a piece; `cache` marks where the client asks for that. */
export interface Piece {
  readonly key: string;
  readonly tokens: number;
  cache?: CacheTtl;
}

/** What every protocol's request body is turned into. */
export interface NormalRequest {
  readonly protocol: ProtocolId;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly NormalMessage[];
  readonly tools: readonly string[];
  readonly stream: boolean;
  readonly cacheKey?: string;
  /** In the order in which vendors build the prompt: tools, system, messages. */
  readonly pieces: readonly Piece[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** A reply with nothing left open. */
export interface Answer {
  readonly thinking: string;
  readonly signature: string;
  readonly redactedThinking: string;
  readonly text: string;
  readonly calls: readonly NormalCall[];
  readonly stop: StopReason;
  readonly usage: Usage;
  /** Of `usage.cacheWrite`, the part kept for an hour. */
  readonly cacheWrite1h: number;
  readonly chunk: number;
  readonly delayMs: number;
  readonly thinkingField: 'reasoning_content' | 'reasoning';
}

export type FailureKind =
  | 'rate_limit'
  | 'server_error'
  | 'overloaded'
  | 'auth'
  | 'billing'
  | 'forbidden'
  | 'not_found'
  | 'context_overflow'
  | 'too_large'
  | 'content_filter'
  | 'invalid';

/** A failure to be put into a vendor's words. `message`, `code` and `status` replace the vendor's usual ones. */
export interface Failure {
  readonly kind: FailureKind;
  readonly model: string;
  readonly requestId: string;
  readonly tokens: number;
  readonly window: number;
  readonly message?: string;
  readonly code?: string;
  readonly status?: number;
}

export interface HttpFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A request that the vendor would not take. */
export interface Refusal {
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
}

/** What a path tells before the body is read. */
export interface Route {
  readonly model?: string;
  readonly stream?: boolean;
}

/** The server's side of one wire protocol. Pure: bodies in, frames and bodies out. */
export interface WireProtocol {
  readonly id: ProtocolId;
  readonly framing: Framing;
  /** Whether prompt prefixes are cached by themselves or where the client marks them. */
  readonly caching: 'automatic' | 'marked';
  readonly callIdPrefix: string;
  readonly requestIdHeader: string;
  readonly newRequestId: () => string;
  /** Names the header (if the vendor has one) that says when a rate limit resets. */
  readonly resetHeader: (seconds: number) => Readonly<Record<string, string>>;
  route(path: string): Route | undefined;
  normalise(body: Readonly<Record<string, unknown>>, route: Route): NormalRequest;
  refuse(request: NormalRequest, seals: Seals): Refusal | undefined;
  frames(answer: Answer, request: NormalRequest): readonly Frame[];
  whole(answer: Answer, request: NormalRequest): unknown;
  failure(failure: Failure): HttpFailure;
  streamFailure(failure: Failure, sent: readonly Frame[], plain: boolean): Frame;
}
