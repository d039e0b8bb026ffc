import type { MetricSeries } from '#spec/data';
import { MOST_ROWS } from './limits.ts';
import { malformed } from './malformed.ts';

const HEADER = 'time,service,metric,value';

/**
 * `time,service,metric,value` rows as series, each in order of time. A name that holds a comma or a quote is quoted as
 * in every CSV; a row without a value is a missing sample.
 */
export function parseMetrics(text: string, path: string): MetricSeries[] {
  const series = new Map<string, { service: string; metric: string; samples: [number, number][] }>();
  let from = text.indexOf('\n') + 1;
  const header = (from ? text.slice(0, from) : text).trim();
  if (header !== HEADER) throw malformed(path, 1, `begins with '${header.slice(0, 80)}', not '${HEADER}'`);
  if (!from) return [];
  for (let line = 2; from < text.length; line++) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const row = text.slice(from, end).trimEnd();
    from = end + 1;
    if (row === '') continue;
    if (line > MOST_ROWS) throw malformed(path, line, `has more than ${MOST_ROWS} rows`);
    const cells = row.includes('"') ? quotedCells(row) : row.split(',');
    const [time, service, metric, value] = cells;
    if (cells.length !== 4 || !service || !metric) throw malformed(path, line, 'does not have four cells');
    if (value === '' || value === 'NaN') continue;
    const at = Number(time);
    const number = Number(value);
    if (!time || !Number.isFinite(at)) throw malformed(path, line, `'${time}' is not a time`);
    if (!Number.isFinite(number)) throw malformed(path, line, `'${value}' is not a number`);
    const key = `${service}\n${metric}`;
    const found = series.get(key);
    if (found) found.samples.push([at, number]);
    else series.set(key, { service, metric, samples: [[at, number]] });
  }
  return [...series.values()].map(({ service, metric, samples }) => {
    samples.sort((one, other) => one[0] - other[0]);
    return {
      service,
      metric,
      times: samples.map(([time]) => time),
      values: samples.map(([, value]) => value),
    };
  });
}

function quotedCells(row: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain] of row.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)) {
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  // The pattern matches once more, empty, at the end of the row.
  if (!row.endsWith(',')) cells.pop();
  return cells;
}
