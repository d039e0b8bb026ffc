import type { ErrorRecord } from '#spec/data';

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

export const RECORD_TYPES = ['address', 'A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'SOA'] as const;
/** `address`: as programs of the machine resolve a name, its hosts file included. */
export type RecordType = (typeof RECORD_TYPES)[number];

export interface Certificate {
  readonly address: string;
  readonly protocol: string;
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Why it is not trusted for that name; nothing where it is. */
  readonly distrust?: ErrorRecord;
}

/**
 * Requests to the outside world. Each name is resolved once and the connection goes to the address that was checked;
 * private, loopback, link-local and metadata addresses are refused in every notation, at every redirect.
 */
export interface WebClient {
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
  /** Whether a TCP port takes connections, by the same rules. Rejects with `tool.refused`, or with why it does not. */
  reach(host: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Reached>;
  /** The records of a name; none where it has none. Nothing is connected to. Rejects where the resolver does not answer. */
  resolve(name: string, type: RecordType, timeoutMs: number, signal: AbortSignal): Promise<readonly string[]>;
  /** What a TLS server shows, by the same rules. One that nobody should trust is shown as well, with why. */
  certificate(
    server: { readonly host: string; readonly port: number; readonly name?: string },
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Certificate>;
}
