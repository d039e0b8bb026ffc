import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { alertmanagerPayload, incidentApi, makeIncidentHome, startServing } from '#testkit/incident-home';
import { defineBench, MissingData } from '../bench.ts';
import { timeFirstPage } from '../console/first-page.ts';
import { initialScriptKb } from '../console/initial-script.ts';
import { openListeners } from '../console/listeners.ts';
import { residentMb, slopePerMinute } from '../console/resident-memory.ts';

const CONSOLE = join(import.meta.dirname, '..', '..', 'console', 'dist');
const CLIENTS = 200;
const UPDATES_PER_SECOND = 50;
/** Each of them leads to two facts or more. */
const DELIVERIES_PER_SECOND = 30;
const WARM_MS = 30_000;
const MEASURED_MS = 360_000;
const SETTLE_MS = 2_000;
const ROUNDS = 7;

/** Many who watch, while much happens: alerts come in as they do, and every fact that they cause reaches everyone. */
export const bench = defineBench({
  summary: '200 open consoles at 50 updates a second, memory meanwhile, and the first page in a browser',
  goals: {
    interactive_ms: { most: 1_500 },
    js_gzip_kb: { most: 250 },
    sse_p95_ms: { most: 250 },
    updates_per_s: { least: UPDATES_PER_SECOND },
    lost_streams: { exactly: 0 },
    missed: { exactly: 0 },
    rss_slope_mb_per_min: { most: 5 },
  },
  run: async ({ say }) => {
    const home = await makeIncidentHome({ incidents: { execute: false, recheck_seconds: [600] } });
    const serving = await startServing(home);
    try {
      const first = await timeFirstPage(`${serving.url}/#token=${home.token}`, ROUNDS);
      if (!first) throw new MissingData('there is no Chromium: apt-get install chromium');
      say(`first page: ${first.map((ms) => Math.round(ms)).join(', ')} ms`);
      const watched = await watch(serving.url, home.token, serving.process.pid ?? 0, say);
      return {
        interactive_ms: Math.round(
          quantile(
            first.toSorted((a, b) => a - b),
            0.5,
          ),
        ),
        js_gzip_kb: Number(initialScriptKb(CONSOLE).toFixed(1)),
        ...watched,
      };
    } finally {
      await serving.kill();
      await home.remove();
    }
  },
});

async function watch(url: string, token: string, pid: number, say: (line: string) => void) {
  const listeners = await openListeners(CLIENTS, url, token);
  const stop = new AbortController();
  const feeding = feed(
    incidentApi(() => url, token),
    stop.signal,
  );
  await delay(WARM_MS);
  listeners.forget();
  const began = performance.now();
  const samples: { ms: number; mb: number }[] = [];
  while (performance.now() - began < MEASURED_MS) {
    await delay(1_000);
    samples.push({ ms: performance.now() - began, mb: residentMb(pid) });
  }
  const seconds = (performance.now() - began) / 1_000;
  const { ms, heard, lost } = listeners;
  const times = ms.toSorted((a, b) => a - b);
  stop.abort();
  await feeding;
  await delay(SETTLE_MS);
  const { missed } = listeners;
  listeners.close();
  const perClient = heard / CLIENTS;
  say(`${Math.round(perClient)} events to each of ${CLIENTS} clients in ${Math.round(seconds)} s`);
  return {
    sse_p50_ms: quantile(times, 0.5),
    sse_p95_ms: quantile(times, 0.95),
    sse_p99_ms: quantile(times, 0.99),
    updates_per_s: Number((perClient / seconds).toFixed(1)),
    lost_streams: lost,
    missed,
    rss_mb: Math.round(samples.at(-1)?.mb ?? 0),
    rss_slope_mb_per_min: Number(slopePerMinute(samples).toFixed(2)),
  };
}

/** A hundred instances of ten services that begin and cease to complain, one after another, at an even pace. */
async function feed(api: ReturnType<typeof incidentApi>, signal: AbortSignal): Promise<void> {
  const since = new Map<number, number>();
  const began = performance.now();
  for (let n = 0; !signal.aborted; n++) {
    const instance = (n * 37) % 100;
    const startsAt = since.get(instance) ?? Date.now();
    const ends = since.delete(instance);
    if (!ends) since.set(instance, startsAt);
    const alert = {
      name: 'HighErrorRate',
      service: `service-${instance % 10}`,
      labels: { instance: `10.0.0.${instance}:8080` },
      startsAt,
      ...(ends ? { endsAt: Date.now() } : {}),
    };
    await api.send('POST', '/gateway/alertmanager', alertmanagerPayload([alert]));
    await delay(Math.max(0, began + ((n + 1) * 1_000) / DELIVERIES_PER_SECOND - performance.now()));
  }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
