import { z } from 'zod';
import { looksPrivate } from '#kit/looks-secret';
import { defineTool } from '#spec/ports';
import { DATA_FORMATS, formatOf, readRecords } from './read-records.ts';
import { textOfFile } from '../read-text.ts';
import { valueAt } from './value-at.ts';
import { answer, count } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const input = z.strictObject({
  path: z.string().min(1),
  format: z.enum(DATA_FORMATS).optional().describe('default: by the name of the file'),
  at: z.string().max(500).default('').describe('a path into the data, such as services[0].port'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'read_data',
  toolset: 'actions',
  description: 'Read a JSON, YAML, CSV or NDJSON file as data for later steps.',
  input,
  deferred: true,
  effect: () => 0,
  level: 0,
  footprint: ({ path }) => ({ reads: [path] }),
  deed: ({ path }) => (looksPrivate(path) ? { brings: ['private'] } : {}),
  run: ({ path, format = formatOf(path), at }, { files }) =>
    asResult(async () => {
      const value = valueAt(readRecords(await textOfFile(files, path), format, path), at);
      const size = Array.isArray(value) ? count(value.length, 'entry', 'entries') : typeof value;
      const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'There is nothing.');
      return answer(shown.slice(0, 8_000), `${path}: ${size}`, {
        path,
        format,
        data: value ?? null,
        count: Array.isArray(value) ? value.length : null,
      });
    }),
});
