/** A line filter or a matcher of labels. */
interface Test {
  readonly operator: string;
  readonly value: string;
}
export interface ParsedLogQl {
  readonly matchers: readonly (Test & { readonly label: string })[];
  readonly filters: readonly Test[];
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"|`[^`]*`';
const SELECTOR = new RegExp(`^\\s*\\{((?:[^"\`}]|${STRING})*)\\}`);
const MATCHER = new RegExp(`^\\s*([A-Za-z_]\\w*)\\s*(=~|!~|!=|=)\\s*(${STRING})\\s*(?:,|$)`);
const FILTER = new RegExp(`^\\s*(\\|=|!=|\\|~|!~)\\s*(${STRING})`);

/** Stream selectors with line filters. Throws, in the words of Loki, what it does not understand. */
export function parseLogQl(query: string): ParsedLogQl {
  const selected = SELECTOR.exec(query);
  if (!selected) throw new Error('parse error at line 1, col 1: syntax error: unexpected IDENTIFIER');
  const matchers: (Test & { label: string })[] = [];
  let inside = selected[1] ?? '';
  while (inside.trim() !== '') {
    const found = MATCHER.exec(inside);
    if (!found) throw new Error('parse error : syntax error: unexpected character in a selector');
    const [whole, label = '', operator = '', value = ''] = found;
    matchers.push({ label, operator, value: unquoted(value) });
    inside = inside.slice(whole.length);
  }
  if (
    !matchers.some(({ operator, value }) =>
      operator === '=' ? value !== '' : operator === '=~' && !full(value).test(''),
    )
  )
    throw new Error(
      'parse error : queries require at least one regexp or equality matcher that does not have an empty-compatible value. For instance, app=~".*" does not meet this requirement, but app=~".+" will',
    );
  const filters: Test[] = [];
  let rest = query.slice(selected[0].length);
  while (rest.trim() !== '') {
    const found = FILTER.exec(rest);
    if (!found) throw new Error('parse error : syntax error: unexpected IDENTIFIER');
    const [whole, operator = '', value = ''] = found;
    filters.push({ operator, value: unquoted(value) });
    rest = rest.slice(whole.length);
  }
  return { matchers, filters };
}

export const matchesStream = ({ matchers }: ParsedLogQl, labels: Readonly<Record<string, string>>): boolean =>
  matchers.every(({ label, operator, value }) => {
    const own = labels[label] ?? '';
    const hit = operator.endsWith('~') ? full(value).test(own) : own === value;
    return operator.startsWith('!') ? !hit : hit;
  });

export const matchesLine = ({ filters }: ParsedLogQl, line: string): boolean =>
  filters.every(({ operator, value }) => {
    const hit = operator.endsWith('~') ? partial(value).test(line) : line.includes(value);
    return operator.startsWith('!') ? !hit : hit;
  });

const unquoted = (text: string): string =>
  text.startsWith('`') ? text.slice(1, -1) : (JSON.parse(text) as string);

/** RE2 writes flags inside; ours stand outside. */
const partial = (pattern: string): RegExp =>
  pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'i') : new RegExp(pattern);
const full = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
