import { posix } from 'node:path';

export type SourceKind =
  | 'ts'
  | 'js'
  | 'py'
  | 'go'
  | 'rs'
  | 'java'
  | 'sh'
  | 'docker'
  | 'yaml'
  | 'sql'
  | 'other';

const BY_EXTENSION: Readonly<Record<string, SourceKind>> = {
  '.ts': 'ts',
  '.tsx': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.js': 'js',
  '.jsx': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.vue': 'js',
  '.py': 'py',
  '.go': 'go',
  '.rs': 'rs',
  '.java': 'java',
  '.kt': 'java',
  '.sh': 'sh',
  '.bash': 'sh',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.sql': 'sql',
};

export function kindOf(path: string): SourceKind {
  const name = posix.basename(path);
  if (/^(?:Dockerfile|Containerfile)(?:\..+)?$|\.dockerfile$/i.test(name)) return 'docker';
  return BY_EXTENSION[posix.extname(name).toLowerCase()] ?? 'other';
}

export const isTestPath = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|spec|e2e|fixtures|testdata)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|spec)s?\.[a-z]+$|_test\.(?:go|py)$|Tests?\.java$/.test(
    path,
  );

/** Kinds in which a hash begins a comment. */
const HASH: ReadonlySet<SourceKind> = new Set(['py', 'sh', 'docker', 'yaml']);

/**
 * The lines of a source with comments and the insides of strings blanked out, so that rules about code see code.
 * Columns stay as they are. It knows no nested templates: what it cannot tell stays as it is.
 */
export function codeLines(text: string, kind: SourceKind): string[] {
  const hash = HASH.has(kind);
  let inBlock: string | undefined;
  let quote: string | undefined;
  return text.split('\n').map((line) => {
    let out = '';
    // Only text between backticks goes on in the next line.
    if (quote !== '`' || kind === 'sh') quote = undefined;
    for (let at = 0; at < line.length; at++) {
      const rest = line.slice(at, at + 3);
      if (inBlock !== undefined) {
        if (line.startsWith(inBlock, at)) {
          out += ' '.repeat(inBlock.length);
          at += inBlock.length - 1;
          inBlock = undefined;
        } else out += ' ';
        continue;
      }
      const char = line[at] ?? '';
      if (quote !== undefined) {
        if (char === '\\') {
          out += '  ';
          at++;
        } else if (char === quote) {
          out += char;
          quote = undefined;
        } else out += ' ';
        continue;
      }
      if (kind === 'py' && (rest === '"""' || rest === "'''")) {
        inBlock = rest;
        out += '   ';
        at += 2;
      } else if (!hash && rest.startsWith('/*')) {
        inBlock = '*/';
        out += '  ';
        at++;
      } else if (
        (hash && char === '#' && (at === 0 || /\s/.test(line[at - 1] ?? ''))) ||
        (!hash && rest.startsWith('//')) ||
        (kind === 'sql' && rest.startsWith('--'))
      )
        break;
      else {
        if (char === '"' || char === '`' || (char === "'" && kind !== 'rs')) quote = char;
        out += char;
      }
    }
    return out;
  });
}

interface CodeBlock {
  readonly name: string;
  /** Counted from one, both ends included. */
  readonly start: number;
  readonly end: number;
  readonly lines: number;
  /** One, and one more for each branch. */
  readonly complexity: number;
  readonly nesting: number;
}

