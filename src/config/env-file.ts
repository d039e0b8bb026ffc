import { parseEnv } from 'node:util';
import { fail } from '#kit/app-error';

/** The variables of a process, or of a process and its `.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Marks the few values that no quoting of the format can carry. */
const ENCODED = 'hermes+base64:';
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;

/** The variables of an `.env` text. Nothing inside a value is expanded. */
export function readEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value === undefined) continue;
    variables[name] = value.startsWith(ENCODED)
      ? Buffer.from(value.slice(ENCODED.length), 'base64').toString('utf8')
      : value;
  }
  return variables;
}

/** The process's variables, and those of the file where the process has none or an empty one. */
export function mergeEnv(processEnv: Env, file: Readonly<Record<string, string>>): Record<string, string> {
  const merged: Record<string, string> = { ...file };
  for (const [name, value] of Object.entries(processEnv)) {
    if (value || (value === '' && !Object.hasOwn(merged, name))) merged[name] = value;
  }
  return merged;
}

/** The text with one variable set, or removed where `value` is undefined. All other lines stay as they are. */
export function setEnvValue(text: string, name: string, value: string | undefined): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw fail('input.invalid', `${JSON.stringify(name)} cannot be the name of an environment variable`);
  }
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const out: string[] = [];
  let line = value === undefined ? undefined : `${name}=${encode(value)}`;
  for (const entry of entries(text)) {
    if (entry.name !== name) out.push(entry.text);
    else if (line !== undefined) {
      out.push(line + entry.comment);
      line = undefined;
    }
  }
  if (line !== undefined) {
    while (out.at(-1) === '') out.pop();
    out.push(line);
  }
  if (out.at(-1) !== '') out.push('');
  return out.join(newline);
}

interface Entry {
  readonly text: string;
  readonly name?: string;
  /** What follows the value on its last line. */
  readonly comment: string;
}

/** Cuts the text into lines, where a quoted value over several lines counts as one. */
function entries(text: string): Entry[] {
  const lines = text.split(/\r?\n/);
  const found: Entry[] = [];
  for (let i = 0; i < lines.length; i++) {
    const first = lines[i] as string;
    const [, name, value = ''] = ASSIGNMENT.exec(first) ?? [];
    if (name === undefined) {
      found.push({ text: first, comment: '' });
      continue;
    }
    const last = lastLine(lines, i, value);
    const quoted = /^(["'`])[\s\S]*?\1/.exec(value);
    const comment = /\s#.*$/.exec(quoted ? value.slice(quoted[0].length) : value)?.[0] ?? '';
    found.push({ text: lines.slice(i, last + 1).join('\n'), name, comment: last === i ? comment : '' });
    i = last;
  }
  return found;
}

/** An opening quote without its closing one on the same line reaches to the line that has it, if one does. */
function lastLine(lines: readonly string[], first: number, value: string): number {
  const quote = value[0];
  if (quote === undefined || !'"\'`'.includes(quote) || value.indexOf(quote, 1) > 0) return first;
  const closing = lines.findIndex((line, i) => i > first && line.includes(quote));
  return closing < 0 ? first : closing;
}

/** The simplest spelling that reads back as the same value, also with a comment and other lines behind it. */
function encode(value: string): string {
  const spellings = [
    ...(/^[\w@%+=:,./-]+$/.test(value) ? [value] : []),
    ...(/[\r\n]/.test(value) ? [] : [`"${value}"`, `'${value}'`, `\`${value}\``]),
    `"${value.replaceAll('\n', '\\n')}"`,
    ENCODED + Buffer.from(value, 'utf8').toString('base64'),
  ];
  const faithful = spellings.find((spelling) => {
    if (/[\r\n]/.test(spelling)) return false;
    const read = readEnvFile(`NAME=${spelling} # comment\nNEXT=1\n`);
    return read['NAME'] === value && read['NEXT'] === '1';
  });
  if (faithful === undefined) throw fail('input.invalid', 'The value cannot be kept in an .env file');
  return faithful;
}
