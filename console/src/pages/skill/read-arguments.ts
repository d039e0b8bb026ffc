import type { PlannedArgument } from '#spec/api';

export interface ReadArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** Names of arguments whose text is not what they take. */
  readonly wrong: readonly string[];
  readonly missing: readonly string[];
}

/** What was typed for each argument, as a run takes it. What was left empty is left out: its default holds. */
export function readArguments(
  declared: readonly Pick<PlannedArgument, 'name' | 'type' | 'from' | 'choices'>[],
  typed: Readonly<Record<string, string>>,
): ReadArguments {
  const args: Record<string, unknown> = {};
  const wrong: string[] = [];
  const missing: string[] = [];
  for (const { name, type, from, choices } of declared) {
    const text = typed[name] ?? '';
    if (text === '') {
      if (from === 'missing') missing.push(name);
      continue;
    }
    const chosen = choices?.find((choice) => textOf(choice) === text);
    const value = chosen === undefined ? valueOf(text, type) : chosen;
    if (value === undefined) wrong.push(name);
    else args[name] = value;
  }
  return { args, wrong, missing };
}

/** A value as it stands in a field. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Undefined: it is none of that type. Without a type, JSON is taken for what it says and anything else for text. */
function valueOf(text: string, type: PlannedArgument['type']): unknown {
  if (type === 'string') return text;
  const read = parsed(text);
  if (type === undefined)
    return /^(?:[[{"]|true$|false$|-?\d+(?:\.\d+)?$)/.test(text) ? (read ?? text) : text;
  if (type === 'array') return Array.isArray(read) ? read : undefined;
  if (type === 'object')
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined;
  return typeof read === type ? read : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
