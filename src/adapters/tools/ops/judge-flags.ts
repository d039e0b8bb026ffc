/** Flags that a program is allowed, by name: whether they take a value. The short form is given with the long one. */
export type FlagTable = Readonly<Record<string, { readonly short?: string; readonly value?: boolean }>>;

export interface JudgedArgs {
  readonly positionals: readonly string[];
  /** By long name; true for a flag without a value. */
  readonly flags: ReadonlyMap<string, string | true>;
}

/**
 * Reads arguments by a list of what is allowed, or tells what is wrong with them. What was understood can be written
 * again in one notation (`writeFlags`), so that the program reads exactly what was judged.
 */
export function judgeFlags(args: readonly string[], table: FlagTable): JudgedArgs | string {
  const positionals: string[] = [];
  const flags = new Map<string, string | true>();
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-') || arg === '-') {
      if (arg === '-' || arg === '') return `'${arg}' is not allowed as an argument.`;
      positionals.push(arg);
      continue;
    }
    const read = readFlag(arg, table);
    if (!read) return `The option ${arg} is not allowed.`;
    const takes = table[read.name]?.value === true;
    const value = takes && read.value === undefined ? args[(at += 1)] : read.value;
    if (takes && value === undefined) return `The option ${arg} needs a value.`;
    if (!takes && value !== undefined && value !== 'true') return `The option ${arg} takes no value.`;
    flags.set(read.name, takes ? (value ?? '') : true);
  }
  return { positionals, flags };
}

/** `--name=value`, always. */
export const writeFlags = (flags: ReadonlyMap<string, string | true>): string[] =>
  [...flags].map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));

function readFlag(arg: string, table: FlagTable): { name: string; value?: string } | undefined {
  const [, name = '', value] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(arg) ?? [];
  if (name)
    return Object.hasOwn(table, name) ? { name, ...(value === undefined ? {} : { value }) } : undefined;
  const [, letter = '', rest = ''] = /^-([a-zA-Z])(.*)$/s.exec(arg) ?? [];
  const entry = Object.entries(table).find(([, flag]) => flag.short === letter);
  if (!letter || !entry) return undefined;
  if (rest === '') return { name: entry[0] };
  return entry[1].value ? { name: entry[0], value: rest.replace(/^=/, '') } : undefined;
}
