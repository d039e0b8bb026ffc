import { parse } from 'yaml';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import { fromText } from './expand.ts';
import { expectation } from './field.ts';
import type { ResolvedPath } from './resolve-path.ts';
import { formatPath } from './config-path.ts';

/**
 * Reads what was typed as the schema wants it: text stays as typed, numbers and truth values are read,
 * groups and lists are YAML or JSON, and a list of texts may also be given with commas.
 */
export function parseValue(typed: string, { field, path }: ResolvedPath): unknown {
  const { schema } = field;
  const text = typed.trim();
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodEnum;
  if (isText || schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean)
    return fromText(typed, field);
  if (schema instanceof z.ZodUnion && !text.startsWith('{')) return typed;
  if (schema instanceof z.ZodArray && !text.startsWith('[') && schema.element instanceof z.ZodString) {
    return text === '' ? [] : text.split(',').map((item) => item.trim());
  }
  try {
    return parse(text);
  } catch (cause) {
    const message = `${formatPath(path)}: cannot be read as ${expectation(field)}`;
    throw fail('input.invalid', message, 'Write it as JSON and quote it for the shell.', cause);
  }
}
