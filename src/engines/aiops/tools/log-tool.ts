import { z } from 'zod';
import type { LogLine } from '#spec/data';
import type { LogsSource, TelemetryScope, Tool } from '#spec/ports';
import { soundsBad } from '../rca/logs/sounds-bad.ts';
import { templateOf } from '../rca/logs/template-of.ts';
import { askBackends } from './ask-backends.ts';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import { cell, said, table } from './show-table.ts';
import { spanInput, spanMs, windowBefore } from './time-window.ts';

const MOST_LINES = 2_000;
const MOST_WORDS = 5;
const MOST_SHOWN = 20;
const DATA_LINES = 50;

interface Input {
  service?: string | undefined;
  query?: string | undefined;
  window: string;
  errors_only: boolean;
  limit: number;
}

export function logTool({ desk, now }: IncidentToolDeps): Tool {
  return defineIncidentTool<Input>({
    name: 'loki_query',
    description:
      'Searches logs. query: LogQL such as {app="pay"} |= "503", or words: 503 OR connection pool. Shows kinds of lines with counts, and examples.',
    input: z.strictObject({
      service: z.string().min(1).max(200).optional(),
      query: z.string().min(1).max(1_000).optional(),
      window: spanInput('15m', '1d'),
      errors_only: z.boolean().default(false),
      limit: z.int().min(1).max(MOST_SHOWN).default(10),
    }),
    run: async (input, { signal }) => {
      const window = windowBefore(now(), spanMs(input.window));
      const scope: TelemetryScope = {
        window,
        limit: MOST_LINES,
        ...(input.service === undefined ? {} : { services: [input.service] }),
      };
      const found = await askBackends(
        await desk.sources(),
        'logs',
        window,
        (source, stop) => search(source, input.query, scope, stop),
        { now, signal },
      );
      const lines = input.errors_only
        ? found.items.filter(({ message, level }) => soundsBad(message, level))
        : found.items;
      return shown(lines, input.limit, [
        ...(found.cut ? [`there are more than ${MOST_LINES} lines; some were not counted`] : []),
        ...found.notes,
      ]);
    },
  });
}

/** The backend's own language begins with a selector; anything else is words, any of which will do. */
async function search(
  source: LogsSource,
  query: string | undefined,
  scope: TelemetryScope,
  signal: AbortSignal,
): ReturnType<LogsSource['lines']> {
  if (query === undefined) return source.lines({ ...scope, errorsFirst: true }, signal);
  if (query.trimStart().startsWith('{')) return source.query(query, scope, signal);
  const words = query
    .split(/\s+OR\s+/i)
    .map((word) => word.trim().replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)
    .slice(0, MOST_WORDS);
  const answers = await Promise.all(words.map((text) => source.lines({ ...scope, text }, signal)));
  const once = new Map(
    answers
      .flatMap(({ items }) => items)
      .map((line) => [`${line.time}\n${line.service}\n${line.message}`, line]),
  );
  return {
    items: [...once.values()],
    asked: answers.flatMap(({ asked }) => asked),
    cut: answers.some(({ cut }) => cut),
  };
}

function shown(lines: readonly LogLine[], limit: number, notes: readonly string[]) {
  const kinds = [...Map.groupBy(lines, (line) => `${line.service}\n${templateOf(line.message)}`).values()]
    .map((same) => {
      const ordered = same.toSorted((one, other) => one.time - other.time);
      return { count: same.length, first: ordered[0] as LogLine, last: ordered.at(-1) as LogLine };
    })
    .toSorted(
      (one, other) =>
        badness(other.first) - badness(one.first) ||
        other.count - one.count ||
        one.first.time - other.first.time,
    );
  const rows = kinds
    .slice(0, limit)
    .map(({ count, first, last }) => [
      cell(first.service, 60),
      first.level ?? '-',
      String(count),
      clock(first.time),
      clock(last.time),
      cell(last.message, 240),
    ]);
  const text = rows.length
    ? table(['service', 'level', 'count', 'first', 'last', 'example'], rows)
    : 'No line in this window.';
  const more = kinds.length > limit ? [`${kinds.length - limit} more kinds of lines are not shown`] : [];
  return said([text, ...more, ...notes].join('\n'), `${lines.length} lines of ${kinds.length} kinds`, {
    lines: lines.slice(0, DATA_LINES).map((line) => ({ ...line, message: cell(line.message, 500) })),
  });
}

const badness = ({ message, level }: LogLine): number => (soundsBad(message, level) ? 1 : 0);
const clock = (time: number): string => new Date(time * 1000).toISOString().slice(11, 19);
