import { tell } from '#kit/text';
import type { Language } from '#kit/language';
import { numberOf } from './table.ts';

interface ColumnProfile {
  readonly name: string;
  readonly type: 'number' | 'date' | 'boolean' | 'text' | 'empty';
  readonly nulls: number;
  readonly null_percent: number;
  readonly distinct: number;
  readonly min: number | string | null;
  readonly max: number | string | null;
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly outliers: number;
  readonly top: readonly { readonly value: string; readonly count: number }[];
  readonly problems: readonly string[];
}

const MISSING = /^(?:|null|none|nan|n\/a|na|-)$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/;

export function profileColumn(name: string, cells: readonly string[], language: Language): ColumnProfile {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => !MISSING.test(cell));
  const nulls = cells.length - filled.length;
  const numbers = filled.map(numberOf).filter((value) => value !== undefined);
  const counts = new Map<string, number>();
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const type = typeOf(filled, numbers.length);
  const mixed = type === 'text' && numbers.length > filled.length * 0.8 && numbers.length < filled.length;
  const stats = type === 'number' ? statistics(numbers) : undefined;
  const nullPercent = cells.length === 0 ? 0 : Math.round((nulls / cells.length) * 1_000) / 10;
  const sorted = type === 'date' ? filled.toSorted() : [];
  const odd = filled.length - numbers.length;
  const problems = [
    ...(nullPercent >= 20 ? [tell(`${nullPercent} % are missing`, `缺失 ${nullPercent} %`)] : []),
    ...(mixed ? [tell(`${odd} of its numbers are no numbers`, `数字列中有 ${odd} 个值不是数字`)] : []),
    ...(counts.size === 1 && cells.length > 1 ? [tell('it has one value throughout', '整列只有一个值')] : []),
    ...(stats && stats.outliers > 0
      ? [tell(`${stats.outliers} far outside of the rest`, `${stats.outliers} 个离群值`)]
      : []),
  ];
  return {
    name,
    type,
    nulls,
    null_percent: nullPercent,
    distinct: counts.size,
    min: stats?.min ?? sorted[0] ?? null,
    max: stats?.max ?? sorted.at(-1) ?? null,
    mean: stats?.mean ?? null,
    deviation: stats?.deviation ?? null,
    outliers: stats?.outliers ?? 0,
    top: [...counts]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 5)
      .map(([value, count]) => ({ value: value.slice(0, 100), count })),
    problems: problems.map((problem) => problem[language]),
  };
}

function typeOf(filled: readonly string[], numbers: number): ColumnProfile['type'] {
  if (filled.length === 0) return 'empty';
  if (numbers === filled.length) return 'number';
  if (filled.every((cell) => DATE.test(cell))) return 'date';
  return filled.every((cell) => /^(?:true|false|yes|no)$/i.test(cell)) ? 'boolean' : 'text';
}

/** Outliers by the quartiles: three times their distance away, which a few wild values do not shift. */
function statistics(numbers: readonly number[]) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length;
  const quartile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  const [low, high] = [quartile(0.25), quartile(0.75)];
  const reach = 3 * (high - low);
  return {
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    mean: round(mean),
    deviation: round(Math.sqrt(variance)),
    outliers: reach === 0 ? 0 : sorted.filter((value) => value < low - reach || value > high + reach).length,
  };
}

const round = (value: number): number => Number(value.toPrecision(6));
