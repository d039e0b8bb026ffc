import { sleep } from '#kit/sleep';
import { SERVICE_NAMES, type ServiceName } from '../system/service-names.ts';
import { parseMetrics } from './parse-metrics.ts';
import { type Scrape, type ServiceView, viewOf } from './service-view.ts';

export interface Scraper {
  /** The service over the last so many seconds. */
  view(service: ServiceName, seconds: number): ServiceView;
  /** Scrapes that there are of the last so many seconds. */
  known(service: ServiceName, seconds: number): number;
}

const EVERY_MS = 1_000;
const TIMEOUT_MS = 800;
const KEPT_MS = 15_000;

/** Reads `/metrics` of every service each second, until the signal aborts, and calls `scraped` after each round. */
export function startScraper(
  urlOf: (service: ServiceName) => string | undefined,
  scraped: () => void,
  signal: AbortSignal,
): Scraper {
  const kept = new Map<ServiceName, Scrape[]>(SERVICE_NAMES.map((name) => [name, []]));
  const scrape = async (service: ServiceName): Promise<void> => {
    const url = urlOf(service);
    const samples = url === undefined ? undefined : await read(`${url}/metrics`, signal);
    const at = Date.now();
    const before = kept.get(service) ?? [];
    kept.set(service, [...before.filter((one) => one.at > at - KEPT_MS), { at, samples }]);
  };
  const run = async (): Promise<void> => {
    do {
      await Promise.all(SERVICE_NAMES.map(scrape));
      if (!signal.aborted) scraped();
    } while (await sleep(EVERY_MS, signal));
  };
  void run();
  const last = (service: ServiceName, seconds: number): Scrape[] => {
    const since = Date.now() - seconds * 1000;
    return (kept.get(service) ?? []).filter(({ at }) => at >= since);
  };
  return {
    view: (service, seconds) => viewOf(last(service, seconds)),
    known: (service, seconds) => last(service, seconds).length,
  };
}

/** Undefined when the service does not answer: that is what the scraper is to find out. */
async function read(url: string, signal: AbortSignal): Promise<ReturnType<typeof parseMetrics> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return parseMetrics(await response.text());
  } catch {
    return undefined;
  }
}
