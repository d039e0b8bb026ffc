import { tell } from '#kit/text';
import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { profileColumn } from './profile-column.ts';
import { textOfFile } from '../read-text.ts';
import { parseTable } from './table.ts';
import { answer, count, refusal } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('a CSV or TSV file'),
  max_rows: z.int().min(1).max(500_000).default(100_000),
});

export const tool = defineTool<z.infer<typeof input>>({
  name: 'data_profile',
  toolset: 'actions',
  description: 'What a CSV file holds: rows, types, missing values, ranges, outliers, duplicates.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ path }) => ({ reads: [path] }),
  run: ({ path, max_rows }, { files, language = 'en' }) =>
    asResult(async () => {
      const { columns, rows, cut } = parseTable(await textOfFile(files, path), max_rows);
      if (columns.length === 0) return refusal(`${path} is empty.`);
      const profiles = columns.map((name, at) =>
        profileColumn(
          name || tell(`column ${at + 1}`, `第 ${at + 1} 列`)[language],
          rows.map((row) => row[at] ?? ''),
          language,
        ),
      );
      const distinct = new Set(rows.map((row) => row.join('\u001f'))).size;
      const doubles = rows.length - distinct;
      const ragged = rows.filter((row) => row.length !== columns.length).length;
      const items = [
        ...(distinct < rows.length
          ? [finding('medium', path, tell(count(doubles, 'duplicate row'), `重复 ${doubles} 行`)[language])]
          : []),
        ...(ragged > 0
          ? [
              finding(
                'high',
                path,
                tell(`${count(ragged, 'row')} with another number of cells`, `${ragged} 行的列数不一致`)[
                  language
                ],
              ),
            ]
          : []),
        ...profiles.flatMap(({ name, problems }) =>
          problems.map((problem) => finding('medium', name, problem)),
        ),
      ];
      const lines = profiles.map(
        ({ name, type, nulls, distinct: different, min, max }) =>
          `${name}: ${type}, ${nulls} missing, ${different} different${min === null ? '' : `, ${min} … ${max}`}`,
      );
      const summary = `${count(rows.length, 'row')}, ${count(columns.length, 'column')}, ${count(items.length, 'remark')}`;
      return answer(
        [summary, ...lines, ...items.map(({ name, message }) => `! ${name}: ${message}`)].join('\n'),
        summary,
        {
          path,
          rows: rows.length,
          columns: profiles,
          column_names: columns,
          duplicates: doubles,
          ragged_rows: ragged,
          items,
          cut,
          ok: items.length === 0,
        },
      );
    }),
});

const finding = (severity: string, name: string, message: string) => ({ severity, name, message });
