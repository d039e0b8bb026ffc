import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { defineTool } from '#spec/ports';
import { jsonOrText } from '../loose.ts';
import { valueAt } from './value-at.ts';
import { answer, count } from '../../text/answer.ts';

const OPERATORS = ['==', '!=', '>', '>=', '<', '<=', 'contains', 'exists'] as const;

const input = z.strictObject({
  data: z.unknown().describe('a value, or JSON text'),
  path: z.string().max(500).default('').describe('such as items[*].name or results[0]'),
  where: z
    .array(
      z.strictObject({
        field: z.string(),
        is: z.enum(OPERATORS).default('=='),
        value: z.unknown().optional(),
      }),
    )
    .default([])
    .describe('keeps the entries of a list for which all hold'),
  fields: z.array(z.string()).default([]).describe('keeps these of each entry'),
  sort_by: z.string().optional(),
  descending: z.boolean().default(false),
  limit: z.int().min(1).max(10_000).default(1_000),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'json_query',
  toolset: 'actions',
  description: 'Take a part of a JSON value: by path, filtered, sorted, cut to some fields.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  async run({ data, path, where, fields, sort_by, descending, limit }) {
    const found = valueAt(jsonOrText(data), path);
    if (!Array.isArray(found)) {
      const text = JSON.stringify(found) ?? 'There is nothing.';
      return answer(text.slice(0, 8_000), found === undefined ? 'nothing' : 'one value', {
        value: found ?? null,
        found: found !== undefined,
      });
    }
    const kept = (found as unknown[]).filter((entry) => where.every((rule) => holds(entry, rule)));
    if (sort_by !== undefined) {
      const order = descending ? -1 : 1;
      kept.sort((a, b) => order * compare(valueAt(a, sort_by), valueAt(b, sort_by)));
    }
    const value = kept
      .slice(0, limit)
      .map((entry) =>
        fields.length > 0 && isRecord(entry)
          ? Object.fromEntries(fields.map((field) => [field, valueAt(entry, field)]))
          : entry,
      );
    return answer(JSON.stringify(value).slice(0, 8_000), count(kept.length, 'entry', 'entries'), {
      value,
      count: kept.length,
      total: found.length,
      first: value[0] ?? null,
      found: kept.length > 0,
    });
  },
});

const textFor = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : textFor(a).localeCompare(textFor(b));

function holds(entry: unknown, { field, is, value: wanted }: Input['where'][number]): boolean {
  const value = valueAt(entry, field);
  switch (is) {
    case '==':
      return JSON.stringify(value) === JSON.stringify(wanted);
    case '!=':
      return JSON.stringify(value) !== JSON.stringify(wanted);
    case 'exists':
      return value !== undefined && value !== null;
    case 'contains':
      return Array.isArray(value) ? value.includes(wanted) : textFor(value).includes(textFor(wanted));
    case '>':
      return compare(value, wanted) > 0;
    case '>=':
      return compare(value, wanted) >= 0;
    case '<':
      return compare(value, wanted) < 0;
    case '<=':
      return compare(value, wanted) <= 0;
  }
}
