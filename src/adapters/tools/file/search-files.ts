import { z } from 'zod';
import { looksPrivate } from '#kit/looks-secret';
import { defineTool, type TextMatch, type ToolContext, type ToolResult } from '#spec/ports';
import { answer, count } from '../text/answer.ts';
import { cutAt } from '../text/read-lines.ts';
import { showHidden } from '#kit/hidden-characters';

const SHOWN = 100;
const MOST_SHOWN = 1_000;
/** How many matches are looked at, only to say how many there are. */
const COUNTED = 10_000;
const LONGEST_LINE = 300;
const MOST_CHARACTERS = 50_000;

const input = z.object({
  pattern: z.string().min(1).describe('Rust regex; for names a glob such as **/*.yaml'),
  path: z.string().min(1).optional().describe('folder or file, default: workspace'),
  glob: z.string().min(1).optional().describe('only files like this: *.ts'),
  target: z.enum(['content', 'names']).optional(),
  ignore_case: z.boolean().optional(),
  literal: z.boolean().optional().describe('plain text'),
  context: z.int().min(0).max(20).optional().describe('lines around a match'),
  limit: z.int().min(1).max(MOST_SHOWN).optional().describe(`default ${SHOWN}`),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'search_files',
  toolset: 'file',
  description: 'Search file contents, or names. Skips what git ignores.',
  input,
  effect: () => 0,
  level: 0,
  footprint: ({ path }) => ({ reads: [path ?? '.'] }),
  deed: ({ path }) => (looksPrivate(path ?? '.') ? { brings: ['private'] } : {}),
  maxChars: MOST_CHARACTERS + 5_000,
  run: (search, context) =>
    search.target === 'names' ? byName(search, context) : byContent(search, context),
});

async function byName({ pattern, path, limit = SHOWN }: Input, context: ToolContext): Promise<ToolResult> {
  const wanted = pattern.includes('/') || !path || path === '.' ? pattern : `**/${pattern}`;
  const below = path && path !== '.' ? `${path.replace(/\/+$/, '')}/${wanted}` : wanted;
  const names = await context.files.find(below, COUNTED, context.signal);
  if (names.length === 0) return answer('No file has such a name.', 'no files');
  const shown = names.slice(0, limit).map(showHidden);
  const found = atMost(names.length, 'name');
  const note = names.length > shown.length ? `\n[${found}; ${shown.length} shown]` : '';
  return answer(`${shown.join('\n')}${note}`, found);
}

async function byContent(search: Input, { files, signal }: ToolContext): Promise<ToolResult> {
  const { pattern, path, glob, literal, ignore_case, context, limit = SHOWN } = search;
  const matches = await files.search(
    {
      pattern,
      limit: COUNTED,
      ...(path === undefined ? {} : { path }),
      ...(glob === undefined ? {} : { glob }),
      ...(literal ? { literal } : {}),
      ...(ignore_case ? { ignoreCase: true } : {}),
      ...(context ? { context } : {}),
    },
    signal,
  );
  const total = matches.filter(({ matched }) => matched).length;
  if (total === 0) return answer('Nothing matches.', 'no matches');
  const groups = Map.groupBy(matches, (match) => match.path);
  const found = `${atMost(total, 'match', 'matches')} in ${count(groups.size, 'file')}`;
  const page = pageOf(groups, limit);
  const rest = page.left.length > 0 ? `\n[${found}; ${page.shown} shown. Not shown: ${page.left}]` : '';
  return answer(`${page.text}${rest}`, found, { total, files: groups.size, shown: page.shown });
}

const atMost = (number: number, noun: string, plural?: string): string =>
  `${number >= COUNTED ? 'at least ' : ''}${count(number, noun, plural)}`;

/** The first matches grouped by file, and how many each file has that are not among them. */
function pageOf(groups: ReadonlyMap<string, readonly TextMatch[]>, limit: number) {
  const blocks: string[] = [];
  const left: string[] = [];
  let [shown, characters, full] = [0, 0, false];
  for (const [path, matches] of groups) {
    const lines: string[] = [];
    let [hidden, last] = [0, 0];
    const spaced = matches.some(({ matched }) => !matched);
    for (const match of matches) {
      full ||= characters >= MOST_CHARACTERS || (match.matched && shown >= limit);
      if (full) {
        hidden += match.matched ? 1 : 0;
        continue;
      }
      if (spaced && last > 0 && match.line > last + 1) lines.push('  --');
      const line = lineOf(match);
      lines.push(line);
      [last, characters, shown] = [match.line, characters + line.length, shown + (match.matched ? 1 : 0)];
    }
    if (lines.length > 0) blocks.push([showHidden(path), ...lines].join('\n'));
    if (hidden > 0) left.push(`${showHidden(path)} (${hidden})`);
  }
  return { text: blocks.join('\n'), shown, left: summary(left) };
}

function lineOf({ line, text, matched }: TextMatch): string {
  const cut = text.length > LONGEST_LINE ? `${cutAt(text, LONGEST_LINE)}…` : text;
  return `  ${line}${matched ? ':' : '-'} ${showHidden(cut)}`;
}

function summary(left: readonly string[]): string {
  const [first, rest] = [left.slice(0, 20).join(', '), left.length - 20];
  return rest > 0 ? `${first}, and ${count(rest, 'more file')}` : first;
}
