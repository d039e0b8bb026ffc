/** Who sends a request, as the server has found out. */
export interface Principal {
  /** `token`, `read_only_token`, `session`, or the name of a platform whose signature was checked. */
  readonly channel: string;
  readonly user: string;
  readonly role: 'viewer' | 'operator' | 'approver' | 'admin';
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
  readonly signal: AbortSignal;
}

export interface RouteAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; an iterable as it comes, such as server-sent events. */
  readonly body?: string | Uint8Array | object | AsyncIterable<string>;
}

/**
 * One way in over HTTP. `access`: `public` asks for nothing; `signed` checks a signature in `handle`; `read` takes every
 * token; `write` and `approve` refuse the read-only one.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/incidents/:id` names a part. */
  readonly path: string;
  readonly access: 'public' | 'signed' | 'read' | 'write' | 'approve';
  /** Larger bodies are refused before they are read. */
  readonly maxBytes?: number;
  /** Throws an `AppError` for what the sender did wrong; the server words it. */
  handle(request: RouteRequest): Promise<RouteAnswer>;
}

export const defineRoute = (route: Route): Route => route;
