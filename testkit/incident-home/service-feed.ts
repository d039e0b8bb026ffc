export interface FeedOptions {
  /** Asked anew for each push: a restarted server has another port. */
  readonly url: () => string;
  readonly token: string;
  /** Which services there are, at each push. */
  readonly services: () => readonly FedService[];
}

export interface FedService {
  readonly name: string;
  /** Since when it has been bad when it is first told of, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether it is bad now. */
  readonly bad: boolean;
}

export interface ServiceFeed {
  /** Sends what is there to tell now. Resolves when the server has it. */
  push(): Promise<void>;
  close(): void;
}

const EVERY_MS = 400;
const HISTORY_MS = 75_000;
const HISTORY_STEP_MS = 1_000;
const BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Of ten requests a second half go to the new version, and of those four in five fail. */
const GOOD = [{ version: 'v1', code: 200, perSecond: 10, seconds: 0.04 }];
const BAD = [
  { version: 'v1', code: 200, perSecond: 5, seconds: 0.04 },
  { version: 'v2', code: 200, perSecond: 1, seconds: 0.06 },
  { version: 'v2', code: 503, perSecond: 4, seconds: 0.06 },
];
/** A version that was taken back still says that nobody asks it: its silence would be waited out. */
const TAKEN_BACK = [
  ...GOOD,
  ...BAD.filter(({ version }) => version === 'v2').map((part) => ({ ...part, perSecond: 0 })),
];

/**
 * Services that tell of themselves over OTLP/HTTP: well on v1 for a minute and more, then with a v2 that fails, for as
 * long as it is said to be bad. What a dead server did not take is sent to the next one.
 */
export function startServiceFeed({ url, token, services }: FeedOptions): ServiceFeed {
  const told = new Map<string, number>();
  let waiting: object[] = [];
  let running: Promise<void> = Promise.resolve();
  const send = async (): Promise<void> => {
    const now = Date.now();
    for (const service of services()) {
      const from = told.get(service.name) ?? now - HISTORY_MS;
      waiting.push(...telling(service, from, now, told.has(service.name)));
      told.set(service.name, now);
    }
    const sent = waiting;
    if (!sent.length) return;
    const body = JSON.stringify({ resourceMetrics: sent });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${url()}/v1/metrics`, { method: 'POST', headers, body }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    if (answer?.ok) waiting = waiting.slice(sent.length);
  };
  const push = (): Promise<void> => (running = running.then(send));
  const timer = setInterval(() => void push(), EVERY_MS);
  return { push, close: () => clearInterval(timer) };
}

function telling({ name, since, bad }: FedService, from: number, to: number, live: boolean): object[] {
  const spans: [number, number, typeof GOOD][] = [];
  if (live) spans.push([from, to, bad ? BAD : TAKEN_BACK]);
  else
    for (let at = from; at < to; at += HISTORY_STEP_MS)
      spans.push([at, Math.min(to, at + HISTORY_STEP_MS), at >= since ? BAD : GOOD]);
  const versions = Map.groupBy(
    spans.flatMap(([start, end, parts]) => parts.map((part) => ({ ...part, start, end }))),
    ({ version }) => version,
  );
  return [...versions].map(([version, points]) => ({
    resource: { attributes: [text('service.name', name), text('service.version', version)] },
    scopeMetrics: [
      {
        scope: { name: 'feed' },
        metrics: [
          {
            name: 'http.server.request.duration',
            unit: 's',
            histogram: { aggregationTemporality: 1, dataPoints: points.map(pointOf) },
          },
        ],
      },
    ],
  }));
}

const text = (key: string, value: string): object => ({ key, value: { stringValue: value } });
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

function pointOf(point: {
  start: number;
  end: number;
  code: number;
  perSecond: number;
  seconds: number;
}): object {
  const count = Math.round((point.perSecond * (point.end - point.start)) / 1_000);
  const at = BOUNDS.findIndex((bound) => point.seconds <= bound);
  return {
    startTimeUnixNano: nanoseconds(point.start),
    timeUnixNano: nanoseconds(point.end),
    attributes: [{ key: 'http.response.status_code', value: { intValue: String(point.code) } }],
    count: String(count),
    sum: count * point.seconds,
    bucketCounts: [...BOUNDS, Number.POSITIVE_INFINITY].map((_, place) => String(place === at ? count : 0)),
    explicitBounds: BOUNDS,
  };
}
