import { sleep } from '#kit/sleep';
import type { RouteAnswer } from '#spec/ports';

/** Well within what servers and proxies wait for a connection on which nothing comes. */
const QUIET_MS = 30_000;

/**
 * An answer in one piece that may take long. Where it does, blanks go out before it, which JSON allows, so that nobody
 * takes the connection for dead. What fails after the first blank throws: the connection is cut.
 */
export async function wholeAnswer(
  body: Promise<object>,
  headers: Readonly<Record<string, string>>,
  quietMs = QUIET_MS,
): Promise<RouteAnswer> {
  const soon = await orQuiet(body, quietMs);
  if (soon) return { status: 200, headers, body: soon };
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/json' },
    body: (async function* () {
      for (;;) {
        yield '\n';
        const whole = await orQuiet(body, quietMs);
        if (!whole) continue;
        yield JSON.stringify(whole);
        return;
      }
    })(),
  };
}

/** Undefined when time is up. */
async function orQuiet(body: Promise<object>, ms: number): Promise<object | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([body, sleep(ms, over.signal).then(() => undefined)]);
  } finally {
    over.abort();
  }
}
