import { z } from 'zod';
import type { Connection } from '../wire/open-connection.ts';
import { type Question, readerOf } from '../wire/reader-of.ts';
import type { RangePlan } from './range-plan.ts';

/** One series of an answer, holes left out. */
export interface RawSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly times: number[];
  readonly values: number[];
}

export interface PrometheusApi {
  /** All names of metrics. */
  names(plan: Pick<RangePlan, 'start' | 'end'>, signal: AbortSignal): Promise<string[]>;
  /** The labels that the series of a family have. */
  labels(family: string, plan: Pick<RangePlan, 'start' | 'end'>, signal: AbortSignal): Promise<string[]>;
  /** A single number, absent where the query gives none. */
  number(query: string, time: number, signal: AbortSignal): Promise<number | undefined>;
  range(query: string, plan: RangePlan, signal: AbortSignal): Promise<RawSeries[]>;
  link(query: string, plan: RangePlan): string;
}

const Texts = z.array(z.string()).nullable();
const Sample = z.tuple([z.number(), z.string()]);
const Labels = z.record(z.string(), z.string());
const Matrix = z.object({
  resultType: z.literal('matrix'),
  result: z.array(z.object({ metric: Labels, values: z.array(Sample).default([]) })),
});
const Instant = z.union([
  z.object({ resultType: z.literal('vector'), result: z.array(z.object({ value: Sample })) }),
  z.object({ resultType: z.literal('scalar'), result: Sample }),
]);

export function prometheusApi(connection: Connection): PrometheusApi {
  const ask = readerOf(connection);
  const read = async <T>(schema: z.ZodType<T>, ...question: Question): Promise<T> =>
    (await ask(z.object({ status: z.literal('success'), data: schema }), ...question)).data;
  return {
    names: async ({ start, end }, signal) =>
      (await read(Texts, '/api/v1/label/__name__/values', { start, end }, signal)) ?? [],
    labels: async (family, { start, end }, signal) =>
      (await read(Texts, '/api/v1/labels', { 'match[]': family, start, end }, signal)) ?? [],
    number: async (query, time, signal) => {
      const answer = await read(Instant, '/api/v1/query', { query, time }, signal);
      const sample = answer.resultType === 'scalar' ? answer.result : answer.result[0]?.value;
      const value = Number(sample?.[1] ?? Number.NaN);
      return Number.isFinite(value) ? value : undefined;
    },
    range: async (query, { start, end, step }, signal) => {
      const { result } = await read(Matrix, '/api/v1/query_range', { query, start, end, step }, signal);
      return result.map(({ metric, values }) => ({ labels: metric, ...finite(values) }));
    },
    link: (query, { start, end }) =>
      connection.link('/graph', {
        'g0.expr': query,
        'g0.tab': 0,
        'g0.range_input': `${Math.max(1, Math.ceil(end - start))}s`,
        'g0.end_input': new Date(end * 1_000).toISOString().slice(0, 19).replace('T', ' '),
      }),
  };
}

/** A quotient of nothing by nothing is no sample. */
function finite(samples: readonly (readonly [number, string])[]): { times: number[]; values: number[] } {
  const read = samples
    .map(([time, text]) => [time, Number(text)] as const)
    .filter(([, value]) => Number.isFinite(value));
  return { times: read.map(([time]) => time), values: read.map(([, value]) => value) };
}
