import type { z } from 'zod';
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

export interface RouteAbout {
  readonly summary: string;
  /** Names of the query, and what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
}

/**
 * One way in over HTTP. `access`: `public` asks for nothing; `signed` checks a signature in `handle`; `read` takes every
 * token; `write` and `approve` refuse the read-only one; `admin` is for whoever owns this home.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/incidents/:id` names a part. */
  readonly path: string;
  readonly access: 'public' | 'signed' | 'read' | 'write' | 'approve' | 'admin';
  /**
   * Who it is, is found out in `handle`: only what is refused there counts against the address, so that no flood keeps out
   * who shares it. So it is where `access` is `signed`, unless told otherwise.
   */
  readonly proves?: boolean;
  /**
   * Only a person may use it, not who merely has a token that lies in the home. Unless it is said: what `approve` changes.
   */
  readonly person?: boolean;
  /** Larger bodies are refused before they are read. */
  readonly maxBytes?: number;
  /** For the description of the API. */
  readonly about?: RouteAbout;
  /** The body of what the server refuses in its place, for clients that read errors in another form. */
  refusal?(refused: { readonly status: number; readonly code: string; readonly detail: string }): object;
  /** Throws an `AppError` for what the sender did wrong; the server words it. */
  handle(request: RouteRequest): Promise<RouteAnswer>;
}

export const defineRoute = (route: Route): Route => route;
