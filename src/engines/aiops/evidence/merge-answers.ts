import type { Change, LogLine, MetricSeries, SpanRecord, Topology } from '#spec/data';
import { redact } from '#kit/redact';
import { soundsBad } from '../rca/logs/sounds-bad.ts';
import type { Answer } from './ask-source.ts';

/** What several backends gave, each thing once: of two that give the same, the first is kept. */
interface Merged<T> {
  readonly items: T[];
  /** More was there than may be kept. */
  readonly cut: boolean;
}

function merge<T>(answers: readonly Answer<T>[], keyOf: (item: T) => string, most: number): Merged<T> {
  const kept = new Map<string, T>();
  let cut = answers.some((answer) => answer.cut);
  for (const item of answers.flatMap(({ items }) => items)) {
    const key = keyOf(item);
    if (kept.has(key)) continue;
    if (kept.size >= most) cut = true;
    else kept.set(key, item);
  }
  return { items: [...kept.values()], cut };
}

/** `first`: names of metrics that are kept before others when not all fit. */
export function mergeSeries(
  answers: readonly Answer<MetricSeries>[],
  limits: { readonly series: number; readonly samples: number },
  first: ReadonlySet<string>,
): Merged<MetricSeries> {
  const all = merge(answers, ({ service, metric }) => `${service}\n${metric}`, Number.POSITIVE_INFINITY);
  const ordered = [
    ...all.items.filter(({ metric }) => first.has(metric)),
    ...all.items.filter(({ metric }) => !first.has(metric)),
  ];
  const items: MetricSeries[] = [];
  let samples = 0;
  for (const series of ordered) {
    if (items.length >= limits.series || samples + series.times.length > limits.samples) break;
    samples += series.times.length;
    items.push(series);
  }
  return { items, cut: all.cut || items.length < ordered.length };
}

/**
 * Where not all lines came, a line that is absent proves nothing. Plain lines lose their tie to a span then, so that
 * nobody concludes from silence what a call no longer reached; complaints keep theirs.
 */
export function mergeLines(
  answers: readonly Answer<LogLine>[],
  limits: { readonly lines: number; readonly messageChars: number },
): Merged<LogLine> {
  const keyOf = ({ time, service, pod, message, spanId }: LogLine): string =>
    `${time}\n${service}\n${pod}\n${spanId}\n${message}`;
  const { items, cut } = merge(repeated(answers, keyOf), ({ key }) => key, limits.lines * 2);
  return {
    cut,
    items: items.map(({ line: { spanId, attributes, ...line } }) => {
      const message = redact(line.message.slice(0, limits.messageChars));
      const tied = spanId !== undefined && (!cut || soundsBad(message, line.level));
      return {
        ...line,
        message,
        ...(tied ? { spanId } : {}),
        ...(attributes ? { attributes: withoutSecrets(attributes) } : {}),
      };
    }),
  };
}

interface Counted {
  readonly line: LogLine;
  readonly key: string;
}

/** A program may write the same line twice at once: the second of one answer is another line, not the same again. */
function repeated(
  answers: readonly Answer<LogLine>[],
  keyOf: (line: LogLine) => string,
): readonly Answer<Counted>[] {
  return answers.map((answer) => {
    const seen = new Map<string, number>();
    const items = answer.items.map((line): Counted => {
      const key = keyOf(line);
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return { line, key: `${key}\n${count}` };
    });
    return { ...answer, items };
  });
}

export function mergeSpans(answers: readonly Answer<SpanRecord>[], most: number): Merged<SpanRecord> {
  const { items, cut } = merge(answers, ({ traceId, spanId }) => `${traceId} ${spanId}`, most * 2);
  return {
    cut,
    items: items.map(({ attributes, ...span }) =>
      attributes ? { ...span, attributes: withoutSecrets(attributes) } : span,
    ),
  };
}

export function mergeChanges(answers: readonly Answer<Change>[], most: number): Merged<Change> {
  const { items, cut } = merge(answers, ({ id, kind }) => `${kind} ${id}`, most);
  return {
    cut,
    items: items.map(({ summary, details, ...change }) => ({
      ...change,
      summary: redact(summary),
      ...(details ? { details: withoutSecrets(details) } : {}),
    })),
  };
}

/** Shorter texts are no credentials; looking at all of them would take a second for many spans. */
const SHORTEST_SECRET = 16;

const withoutSecrets = (facts: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length >= SHORTEST_SECRET ? redact(value) : value,
    ]),
  );

export const mergeEdges = (edges: Topology['edges']): Topology['edges'] => [
  ...new Map(
    edges.filter(({ from, to }) => from !== to).map((edge) => [`${edge.from}\n${edge.to}`, edge]),
  ).values(),
];
