import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { boundedText } from '#adapters/io/bounded-text';
import { isRecord } from '#kit/is-record';

export interface OtlpEndpoint {
  readonly url: string;
  /** Often a key: they go to this address alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly compress: boolean;
  readonly timeoutMs: number;
}

export type Posted =
  /** `rejected`: how many of them were not taken, for good. */
  | { readonly outcome: 'taken'; readonly rejected: number }
  | { readonly outcome: 'again'; readonly why: string; readonly afterMs?: number }
  | { readonly outcome: 'refused'; readonly why: string };

/** The ones for which the specification asks to come again; every other refusal is final. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_ANSWER = 64 * 1024;
const MOST_WAIT_MS = 60_000;

const pack = promisify(gzip);

/** One request to a receiver of OTLP over HTTP. It never throws. */
export async function postSpans(
  body: object,
  { url, headers, compress, timeoutMs }: OtlpEndpoint,
  signal: AbortSignal,
): Promise<Posted> {
  try {
    const text = JSON.stringify(body);
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(compress ? { 'content-encoding': 'gzip' } : {}),
      },
      body: compress ? new Uint8Array(await pack(text)) : text,
      // A receiver that moved is told to people, and the headers stay here.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    // What breaks off after its status was still taken, or refused.
    const said = await boundedText(answer, MOST_ANSWER).catch(() => ({ text: '' }));
    if (answer.ok) return { outcome: 'taken', rejected: rejectedSpans(said.text) };
    const why = `it answered ${answer.status}`;
    if (!AGAIN.has(answer.status)) return { outcome: 'refused', why };
    const afterMs = waitOf(answer.headers.get('retry-after'), Date.now());
    return { outcome: 'again', why, ...(afterMs === undefined ? {} : { afterMs }) };
  } catch (cause) {
    return { outcome: 'again', why: reasonOf(cause) };
  }
}

/** Seconds, or a date. */
function waitOf(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(seconds) ? Math.min(MOST_WAIT_MS, Math.max(0, seconds)) : undefined;
}

function rejectedSpans(text: string): number {
  try {
    const read = JSON.parse(text) as unknown;
    const partial = isRecord(read) ? read['partialSuccess'] : undefined;
    const count = isRecord(partial) ? Number(partial['rejectedSpans'] ?? 0) : 0;
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    // Many answer with nothing, or in another encoding: they took all of it.
    return 0;
  }
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'it cannot be reached';
  const cause = thrown.cause instanceof Error ? (thrown.cause as NodeJS.ErrnoException) : undefined;
  return cause?.code ?? (thrown.name === 'TimeoutError' ? 'it did not answer in time' : thrown.message);
}
