import type { LogLine } from '#spec/data';
import type { Collected, LogsSource, TelemetryScope } from '#spec/ports';
import { fail } from '#kit/app-error';
import { windowMs } from '../wire/time-window.ts';
import { type LabelTest, parseLabels } from './metric-query.ts';
import type { Database } from './open-file.ts';

interface LogRow {
  readonly time: number;
  readonly service: string;
  readonly pod: string | null;
  readonly level: string | null;
  readonly message: string;
  readonly trace: string | null;
  readonly span: string | null;
  readonly attributes: string | null;
}

interface Wanted {
  readonly text?: string | undefined;
  readonly level?: string | undefined;
  readonly trace?: string | undefined;
}

interface Clause {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Log lines over the stored records. Of too many, every n-th is given, so that all times have their share. */
export function logsSource(db: Database): LogsSource {
  const count = (clause: Clause): number =>
    (db.prepare(`SELECT count(*) AS n FROM logs WHERE ${clause.sql}`).get(...clause.values) as { n: number })
      .n;

  const take = (clause: Clause, found: number, limit: number): LogRow[] => {
    if (limit <= 0) return [];
    const every = Math.max(1, Math.ceil(found / limit));
    const sample = every === 1 ? '' : 'WHERE place % ? = 0';
    return db
      .prepare<unknown[], LogRow>(
        `SELECT * FROM (
           SELECT *, row_number() OVER (ORDER BY time, id) - 1 AS place FROM logs WHERE ${clause.sql}
         ) ${sample} ORDER BY time, id LIMIT ?`,
      )
      .all(...clause.values, ...(every === 1 ? [] : [every]), limit);
  };

  const collect = (
    scope: TelemetryScope,
    wanted: Wanted,
    errorsFirst: boolean,
    query: string,
  ): Collected<LogLine> => {
    const began = performance.now();
    const all = clauseOf(scope, wanted);
    const found = count(all);
    let rows: LogRow[];
    if (!errorsFirst || found <= scope.limit) rows = take(all, found, scope.limit);
    else {
      const bad = { ...all, sql: `${all.sql} AND bad = 1` };
      const rest = { ...all, sql: `${all.sql} AND bad = 0` };
      const isBad = count(bad);
      const kept = take(bad, isBad, scope.limit);
      rows = [...kept, ...take(rest, found - isBad, scope.limit - kept.length)].toSorted(
        (a, b) => a.time - b.time,
      );
    }
    const ms = Math.round(performance.now() - began);
    return { items: rows.map(lineOf), asked: [{ query, found: rows.length, ms }], cut: found > rows.length };
  };

  return {
    name: 'embedded',
    async lines({ text, errorsFirst = false, ...scope }, signal) {
      signal.throwIfAborted();
      const services = (scope.services ?? []).map((service) => JSON.stringify(service));
      const selector = services.length ? `{service=${services.join('|')}}` : '{}';
      return collect(
        scope,
        { text },
        errorsFirst,
        text ? `${selector} |= ${JSON.stringify(text)}` : selector,
      );
    },
    async query(query, scope, signal) {
      signal.throwIfAborted();
      const { services, ...wanted } = parseLogQuery(query);
      const both =
        services && scope.services ? services.filter((one) => scope.services?.includes(one)) : undefined;
      const narrowed = both ?? services ?? scope.services;
      return collect({ ...scope, ...(narrowed ? { services: narrowed } : {}) }, wanted, false, query.trim());
    },
  };
}

const EXAMPLES =
  'Write {service="payment-service",level="error"} |= "text", or the text alone. Labels: service, level, trace_id.';

/** `{service="x"} |= "text"`, or text alone. */
function parseLogQuery(query: string): Wanted & { readonly services?: readonly string[] } {
  const [, braces, rest = ''] = /^\s*(\{[^}]*\})?(.*)$/s.exec(query) ?? [];
  const text = rest.trim();
  const quoted = /^\|=\s*"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (quoted === undefined && text.startsWith('|'))
    throw fail('input.invalid', `The query cannot be read at "${text.slice(0, 40)}".`, EXAMPLES);
  const tests = braces === undefined ? [] : servicesInOne(braces);
  const valueOf = (label: string): string | undefined => tests.find((test) => test.label === label)?.value;
  const wrong = tests.find(
    ({ label, operator }) => operator !== '=' || !['service', 'level', 'trace_id'].includes(label),
  );
  if (wrong)
    throw fail(
      'input.invalid',
      `The label ${wrong.label}${wrong.operator}"…" is not known for logs.`,
      EXAMPLES,
    );
  const services = tests.filter(({ label }) => label === 'service').map(({ value }) => value);
  return {
    ...(services.length ? { services } : {}),
    text: (quoted ?? text) || undefined,
    level: valueOf('level'),
    trace: valueOf('trace_id'),
  };
}

/** `service="a"|"b"` is what `lines` says it asked; it can be asked again. */
const servicesInOne = (braces: string): LabelTest[] =>
  parseLabels(braces.replaceAll(/"\s*\|\s*"/g, '",service="'));

function clauseOf({ window, services }: TelemetryScope, { text, level, trace }: Wanted): Clause {
  const { from, to } = windowMs(window);
  const parts = ['time BETWEEN ? AND ?'];
  const values: (string | number)[] = [from, to];
  if (services) {
    parts.push(`service IN (${services.map(() => '?').join(', ')})`);
    values.push(...services);
  }
  if (text) {
    parts.push('instr(lower(message), lower(?)) > 0');
    values.push(text);
  }
  if (level) {
    parts.push('lower(level) = lower(?)');
    values.push(level);
  }
  if (trace) {
    parts.push('trace = ?');
    values.push(trace);
  }
  return { sql: parts.join(' AND '), values };
}

const lineOf = ({ time, service, pod, level, message, trace, span, attributes }: LogRow): LogLine => ({
  time: time / 1_000,
  service,
  message,
  ...(pod === null ? {} : { pod }),
  ...(level === null ? {} : { level }),
  ...(trace === null ? {} : { traceId: trace }),
  ...(span === null ? {} : { spanId: span }),
  ...(attributes === null ? {} : { attributes: JSON.parse(attributes) as Record<string, unknown> }),
});
