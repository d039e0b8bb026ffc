import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}
interface Point {
  readonly attributes: readonly Attribute[];
  readonly timeUnixNano: string;
  readonly count?: string;
  readonly asDouble?: number;
}
interface Metric {
  readonly name: string;
  readonly histogram?: { readonly dataPoints: readonly Point[] };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
}
interface SpanOnWire {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
}
interface Resource {
  readonly resource: { readonly attributes: readonly Attribute[] };
}
type Body = {
  readonly resourceMetrics?: readonly (Resource & {
    readonly scopeMetrics: readonly { metrics: readonly Metric[] }[];
  })[];
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: readonly { spans: readonly SpanOnWire[] }[];
  })[];
  readonly resourceLogs?: readonly (Resource & {
    readonly scopeLogs: readonly { logRecords: readonly { body: { stringValue: string } }[] }[];
  })[];
};

export interface OtlpSink {
  readonly url: string;
  /** Answers a second between the last two pushes of the service; 0 when it has been silent. */
  rate(service: string, code: number, version?: string): number;
  /** The last word on a level, of the replica on a machine where it is one's own. */
  level(service: string, metric: string, node?: string): number;
  hasLog(pattern: RegExp): boolean;
  forgetLogs(): void;
  /** Traces in which all three services took part and every parent is known. */
  wholeTraces(): number;
  unauthorized(): number;
  /** Resolves with the next push of anybody, or after a second of silence. */
  next(): Promise<void>;
  /** So many pushes of metrics by payment-service. */
  rounds(count: number): Promise<void>;
  close(): Promise<void>;
}

interface Round {
  readonly at: number;
  readonly instance: string;
  readonly served: ReadonlyMap<string, number>;
}

const SILENT_MS = 2_500;

/** A receiver of OTLP/HTTP in JSON that keeps what the tests ask for. */
export async function startOtlpSink(token: string): Promise<OtlpSink> {
  const rounds = new Map<string, Round[]>();
  const levels = new Map<string, number>();
  const traces = new Map<string, { service: string; span: SpanOnWire }[]>();
  let logs: string[] = [];
  let refused = 0;
  let waiting: (() => void)[] = [];

  const takeMetrics = (service: string, instance: string, metrics: readonly Metric[]): void => {
    const served = new Map<string, number>();
    for (const { name, histogram, gauge } of metrics) {
      for (const { attributes, asDouble = 0 } of gauge?.dataPoints ?? [])
        levels.set(`${service} ${name} ${attribute(attributes, 'k8s.node.name')}`, asDouble);
      if (name !== 'http.server.request.duration') continue;
      for (const { attributes, count } of histogram?.dataPoints ?? []) {
        const key = `${attribute(attributes, 'http.response.status_code')} ${attribute(attributes, 'service.version')}`;
        served.set(key, (served.get(key) ?? 0) + Number(count));
      }
    }
    rounds.set(service, [...(rounds.get(service) ?? []).slice(-2), { at: Date.now(), instance, served }]);
  };
  const take = (body: Body): void => {
    for (const { resource, scopeMetrics } of body.resourceMetrics ?? [])
      for (const { metrics } of scopeMetrics)
        takeMetrics(
          attribute(resource.attributes, 'service.name'),
          attribute(resource.attributes, 'service.instance.id'),
          metrics,
        );
    for (const { resource, scopeSpans } of body.resourceSpans ?? [])
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const service = attribute(resource.attributes, 'service.name');
        traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), { service, span }]);
      }
    for (const { scopeLogs } of body.resourceLogs ?? [])
      logs.push(
        ...scopeLogs.flatMap(({ logRecords }) => logRecords.map((record) => record.body.stringValue)),
      );
  };

  const server = createServer((request, response) => {
    void readAll(request).then((text) => {
      if (request.headers.authorization !== `Bearer ${token}`) refused += 1;
      take(JSON.parse(text) as Body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const next = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, 1_000);
      waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rate: (service, code, version) => {
      const [before, after] = (rounds.get(service) ?? []).slice(-2);
      if (!before || !after || Date.now() - after.at > SILENT_MS || before.instance !== after.instance)
        return 0;
      const sum = ({ served }: Round): number =>
        [...served].reduce((total, [key, count]) => {
          const [ofCode, ofVersion] = key.split(' ');
          return ofCode === String(code) && (version ?? ofVersion) === ofVersion ? total + count : total;
        }, 0);
      return (sum(after) - sum(before)) / ((after.at - before.at) / 1000);
    },
    level: (service, metric, node = '') => levels.get(`${service} ${metric} ${node}`) ?? 0,
    hasLog: (pattern) => logs.some((line) => pattern.test(line)),
    forgetLogs: () => {
      logs = [];
    },
    wholeTraces: () => [...traces.values()].filter(isWhole).length,
    unauthorized: () => refused,
    next,
    rounds: async (count) => {
      for (let seen = 0; seen < count; ) {
        const last = rounds.get('payment-service')?.at(-1);
        await next();
        if (rounds.get('payment-service')?.at(-1) !== last) seen += 1;
      }
    },
    close: () =>
      new Promise((resolve) => {
        waiting = [];
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const attribute = (attributes: readonly Attribute[], key: string): string => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue ?? '';
};

function isWhole(trace: readonly { service: string; span: SpanOnWire }[]): boolean {
  const ids = new Set(trace.map(({ span }) => span.spanId));
  const roots = trace.filter(({ span }) => span.parentSpanId === undefined);
  const orphans = trace.filter(({ span }) => span.parentSpanId !== undefined && !ids.has(span.parentSpanId));
  return (
    new Set(trace.map(({ service }) => service)).size === 3 && roots.length === 1 && orphans.length === 0
  );
}

async function readAll(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
