import type { Contract } from '#spec/api';
import type { SpanContext } from './tracing.ts';

/** Who sends a request, as the server has found out. */
export interface Principal {
  /** `token`, `read_only_token`, `user`, `loopback`, or the name of a platform whose signature was checked. */
  readonly channel: string;
  readonly user: string;
  readonly role: 'viewer' | 'operator' | 'approver' | 'admin';
  /**
   * They have shown something that this home does not hold in clear: a token of their own, or a link that only a terminal
   * was told. A token that a program could have read from the home shows nothing.
   */
  readonly person: boolean;
}

export interface RouteRequest {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Parts of the path that the route names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly the bytes that came. */
  readonly body: Uint8Array;
  /** Absent on routes that check a signature themselves, and on public ones. */
  readonly principal?: Principal;
  /** The connection that it came over. `port` is ours, `from` theirs. */
  readonly peer?: { readonly address: string; readonly port: number; readonly from: number };
  readonly signal: AbortSignal;
  /** What further spans hang on; absent where nobody wants traces. */
  readonly trace?: SpanContext | undefined;
}

export interface RouteAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; an iterable as it comes, such as server-sent events. */
  readonly body?: string | Uint8Array | object | AsyncIterable<string | Uint8Array>;
}

/** One way in over HTTP: its contract, and what answers to it. */
export interface Route extends Omit<Contract, 'summary'> {
  /** Every route that a home serves has one. */
  readonly summary?: string;
  /** The body of what the server refuses in its place, for clients that read errors in another form. */
  refusal?(refused: { readonly status: number; readonly code: string; readonly detail: string }): object;
  /** Throws an `AppError` for what the sender did wrong; the server words it. */
  handle(request: RouteRequest): Promise<RouteAnswer>;
}

export const defineRoute = (route: Route): Route => route;
