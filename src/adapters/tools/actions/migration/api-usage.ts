import type { Dependency } from './manifests.ts';
import { codeLines, kindOf } from '../source-file.ts';

export interface UsagePattern {
  /** What is used of the package: `get`, `Client`, or the package itself. */
  readonly symbol: string;
  readonly kind: 'import' | 'call' | 'member';
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The name under which a package is imported: `PyYAML` is not, `google-cloud-storage` is `google.cloud.storage`. */
const MODULE_OF: Readonly<Record<string, string>> = {
  pyyaml: 'yaml',
  pillow: 'PIL',
  'scikit-learn': 'sklearn',
  beautifulsoup4: 'bs4',
  'opencv-python': 'cv2',
  'python-dateutil': 'dateutil',
};

const moduleOf = ({ name, ecosystem }: Pick<Dependency, 'name' | 'ecosystem'>): string => {
  if (ecosystem === 'pypi') return MODULE_OF[name.toLowerCase()] ?? name.replaceAll('-', '_');
  return ecosystem === 'cargo' ? name.replaceAll('-', '_') : name;
};

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A pattern (Rust syntax, as ripgrep takes it) for lines that import the package. */
export function importPattern(dependency: Pick<Dependency, 'name' | 'ecosystem'>): string {
  const name = quoted(moduleOf(dependency));
  switch (dependency.ecosystem) {
    case 'npm':
      return `(from|import|require\\(|import\\()\\s*['"]${name}(/[^'"]*)?['"]`;
    case 'pypi':
      return `^\\s*(from\\s+${name}(\\.[\\w.]+)?\\s+import|import\\s+.*\\b${name}\\b)`;
    case 'go':
      return `"${name}(/[^"]*)?"`;
    case 'cargo':
      return `\\b(use\\s+|extern crate\\s+)?${name}::`;
  }
}

/** What a file that imports the package uses of it. */
export function usageIn(
  file: string,
  text: string,
  dependency: Pick<Dependency, 'name' | 'ecosystem'>,
): UsagePattern[] {
  const raw = text.split('\n');
  const code = codeLines(text, kindOf(file));
  const importing = new RegExp(importPattern(dependency).replace(/^\(\?\w\)/, ''));
  const patterns: UsagePattern[] = [];
  const names = new Set<string>();
  const wholes = new Set<string>();
  const statements = joinedImports(raw);
  for (const { line, text: statement } of statements) {
    if (!importing.test(statement)) continue;
    const found = importedNames(statement, moduleOf(dependency), dependency.ecosystem);
    for (const name of found.names) names.add(name);
    for (const whole of found.wholes) wholes.add(whole);
    const shown = statement.trim().slice(0, 200);
    for (const symbol of [...found.names, ...(found.names.length === 0 ? [dependency.name] : [])])
      patterns.push({ symbol, kind: 'import', file, line, text: shown });
  }
  code.forEach((line, at) => {
    if (importing.test(raw[at] ?? '')) return;
    const shown = (raw[at] ?? '').trim().slice(0, 200);
    for (const whole of wholes)
      for (const [, symbol = ''] of line.matchAll(new RegExp(`\\b${quoted(whole)}(?:\\.|::)(\\w+)`, 'g')))
        patterns.push({ symbol, kind: 'member', file, line: at + 1, text: shown });
    for (const name of names)
      if (new RegExp(`(?<![.\\w])${quoted(name)}\\s*[(<.]`).test(line))
        patterns.push({ symbol: name, kind: 'call', file, line: at + 1, text: shown });
  });
  return patterns;
}

/** Import statements over several lines, as one. */
function joinedImports(raw: readonly string[]): { readonly line: number; readonly text: string }[] {
  const out: { line: number; text: string }[] = [];
  for (let at = 0; at < raw.length; at++) {
    // Longer lines are generated, and hold no statement that a person wrote.
    let text = (raw[at] ?? '').slice(0, 2_000);
    if (/^\s*(?:import|from|export)\b[^'"]*[{(][^})]*$/.test(text))
      for (let more = 1; more < 60 && at + more < raw.length; more++) {
        text += ` ${(raw[at + more] ?? '').trim()}`;
        if (/[})]/.test(raw[at + more] ?? '')) break;
      }
    out.push({ line: at + 1, text });
  }
  return out;
}

function importedNames(statement: string, module: string, ecosystem: Dependency['ecosystem']) {
  const names: string[] = [];
  const wholes: string[] = [];
  if (ecosystem === 'npm') {
    const inside = /\{([^}]*)\}/.exec(statement)?.[1];
    if (inside) names.push(...inside.split(',').map(firstName));
    const whole = /(?:import\s+(?:type\s+)?|\*\s+as\s+|(?:const|let|var)\s+)(\w+)\s*(?:,|=|from)/.exec(
      statement,
    )?.[1];
    if (whole && whole !== 'type') wholes.push(whole);
  } else if (ecosystem === 'pypi') {
    const from = /^\s*from\s+[\w.]+\s+import\s+\(?([^)#]*)/.exec(statement)?.[1];
    if (from) names.push(...from.split(',').map(firstName));
    else wholes.push(/\bas\s+(\w+)/.exec(statement)?.[1] ?? module);
  } else if (ecosystem === 'go')
    wholes.push(/^\s*(?:import\s+)?(\w+)\s+"/.exec(statement)?.[1] ?? lastPart(module));
  else {
    const inside = /::\{([^}]*)\}/.exec(statement)?.[1];
    if (inside) names.push(...inside.split(',').map(firstName));
    else {
      const last = /::(\w+)\s*;/.exec(statement)?.[1];
      if (last) names.push(last);
    }
    wholes.push(module);
  }
  return { names: names.filter((name) => /^\w+$/.test(name)), wholes };
}

const firstName = (part: string): string =>
  part
    .replace(/^\s*type\s+/, '')
    .trim()
    .split(/\s+/)[0] ?? '';
/** `/v2` at the end of a Go module is its version. */
const lastPart = (module: string): string =>
  module
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1) ?? module;
