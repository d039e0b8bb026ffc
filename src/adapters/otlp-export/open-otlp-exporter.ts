import { backoffMs } from '#kit/backoff';
import { sleep } from '#kit/sleep';
import type { FinishedSpan, SpanExporter } from '#spec/ports';
import { encodeSpans, type SpanSender } from './encode-spans.ts';
import { type OtlpEndpoint, postSpans } from './post-spans.ts';

export interface OtlpExporterOptions extends OtlpEndpoint, SpanSender {
  /** Told when it begins to fail, once until it works again. */
  readonly onTrouble?: (message: string) => void;
  /** How many spans may wait; more are dropped. */
  readonly queue?: number;
  readonly batch?: number;
  readonly everyMs?: number;
  readonly attempts?: number;
  /** How long to wait before the given retry, from 1, where the receiver does not say. */
  readonly backoff?: (retry: number) => number;
  readonly closeMs?: number;
}

const QUEUE = 2_048;
const BATCH = 512;
const EVERY_MS = 2_000;
/** Two to three minutes: as long as a receiver takes to be replaced. */
const ATTEMPTS = 7;
const CLOSE_MS = 2_000;

/** What a span came to, besides `exported`. */
type Dropped = 'queue_full' | 'refused' | 'unreachable' | 'closed';

/** Gathers spans and sends them in batches, one at a time. Giving it one costs a push to a list. */
export function openOtlpExporter(options: OtlpExporterOptions): SpanExporter {
  const { queue: mostWaiting = QUEUE, batch: mostSent = BATCH, everyMs = EVERY_MS } = options;
  const { attempts: mostAttempts = ATTEMPTS, closeMs = CLOSE_MS } = options;
  const { backoff = (retry: number) => backoffMs(retry, Math.random) } = options;
  const waiting: FinishedSpan[] = [];
  const counts = new Map<string, number>();
  /** No more waiting between attempts. */
  const hurry = new AbortController();
  /** No more attempts. */
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let failing = false;
  let taken = 0;
  let done = 0;

  const count = (outcome: 'exported' | Dropped, spans: number): void => {
    if (spans) counts.set(outcome, (counts.get(outcome) ?? 0) + spans);
  };
  const trouble = (why: string): void => {
    if (!failing) options.onTrouble?.(`Traces cannot be sent to ${shownUrl(options.url)}: ${why}.`);
    failing = true;
  };
  const deliver = async (spans: readonly FinishedSpan[]): Promise<void> => {
    const body = encodeSpans(spans, options);
    for (let attempt = 1; !over.signal.aborted; attempt++) {
      const last = attempt >= mostAttempts || hurry.signal.aborted;
      const posted = await postSpans(body, options, over.signal);
      if (posted.outcome === 'taken') {
        failing = false;
        count('exported', spans.length - posted.rejected);
        return count('refused', posted.rejected);
      }
      trouble(posted.why);
      if (posted.outcome === 'refused') return count('refused', spans.length);
      if (last) return count(hurry.signal.aborted ? 'closed' : 'unreachable', spans.length);
      await sleep(posted.afterMs ?? backoff(attempt), hurry.signal);
    }
    count('closed', spans.length);
  };
  const sendAll = async (): Promise<void> => {
    while (waiting.length) {
      const spans = waiting.splice(0, mostSent);
      await deliver(spans);
      // Behind one that was left, none is among the first.
      if (!counts.has('closed')) done += spans.length;
    }
  };
  const send = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return (sending ??= sendAll().finally(() => {
      sending = undefined;
    }));
  };

  return {
    add(span) {
      if (hurry.signal.aborted) {
        taken++;
        return count('closed', 1);
      }
      if (waiting.length >= mostWaiting) return count('queue_full', 1);
      taken++;
      waiting.push(span);
      if (waiting.length >= mostSent) void send();
      else timer ??= setTimeout(() => void send(), everyMs).unref();
    },
    counts: () => counts,
    progress: () => ({ taken, done }),
    async close() {
      hurry.abort();
      const deadline = setTimeout(() => over.abort(), closeMs);
      await send();
      clearTimeout(deadline);
    },
  };
}

/** Without the query, in which some put keys. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