const STARTS: Readonly<Partial<Record<SourceKind, RegExp>>> = {
  ts: /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)|^\s*(?:export\s+)?(?:const|let)\s+(\w+)[^=]*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>\s*\{?$|^\s+(?:(?:public|private|protected|static|async|readonly)\s+)*(?!if\b|for\b|while\b|switch\b|catch\b|function\b|return\b)(\w+)\s*\([^)]*\)\s*(?::[^{]+)?\{$/,
  py: /^\s*(?:async\s+)?def\s+(\w+)/,
  go: /^func\s+(?:\([^)]*\)\s*)?(\w+)/,
  rs: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*fn\s+(\w+)/,
  java: /^\s+(?:(?:public|private|protected|static|final|synchronized|abstract|override|suspend)\s+)+[\w<>[\], ?]+\s+(\w+)\s*\([^;]*$/,
  sh: /^\s*(?:function\s+)?(\w+)\s*\(\)\s*\{?/,
};

const BRANCH =
  /\b(?:if|elif|for|while|case|catch|except|match|when|select|until)\b|&&|\|\||\?\?|\?(?=\s)(?!\.)/g;

/** The functions of a source, found by their first lines and by braces or indentation. */
export function functionsIn(code: readonly string[], kind: SourceKind): CodeBlock[] {
  const start = STARTS[kind === 'js' ? 'ts' : kind];
  if (!start) return [];
  return code.flatMap((line, at) => {
    const found = start.exec(line);
    if (!found) return [];
    const end = kind === 'py' ? indentEnd(code, at) : braceEnd(code, at);
    if (end === undefined) return [];
    const body = code.slice(at, end + 1);
    return [
      {
        name: found.slice(1).find(Boolean) ?? 'function',
        start: at + 1,
        end: end + 1,
        lines: body.length,
        complexity: 1 + body.reduce((sum, text) => sum + (text.match(BRANCH)?.length ?? 0), 0),
        nesting: kind === 'py' ? indentDepth(body) : braceDepth(body),
      },
    ];
  });
}

function braceEnd(code: readonly string[], from: number): number | undefined {
  let depth = 0;
  let opened = false;
  for (let at = from; at < code.length; at++) {
    for (const char of code[at] ?? '')
      if (char === '{') {
        depth++;
        opened = true;
      } else if (char === '}') depth--;
    if (opened && depth <= 0) return at;
    // A declaration without a body, or an expression that needs none.
    if (!opened && /;\s*$/.test(code[at] ?? '')) return undefined;
    if (!opened && at > from + 20) return undefined;
  }
  return undefined;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function indentEnd(code: readonly string[], from: number): number {
  const base = indentOf(code[from] ?? '');
  let end = from;
  let header = !/:\s*$/.test(code[from] ?? '');
  for (let at = from + 1; at < code.length; at++) {
    const line = code[at] ?? '';
    if (line.trim() === '') continue;
    if (header) header = !/:\s*$/.test(line);
    else if (indentOf(line) <= base) break;
    end = at;
  }
  return end;
}

function braceDepth(body: readonly string[]): number {
  let [depth, most] = [0, 0];
  for (const char of body.join('\n'))
    if (char === '{') most = Math.max(most, ++depth);
    else if (char === '}') depth--;
  return Math.max(0, most - 1);
}

function indentDepth(body: readonly string[]): number {
  const base = indentOf(body[0] ?? '');
  const deep = body.filter((line) =>
    /^\s*(?:if|for|while|with|try|elif|else|except|match|case)\b/.test(line),
  );
  const widths = deep.map((line) => indentOf(line) - base).filter((width) => width > 0);
  const unit = Math.min(...widths, 4) || 4;
  return Math.round(Math.max(0, ...widths) / unit);
}

const IMPORTS: Readonly<Partial<Record<SourceKind, RegExp>>> = {
  ts: /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*(['"])([^'"]+)\1/g,
  py: /^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+(?:\s*,\s*[\w.]+)*))/gm,
  go: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\s]+)"\s*$/gm,
  rs: /^\s*(?:pub\s+)?use\s+([\w:]+)/gm,
  java: /^\s*import\s+(?:static\s+)?([\w.]+)/gm,
};

/** What a source imports, as it is written there. */
export function importsOf(text: string, kind: SourceKind): string[] {
  const pattern = IMPORTS[kind === 'js' ? 'ts' : kind];
  if (!pattern) return [];
  const found = [...text.matchAll(pattern)].flatMap((match) =>
    match
      .slice(1)
      .filter((part): part is string => part !== undefined && !/^['"]$/.test(part))
      .flatMap((part) => part.split(/\s*,\s*/)),
  );
  return [...new Set(found)];
}
