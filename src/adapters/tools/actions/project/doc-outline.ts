import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { textIfAny } from '../read-text.ts';
import { isTestPath, kindOf } from '../source-file.ts';
import { answer, count } from '../../text/answer.ts';

const MOST_FILES = 1_000;

const input = z.strictObject({
  paths: z.array(z.string().min(1)).max(50).default(['.']).describe('folders'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'doc_outline',
  toolset: 'actions',
  description:
    'Headings of the documents and exported names of the sources with what is written above them: the material for documentation.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ paths }) => ({ reads: paths }),
  maxChars: 20_000,
  run: outline,
});

const EXPORTS: Readonly<Record<string, RegExp>> = {
  ts: /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|let|interface|type|enum)\s+(\w+)/,
  js: /^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let)\s+(\w+)/,
  py: /^(?:async\s+def|def|class)\s+([A-Za-z]\w*)/,
  go: /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+|var\s+|const\s+)([A-Z]\w*)/,
  rs: /^\s*pub\s+(?:async\s+)?(?:fn|struct|enum|trait|mod)\s+(\w+)/,
  java: /^\s*public\s+(?:[\w<>,\s]+\s)?(?:class|interface|enum|record)\s+(\w+)/,
};

async function outline({ paths }: Input, { files, signal }: ToolContext): Promise<ToolResult> {
  const globs = paths.map((path) =>
    `${path.replace(/\/+$/, '')}/**/*.{md,ts,tsx,js,mjs,py,go,rs,java}`.replace(/^\.\//, ''),
  );
  const names = [
    ...new Set((await Promise.all(globs.map((glob) => files.find(glob, MOST_FILES, signal)))).flat()),
  ].sort();
  const documents: { path: string; headings: { level: number; text: string; line: number }[] }[] = [];
  const modules: { path: string; exports: { name: string; line: number; doc: string }[] }[] = [];
  for (const path of names) {
    signal.throwIfAborted();
    const text = isTestPath(path) ? undefined : await textIfAny(files, path, 1_000_000);
    if (text === undefined) continue;
    if (path.endsWith('.md')) documents.push({ path, headings: headingsOf(text) });
    else {
      const exports = exportsOf(text, kindOf(path));
      if (exports.length > 0) modules.push({ path, exports });
    }
  }
  const all = modules.flatMap(({ exports }) => exports);
  const undocumented = all.filter(({ doc }) => doc === '').length;
  const lines = [
    ...documents.map(({ path, headings }) =>
      `${path}: ${headings.map(({ text }) => text).join(' · ')}`.slice(0, 300),
    ),
    ...modules.map(({ path, exports }) =>
      `${path}: ${exports.map(({ name }) => name).join(', ')}`.slice(0, 300),
    ),
  ];
  return answer(
    lines.join('\n') || 'There is nothing to outline.',
    `${count(documents.length, 'document')}, ${count(modules.length, 'module')}`,
    {
      documents,
      modules,
      exported: all.length,
      undocumented,
    },
  );
}

function headingsOf(text: string) {
  let inCode = false;
  return text.split('\n').flatMap((line, at) => {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const found = inCode ? undefined : /^(#{1,6})\s+(.{1,200}?)\s*#*$/.exec(line);
    return found ? [{ level: found[1]?.length ?? 1, text: found[2] ?? '', line: at + 1 }] : [];
  });
}

function exportsOf(text: string, kind: string) {
  const pattern = EXPORTS[kind];
  if (!pattern) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const name = pattern.exec(line)?.[1];
    return name === undefined || name.startsWith('_')
      ? []
      : [{ name, line: at + 1, doc: docOf(lines, at, kind) }];
  });
}

/** The comment above, or the first line of the docstring below. */
function docOf(lines: readonly string[], at: number, kind: string): string {
  if (kind === 'py') {
    const below = lines.slice(at + 1, at + 8).find((line) => /^\s*(?:"""|''')/.test(line));
    return (
      below
        ?.replace(/^\s*(?:"""|''')|(?:"""|''')\s*$/g, '')
        .trim()
        .slice(0, 200) ?? ''
    );
  }
  const above: string[] = [];
  for (let row = at - 1; row >= 0 && /^\s*(?:\/\/|\/\*|\*|#\[|@)/.test(lines[row] ?? ''); row--)
    above.unshift(lines[row] ?? '');
  return above
    .map((line) => line.replace(/^\s*(?:\/\/[/!]?|\/\*\*?|\*\/|\*)\s?|\*\/\s*$/g, '').trim())
    .filter((line) => line !== '' && !/^[#@]/.test(line))
    .join(' ')
    .slice(0, 200);
}
