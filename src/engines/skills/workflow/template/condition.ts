import type { Environment } from '@marcbachmann/cel-js';
import { isRecord } from '#kit/is-record';
import { lookUp, type Scope, UnknownName } from './look-up.ts';
import { pathParts, TemplateError } from './parse-template.ts';
import type { NamedPath } from './template-roots.ts';

/** Whether a condition holds, and in words why it could not be told. */
interface ConditionOutcome {
  readonly holds: boolean;
  /** It compares with something that is not there, because its step did not run. */
  readonly because?: string;
}

export interface Conditions {
  test(condition: string, scope: Scope): ConditionOutcome;
  /** What it names. Throws when it cannot be read. */
  paths(condition: string): readonly NamedPath[];
}

/** What a condition says, in the grammar that decides it: each reference is a name of its own. */
interface Translated {
  readonly expression: string;
  readonly references: readonly (readonly string[])[];
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\$\{([^{}]*)\}|\{\{\s*([^{}]*?)\s*\}\}|[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|\s+|./gsu;

const WORDS: Readonly<Record<string, string>> = {
  and: '&&',
  AND: '&&',
  or: '||',
  OR: '||',
  not: '!',
  NOT: '!',
  True: 'true',
  False: 'false',
  None: 'null',
  none: 'null',
};

/** Conditions such as `${anomalies.count} > 0 and hour >= 9`. What decides them is loaded at the first use. */
export async function loadConditions(): Promise<Conditions> {
  const cel = await import('@marcbachmann/cel-js');
  const environment = new cel.Environment({ unlistedVariablesAreDyn: true });
  return {
    test: (condition, scope) => test(environment, condition, scope),
    paths: (condition) => {
      const { expression, references } = translate(condition);
      try {
        environment.parse(expression);
      } catch (error) {
        throw unreadable(condition, error);
      }
      const bare = bareNames(expression).map((name) => ({ parts: [name], reference: false }));
      return [...references.map((parts) => ({ parts, reference: true })), ...bare];
    },
  };
}

function test(environment: Environment, condition: string, scope: Scope): ConditionOutcome {
  const { expression, references } = translate(condition);
  const values: Record<string, unknown> = {};
  const absent: string[] = [];
  for (const [i, parts] of references.entries()) {
    const value = lookUp(scope, parts);
    if (value === null) absent.push(parts.join('.'));
    values[`ref${i}_`] = celValue(value);
  }
  for (const name of bareNames(expression)) {
    if (Object.hasOwn(scope, name)) values[name] = celValue(scope[name] ?? null);
    else throw new UnknownName(name, `nothing is called '${name}' here`);
  }
  try {
    const result: unknown = environment.evaluate(expression, values);
    return { holds: Boolean(result) };
  } catch (error) {
    if (absent.length > 0) return { holds: false, because: `there is no ${absent.join(', ')}` };
    throw unreadable(condition, error);
  }
}

const unreadable = (condition: string, error: unknown): TemplateError => {
  const [line = ''] = (error as Error).message.split('\n');
  return new TemplateError(`'${condition}' cannot be decided: ${line}`);
};

function translate(condition: string): Translated {
  const references: (readonly string[])[] = [];
  let expression = '';
  for (const [token, dollar, braces] of condition.matchAll(TOKEN)) {
    const path = dollar ?? braces;
    if (path === undefined) {
      expression += WORDS[token] ?? token;
      continue;
    }
    const parts = pathParts(path.trim());
    if (!parts) throw new TemplateError(`'${token}' is not a reference such as \${output.field}`);
    // A reference in quotes never gets here: a text in quotes is one token.
    expression += `ref${references.length}_`;
    references.push(parts);
  }
  return { expression: expression.trim(), references };
}

/** Names of the expression that are neither references, fields, calls nor words of the grammar. */
function bareNames(expression: string): readonly string[] {
  const plain = expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  const bound = new Set([...plain.matchAll(/\.\w+\(\s*(\w+)\s*,/g)].map(([, name]) => name));
  const found = [...plain.matchAll(/(?<![.\w\p{L}])([\p{L}_][\p{L}\p{N}_]*)(?!\s*\(|[\w\p{L}])/gu)];
  const names = found.map(([, name = '']) => name);
  return [...new Set(names)].filter(
    (name) => !/^(?:true|false|null|in|ref\d+_)$/.test(name) && !bound.has(name),
  );
}

/** Whole numbers are integers there, so that `${count} + 1` can be reckoned. */
function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, celValue(item)]));
}
