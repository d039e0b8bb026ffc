export interface WebRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Answers longer than this are cut there, and say so. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** 0 answers a redirect as it is. */
  readonly redirects?: number;
}

export interface WebAnswer {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly cut: boolean;
  readonly ms: number;
}

export interface Reached {
  readonly address: string;
  readonly ms: number;
}

/**
 * Requests to the outside world. Each name is resolved once and the connection goes to the address that was checked;
 * private, loopback, link-local and metadata addresses are refused in every notation, at every redirect.
 */
export interface WebClient {
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
  /** Whether a TCP port takes connections, by the same rules. Rejects with `tool.refused`, or with why it does not. */
  reach(host: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Reached>;
}
