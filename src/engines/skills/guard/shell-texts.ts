import { forbidsBefore, type TextLine } from './text-lines.ts';

/** A piece of shell that a skill would have run, and where it stands. */
export interface ShellText {
  readonly line: number;
  readonly text: string;
  /** Said in passing, or as a warning: it may be no order. */
  readonly mentioned: boolean;
  /** It may be no shell at all, but an output or a list: only what is plainly hostile counts. */
  readonly unsure?: boolean;
}

const SHELL_FILE = /\.(?:sh|bash|zsh|ksh|command)$/i;
const SHEBANG = /^#![^\n]{0,80}\b(?:ba|z|da|k)?sh\b/;
const CALLED =
  /\b(?:os\.system|os\.popen|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput)|execSync|exec|spawnSync|system|popen|sh\.exec|shell|terminal)\(\s{0,4}(?:command\s{0,3}=\s{0,3}|cmd\s{0,3}=\s{0,3}|\{\s{0,4}["']?command["']?\s{0,3}:\s{0,3})?[fr]?(?:"((?:[^"\\\n]|\\.){3,600})"|'((?:[^'\\\n]|\\.){3,600})'|`([^`\n]{3,600})`)/g;
const KEYED =
  /^\s{0,40}(?:-\s{1,4})?(?:command|run|cmd|script|shell|entrypoint)\s{0,3}:\s{0,3}(?!\||>)(\S.{2,600})$/i;
const BLOCK_KEY =
  /^(\s{0,40})(?:-\s{1,4})?(?:command|run|cmd|script|shell)\s{0,3}:\s{0,3}[|>][+-]?\d?\s{0,4}$/i;
const INLINE = /`([^`\n]{6,400})`/g;
const ORDERS =
  /\b(?:run|execute|type|enter|invoke|issue|paste|launch|start with|finish with|use)\b|运行|执行|输入/i;
const SHELL_FENCE =
  /^\s{0,12}(?:`{3,}|~{3,})[ \t]{0,8}\{?\.?(?:bash|sh|shell|zsh|console|terminal|shell-session|shellsession|ksh)(?![\w-])/i;
const FENCE = /^\s{0,12}(`{3,}|~{3,})/;

/** A script as a whole, or undefined when the file is none. */
export function wholeScript(path: string, text: string): ShellText | undefined {
  if (!SHELL_FILE.test(path) && !SHEBANG.test(text)) return undefined;
  return { line: 1, text: text.replace(/\r\n?/g, '\n'), mentioned: false };
}

/** Fenced blocks of shell. A block of another language may still call one; see `calledTexts`. */
export function fencedTexts(text: string, warned: ReadonlySet<number>): ShellText[] {
  const lines = text.split(/\r\n|\n|\r/);
  const found: ShellText[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = FENCE.exec(lines[at] ?? '')?.[1];
    if (!opening) continue;
    const start = at;
    do at += 1;
    while (at < lines.length && !(lines[at] ?? '').trimStart().startsWith(opening));
    const bare = (lines[start] ?? '').trim() === opening;
    if (!bare && !SHELL_FENCE.test(lines[start] ?? '')) continue;
    const body = shellOf(lines.slice(start + 1, at), bare);
    if (body.trim() === '') continue;
    found.push({ line: start + 2, text: body, mentioned: warned.has(start + 2), unsure: bare });
  }
  return found;
}

/** With prompts in it, only what stands after them was typed. */
function shellOf(lines: readonly string[], bare: boolean): string {
  const typed = lines.some((line) => /^\s{0,12}\$\s/.test(line));
  if (!typed) return bare && lines.some((line) => /[├└│→▶═]/.test(line)) ? '' : lines.join('\n');
  return lines.map((line) => /^\s{0,12}\$\s(.*)$/.exec(line)?.[1] ?? '').join('\n');
}

/** Commands inside other languages, settings and sentences. */
export function calledTexts(lines: readonly TextLine[], isCode: boolean): ShellText[] {
  return lines.flatMap((line, index) => {
    const made = (text: string, mentioned = line.warned): ShellText => ({
      line: line.number,
      text,
      mentioned,
    });
    const found = [...line.text.matchAll(CALLED)].map((match) =>
      made((match[1] ?? match[2] ?? match[3] ?? '').replace(/\\(["'`\\])/g, '$1')),
    );
    const keyed = line.code ? KEYED.exec(line.text)?.[1] : undefined;
    if (keyed) found.push(made(keyed.replace(/^(["'])(.*)\1$/, '$2')));
    const block = line.code ? BLOCK_KEY.exec(line.text)?.[1] : undefined;
    if (block !== undefined)
      found.push({ ...made(below(lines, index, block.length)), line: line.number + 1 });
    if (isCode || line.code) return found;
    const orders = ORDERS.test(line.text);
    return [
      ...found,
      ...[...line.text.matchAll(INLINE)]
        .filter((match) => /[\s|;&]/.test((match[1] ?? '').trim()))
        .map((match) =>
          made(match[1] ?? '', line.warned || !orders || forbidsBefore(line.text, match.index)),
        ),
    ];
  });
}

/** Lines that are indented deeper than the key before them. */
function below(lines: readonly TextLine[], at: number, indent: number): string {
  const taken: string[] = [];
  for (const line of lines.slice(at + 1, at + 400)) {
    if (line.text.trim() !== '' && line.text.length - line.text.trimStart().length <= indent) break;
    taken.push(line.text);
  }
  return taken.join('\n');
}

/** Recipes of a Makefile, `RUN` of a Dockerfile, scripts of a package. */
export function recipeTexts(path: string, lines: readonly TextLine[]): ShellText[] {
  const name = path.split('/').at(-1) ?? '';
  const pattern = /^(?:GNU)?makefile$|\.mk$/i.test(name)
    ? /^\t[@-]{0,2}(.+)$/
    : /dockerfile/i.test(name)
      ? /^\s{0,8}RUN\s+(.+)$/i
      : name === 'package.json'
        ? /^\s{0,40}"[\w:-]{1,60}"\s{0,3}:\s{0,3}"((?:[^"\\]|\\.){3,600})",?\s{0,4}$/
        : undefined;
  if (!pattern) return [];
  return lines.flatMap((line) => {
    const text = pattern.exec(line.text)?.[1];
    return text
      ? [{ line: line.number, text: text.replace(/\\(["\\])/g, '$1'), mentioned: line.warned }]
      : [];
  });
}
