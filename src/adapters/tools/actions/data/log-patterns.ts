import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { mineTemplates } from './mine-templates.ts';
import { tailOfFile } from '../read-text.ts';
import { answer, count, refusal } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const MOST_LINES = 200_000;

const input = z.strictObject({
  path: z.string().min(1).optional().describe('a log file'),
  text: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('or its lines'),
  max_bytes: z.int().min(1_000).max(32_000_000).default(8_000_000).describe('from the end'),
  known: z.array(z.string()).max(5_000).default([]).describe('templates of an earlier run: others are new'),
  limit: z.int().min(1).max(500).default(50),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'log_patterns',
  toolset: 'actions',
  description:
    'Group the lines of a log by their form: how often each comes, which are new, which come in bursts.',
  input,
  deferred: true,
  effect: () => 0,
  level: 0,
  footprint: ({ path }) => ({ reads: path === undefined ? [] : [path] }),
  deed: ({ path }) => (path === undefined ? {} : { brings: ['untrusted'] }),
  run: (asked, context) => asResult(() => patterns(asked, context)),
});

async function patterns(
  { path, text, max_bytes, known, limit }: Input,
  { files }: ToolContext,
): Promise<ToolResult> {
  if (path === undefined && text === undefined) return refusal('Give `path` or `text`.');
  const read = path === undefined ? undefined : await tailOfFile(files, path, max_bytes);
  const whole = read?.text ?? (Array.isArray(text) ? text.join('\n') : (text ?? ''));
  const lines = redact(dropHidden(whole)).split('\n').slice(-MOST_LINES);
  const all = mineTemplates(lines, known);
  const errors = all.filter(({ level }) => level === 'error');
  const fresh = all.filter((template) => template.new);
  const bursts = all.filter(({ burst }) => burst !== null);
  const line = ({ template, count: times, level }: (typeof all)[number]) =>
    `${times}× [${level}] ${template}`;
  const shown = [
    `${count(lines.length, 'line')}, ${count(all.length, 'pattern')}, ${count(
      errors.reduce((sum, { count: times }) => sum + times, 0),
      'line',
    )} with errors`,
    ...all.slice(0, limit).map(line),
    ...(fresh.length > 0 ? ['New:', ...fresh.slice(0, 20).map(line)] : []),
    ...bursts
      .slice(0, 10)
      .map(({ template, burst }) => `Burst at ${burst?.at}: ${burst?.count}× ${template}`),
  ];
  return answer(shown.join('\n'), shown[0] ?? '', {
    templates: all.slice(0, limit),
    errors: errors.slice(0, limit),
    new: fresh.slice(0, limit),
    bursts,
    lines: lines.length,
    pattern_count: all.length,
    error_lines: errors.reduce((sum, { count: times }) => sum + times, 0),
    known: all.map(({ template }) => template),
    cut: read?.cut ?? false,
  });
}
