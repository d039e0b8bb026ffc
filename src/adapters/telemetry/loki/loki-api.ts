import { z } from 'zod';
import type { TimeWindow } from '#spec/data';
import { fail } from '#kit/app-error';
import type { Connection } from '../wire/open-connection.ts';
import { readerOf } from '../wire/reader-of.ts';
import { windowMs } from '../wire/time-window.ts';
import { unknownShape } from '../wire/unknown-shape.ts';

/** A line as it was sent, with the labels of its stream. */
export interface RawLine {
  /** Unix seconds. */
  readonly time: number;
  readonly text: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface LokiApi {
  labels(window: TimeWindow, signal: AbortSignal): Promise<string[]>;
  values(label: string, window: TimeWindow, signal: AbortSignal): Promise<string[]>;
  /** The newest `limit` lines of the window, in no order. */
  lines(query: string, window: TimeWindow, limit: number, signal: AbortSignal): Promise<RawLine[]>;
}

const Labels = z.record(z.string(), z.string());
const Names = z.object({ status: z.literal('success'), data: z.array(z.string()).nullish() });
/** The third part is structured metadata, which may come in two shapes. */
const Entry = z.tuple([z.string(), z.string()]).rest(z.unknown());
const Streams = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.string(),
    result: z.array(z.object({ stream: Labels.optional(), values: z.array(z.unknown()) })).nullish(),
  }),
});

export function lokiApi(connection: Connection): LokiApi {
  const read = readerOf(connection);
  return {
    labels: async (window, signal) =>
      (await read(Names, '/loki/api/v1/labels', nanoseconds(window), signal)).data ?? [],
    values: async (label, window, signal) => {
      const path = `/loki/api/v1/label/${encodeURIComponent(label)}/values`;
      return (await read(Names, path, nanoseconds(window), signal)).data ?? [];
    },
    async lines(query, window, limit, signal) {
      const path = '/loki/api/v1/query_range';
      const parameters = { query, ...nanoseconds(window), limit, direction: 'backward' };
      const { data } = await read(Streams, path, parameters, signal);
      if (data.resultType !== 'streams') {
        throw fail('input.invalid', 'The query gives numbers; here it must give lines of logs.');
      }
      return (data.result ?? []).flatMap(({ stream = {}, values }) =>
        values.map((value) => rawLine(value, stream, () => unknownShape(connection, path))),
      );
    },
  };
}

/** Loki leaves its end out; ours belongs to the window. A window counts milliseconds. */
function nanoseconds(window: TimeWindow): { start: string; end: string } {
  const { from, to } = windowMs(window);
  return { start: `${BigInt(from) * 1_000_000n}`, end: `${BigInt(to + 1) * 1_000_000n}` };
}

function rawLine(value: unknown, stream: Readonly<Record<string, string>>, unknown: () => Error): RawLine {
  const entry = Entry.safeParse(value);
  if (!entry.success) throw unknown();
  const [stamp, text, extra] = entry.data;
  if (!/^\d{1,19}$/.test(stamp)) throw unknown();
  const metadata = z.object({ structuredMetadata: Labels }).or(Labels).safeParse(extra);
  const more = metadata.success
    ? ((metadata.data as { structuredMetadata?: Record<string, string> }).structuredMetadata ?? metadata.data)
    : {};
  // Nanoseconds since the epoch do not fit a number exactly; microseconds do.
  return { time: Number(BigInt(stamp) / 1_000n) / 1e6, text, labels: { ...stream, ...(more as object) } };
}
