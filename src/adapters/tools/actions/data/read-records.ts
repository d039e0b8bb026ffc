import { parse, parseAllDocuments } from 'yaml';
import { fail } from '#kit/app-error';
import { parseTable, recordsOf } from './table.ts';

export const DATA_FORMATS = ['json', 'ndjson', 'yaml', 'csv', 'env', 'text'] as const;
type DataFormat = (typeof DATA_FORMATS)[number];

const BY_EXTENSION: Readonly<Record<string, DataFormat>> = {
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'csv',
  env: 'env',
};

export const formatOf = (path: string): DataFormat =>
  BY_EXTENSION[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'text';

/** The value that a text of a format stands for. */
export function readRecords(text: string, format: DataFormat, path: string): unknown {
  try {
    switch (format) {
      case 'json':
        return JSON.parse(text) as unknown;
      case 'ndjson':
        return text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => JSON.parse(line) as unknown);
      case 'yaml': {
        const documents = parseAllDocuments(text);
        if (Array.isArray(documents) && documents.length > 1)
          return documents.map((document) => document.toJS({ maxAliasCount: 100 }) as unknown);
        return parse(text, { maxAliasCount: 100 }) as unknown;
      }
      case 'csv':
        return recordsOf(parseTable(text));
      case 'env':
        return Object.fromEntries(
          [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/gm)].map(([, name, value = '']) => [
            name,
            value.replace(/^(['"])(.*)\1$/, '$2'),
          ]),
        );
      case 'text':
        return text;
    }
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause);
    throw fail('input.invalid', `${path} is no ${format}: ${why}`, undefined, cause);
  }
}
