import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import type { WorkflowArgument } from '../file/workflow.ts';

export interface ResolvedArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
  /** Sentences. */
  readonly problems: readonly string[];
  /** Given, and used by nothing. */
  readonly unused: readonly string[];
}

/** What a run starts with: what was given, as the type that is declared, and the defaults. */
export function resolveArguments(
  declared: readonly WorkflowArgument[],
  given: Readonly<Record<string, unknown>>,
  /** False: the arguments are only what the texts name, so others may be given as well. */
  strict: boolean,
): ResolvedArguments {
  const values: Record<string, unknown> = {};
  const missing: string[] = [];
  const problems: string[] = [];
  for (const argument of declared) {
    const { name, choices } = argument;
    const written = Object.hasOwn(given, name) ? given[name] : argument.default;
    if (written === undefined) {
      if (argument.required) missing.push(name);
      else values[name] = null;
      continue;
    }
    const read = typed(written, argument.type);
    if (read === undefined) problems.push(`'${name}' has to be of type ${argument.type}`);
    else if (choices && !choices.includes(read))
      problems.push(`'${name}' has to be one of ${choices.join(', ')}`);
    else values[name] = read;
  }
  const names = declared.map(({ name }) => name);
  const unused = Object.keys(given).filter((name) => !names.includes(name));
  if (strict) {
    for (const name of unused) {
      const meant = nearest(name, names);
      problems.push(`there is no argument '${name}'${meant ? `: did you mean '${meant}'?` : ''}`);
    }
  }
  return { values, missing, problems, unused: strict ? [] : unused };
}

/** A command line gives texts: what is declared otherwise is read from them. */
function typed(value: unknown, type: WorkflowArgument['type']): unknown {
  if (type === undefined) return value;
  const read = typeof value === 'string' && type !== 'string' ? parsed(value) : value;
  if (type === 'array') return Array.isArray(read) ? read : undefined;
  if (type === 'object') return isRecord(read) ? read : undefined;
  if (type === 'string' && (typeof read === 'number' || typeof read === 'boolean')) return String(read);
  return typeof read === type ? read : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
