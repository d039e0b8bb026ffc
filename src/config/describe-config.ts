import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { type ConfigPath, formatPath } from './config-path.ts';
import { childOf, expectation, type Field, fieldOf, keysOf } from './field.ts';
import type { FieldDoc } from './field-docs.ts';
import { type Config, ROOT } from './schema.ts';

/** One key that can be set. `*` stands for a name, `[n]` for a position. */
export interface ConfigKey {
  readonly path: string;
  readonly type: 'text' | 'number' | 'true/false' | 'choice' | 'list' | 'group' | 'mixed';
  readonly allowed: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default?: unknown;
  readonly en: string;
  readonly zh: string;
}

/** Every key of config.yaml that holds a value, in the schema's order. */
export function describeConfig(): ConfigKey[] {
  return (keysOf(ROOT) ?? []).flatMap((key) => describeField(childOf(ROOT, key) as Field, key));
}

/** The same configuration with every secret as `[set]` or `[not set]`. */
export function maskSecrets(config: Config): unknown {
  return mask(config, ROOT);
}

/** Each value that is set or has a default, fit to be shown. */
export function listConfigValues(config: Config): { readonly path: string; readonly value: unknown }[] {
  return leaves(maskSecrets(config), []);
}

function describeField(field: Field, path: string): ConfigKey[] {
  const { schema } = field;
  const inside = [
    ...(schema instanceof z.ZodObject
      ? (keysOf(field) ?? []).flatMap((key) => describeField(childOf(field, key) as Field, `${path}.${key}`))
      : []),
    ...(schema instanceof z.ZodRecord ? describeField(fieldOf(schema.valueType), `${path}.*`) : []),
    ...(schema instanceof z.ZodArray && schema.element instanceof z.ZodObject
      ? describeField(fieldOf(schema.element), `${path}[n]`)
      : []),
  ];
  return inside.length > 0 ? inside : [leaf(field, path)];
}

function leaf(field: Field, path: string): ConfigKey {
  const doc = field.doc as FieldDoc;
  return {
    path,
    type: typeOf(field.schema),
    allowed: expectation(field),
    required: field.required,
    secret: isSecret(field),
    ...('default' in field ? { default: field.default } : {}),
    en: doc.en,
    zh: doc.zh,
  };
}

function isSecret({ schema, doc }: Field): boolean {
  if (schema instanceof z.ZodArray) return isSecret(fieldOf(schema.element));
  return doc?.secret === true;
}

function typeOf(schema: z.core.$ZodType): ConfigKey['type'] {
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'true/false';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return 'group';
  return schema instanceof z.ZodUnion ? 'mixed' : 'text';
}

function mask(value: unknown, field: Field | undefined): unknown {
  if (Array.isArray(value)) return value.map((item, i) => mask(item, field && childOf(field, i)));
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mask(item, field && childOf(field, key))]),
    );
  }
  if (!field?.doc?.secret && !field?.doc?.hidden) return value;
  return value === '' || value === undefined ? '[not set]' : '[set]';
}

function leaves(value: unknown, path: ConfigPath): { path: string; value: unknown }[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item, i) => leaves(item, [...path, i]));
  if (isRecord(value)) return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]));
  return [{ path: formatPath(path), value }];
}
