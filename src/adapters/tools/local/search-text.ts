import type { TextMatch, TextSearch } from '#spec/ports';
import { ripgrep } from './ripgrep.ts';

const LONGEST_LINE = 1_000;
const MOST_CONTEXT = 20;

/** Where to search: below `cwd`, or in one open file. */
export interface SearchPlace {
  readonly cwd: string;
  /** Folders right below `cwd` that are left out. */
  readonly without?: readonly string[];
  /** The descriptor of the one file. */
  readonly file?: number;
  /** The path that a caller sees for one that ripgrep gave; undefined hides it. */
  show(path: string): string | undefined;
}

/** Matching lines in the order of their paths. Lines are cut, so that one file without line breaks does no harm. */
export async function searchText(
  search: TextSearch,
  place: SearchPlace,
  signal: AbortSignal,
): Promise<TextMatch[]> {
  const found: TextMatch[] = [];
  let matches = 0;
  for await (const record of ripgrep(argumentsOf(search, place), '\n', place.cwd, signal, place.file)) {
    const match = parse(record, place);
    if (!match) continue;
    if (match.matched && ++matches > search.limit) break;
    found.push(match);
  }
  return found;
}

// The JSON output would ignore --max-columns: a minified file of 10 MB then comes out ten times over.
function argumentsOf(search: TextSearch, place: SearchPlace): string[] {
  const args = [
    '--null',
    '--line-number',
    '--no-heading',
    '--with-filename',
    '--no-context-separator',
    '--crlf',
  ];
  args.push(`--max-columns=${LONGEST_LINE}`, '--max-columns-preview', `--max-count=${search.limit + 1}`);
  // A file that was named is meant, however large it is.
  if (place.file === undefined) args.push('--max-filesize=10M');
  if (search.literal) args.push('--fixed-strings');
  args.push(search.ignoreCase ? '--ignore-case' : '--case-sensitive');
  if (search.context) args.push(`--context=${Math.min(search.context, MOST_CONTEXT)}`);
  if (search.glob !== undefined) {
    if (/(?:^|[/{,])\.[^./]/.test(search.glob)) args.push('--hidden');
    args.push(`--glob=${search.glob}`, '--glob=!.git');
  }
  for (const folder of place.without ?? []) args.push(`--glob=!/${folder}`);
  return [...args, '-e', search.pattern, '--', place.file === undefined ? './' : '-'];
}

function parse(record: string, place: SearchPlace): TextMatch | undefined {
  const [, name, line, mark, text] = /^([^\0]*)\0(\d+)([:-])([^]*)$/.exec(record) ?? [];
  if (name === undefined || text === undefined) return undefined;
  const path = place.show(name);
  if (path === undefined) return undefined;
  return { path, line: Number(line), text: text.replace(/\r$/, ''), matched: mark === ':' };
}
