import { createServer, type ServerResponse } from 'node:http';
import { listenHere } from '#testkit/web';
import { matchesLine, matchesStream, type ParsedLogQl, parseLogQl } from './logql.ts';

export interface LokiEntry {
  readonly labels: Readonly<Record<string, string>>;
  /** Nanoseconds since the epoch. */
  readonly stamp: bigint;
  readonly line: string;
  /** Structured metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface LokiServer {
  readonly url: string;
  /** Queries of lines, as they came. */
  readonly queries: readonly URLSearchParams[];
  close(): Promise<void>;
}

/** The read side of Loki's HTTP API: labels, label values and `query_range` for lines. */
export async function startLokiServer(
  entries: readonly LokiEntry[],
  maxEntries = 5_000,
): Promise<LokiServer> {
  const queries: URLSearchParams[] = [];
  const server = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://loki');
    const within = entries.filter(({ stamp }) => isWithin(stamp, searchParams));
    const value = /^\/loki\/api\/v1\/label\/([^/]+)\/values$/.exec(pathname)?.[1];
    if (pathname === '/loki/api/v1/labels')
      json(response, unique(within.flatMap(({ labels }) => Object.keys(labels))));
    else if (value !== undefined)
      json(response, unique(within.flatMap(({ labels }) => labels[decodeURIComponent(value)] ?? [])));
    else if (pathname === '/loki/api/v1/query_range') {
      queries.push(searchParams);
      answerRange(response, searchParams, within, maxEntries);
    } else response.writeHead(404).end('404 page not found');
  });
  const { url, close } = await listenHere(server);
  return { url, close, queries };
}

/** Loki leaves the end out. */
const isWithin = (stamp: bigint, query: URLSearchParams): boolean =>
  stamp >= BigInt(query.get('start') ?? 0) && stamp < BigInt(query.get('end') ?? '9223372036854775807');

/** An empty list is left out of the answer. */
const unique = (names: readonly string[]): Record<string, unknown> => {
  const all = [...new Set(names)].toSorted();
  return { status: 'success', ...(all.length > 0 ? { data: all } : {}) };
};

function answerRange(
  response: ServerResponse,
  query: URLSearchParams,
  within: readonly LokiEntry[],
  maxEntries: number,
): void {
  const limit = Number(query.get('limit') ?? 100);
  const text = query.get('query') ?? '';
  if (limit > maxEntries) {
    const words = `max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${maxEntries})`;
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(words);
    return;
  }
  if (/^\s*(?:sum|count|rate|topk|count_over_time)\b/.test(text)) {
    json(response, { status: 'success', data: { resultType: 'matrix', result: [] } });
    return;
  }
  let parsed: ParsedLogQl;
  try {
    parsed = parseLogQl(text);
  } catch (error) {
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end((error as Error).message);
    return;
  }
  const backward = query.get('direction') !== 'forward';
  const found = within
    .filter(({ labels, line }) => matchesStream(parsed, labels) && matchesLine(parsed, line))
    .toSorted((one, other) => Number(one.stamp - other.stamp) * (backward ? -1 : 1))
    .slice(0, limit);
  const streams = Map.groupBy(found, ({ labels, metadata }) => JSON.stringify({ ...labels, ...metadata }));
  const result = [...streams].map(([labels, lines]) => ({
    stream: JSON.parse(labels) as unknown,
    values: lines.map(({ stamp, line }) => [String(stamp), line]),
  }));
  json(response, { status: 'success', data: { resultType: 'streams', result, stats: {} } });
}

const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
};
