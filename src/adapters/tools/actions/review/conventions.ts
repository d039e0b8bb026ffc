interface LintRules {
  max_line_length?: number;
  indent?: string;
  quotes?: string;
  semicolons?: boolean;
  strict_types?: boolean;
  formatter?: string;
  test_command?: string;
  lint_command?: string;
}

const NUMBER =
  /(?:max_line_length|line-length|line_length|printWidth|lineWidth|max-line-length|max_width)["']?\s*[:=]\s*["']?(\d{2,3})/;

/** What the settings of a formatter or linter lay down, as far as it can be read off their text. */
export function lintRules(name: string, text: string): LintRules {
  const rules: LintRules = {};
  if (name === 'package.json') return packageRules(text);
  if (name === 'tsconfig.json') return /"strict"\s*:\s*true/.test(text) ? { strict_types: true } : {};
  const width = NUMBER.exec(text)?.[1];
  if (width) rules.max_line_length = Number(width);
  const spaces = /(?:indent_size|tabWidth|indentWidth|indent-width)["']?\s*[:=]\s*["']?(\d)/.exec(text)?.[1];
  if (/(?:indent_style|indentStyle)["']?\s*[:=]\s*["']?tab|useTabs["']?\s*:\s*true/.test(text))
    rules.indent = 'tabs';
  else if (spaces) rules.indent = `${spaces} spaces`;
  const single =
    /singleQuote["']?\s*:\s*(true|false)|(?:quoteStyle|quote-style)["']?\s*[:=]\s*["'](single|double)/.exec(
      text,
    );
  if (single) rules.quotes = single[2] ?? (single[1] === 'true' ? 'single' : 'double');
  const semi = /"?semi"?\s*:\s*(true|false)/.exec(text)?.[1];
  if (semi) rules.semicolons = semi === 'true';
  if (/^(?:\.prettierrc|biome|ruff|rustfmt)/.test(name))
    rules.formatter = name.replace(/^\.|rc?(?:\..+)?$|\..+$/g, '');
  return rules;
}

function packageRules(text: string): LintRules {
  const script = (key: string) => new RegExp(`"${key}"\\s*:\\s*"([^"]{1,200})"`).exec(text)?.[1];
  const [test, lint] = [script('test'), script('lint')];
  return {
    ...(test && !/no test specified/.test(test) ? { test_command: test } : {}),
    ...(lint ? { lint_command: lint } : {}),
  };
}

/** Sentences of a document that tell what to do: points of lists, and lines with must, never, always and the like. */
export function statedConventions(text: string): string[] {
  let inCode = false;
  return text.split('\n').flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    if (inCode) return [];
    const point = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.{8,300})$/.exec(line)?.[1];
    const told =
      /\b(?:must|never|always|should|do not|don't|prefer|avoid|use|run)\b|必须|禁止|不要|应当|应该|优先|避免/i;
    if (point !== undefined) return told.test(point) || point.length < 160 ? [point.trim()] : [];
    return /^[^#|<>\s].{10,300}$/.test(line) && /\b(?:must|never|always)\b|必须|禁止/i.test(line)
      ? [line.trim()]
      : [];
  });
}
