import { z } from 'zod';
import type { ConfigPath } from './config-path.ts';
import { type FieldDoc, fieldDocs } from './field-docs.ts';

/** One place in the schema, without the wrappers that make it optional or give it a default. */
export interface Field {
  readonly schema: z.core.$ZodType;
  readonly required: boolean;
  readonly default?: unknown;
  readonly doc?: FieldDoc;
}

export function fieldOf(outer: z.core.$ZodType): Field {
  let schema = outer;
  let required = true;
  let preset: unknown;
  let doc = fieldDocs.get(schema as z.ZodType);
  while (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    if (schema instanceof z.ZodDefault) preset = schema.def.defaultValue;
    required = false;
    schema = schema.def.innerType;
    doc ??= fieldDocs.get(schema as z.ZodType);
  }
  return { schema, required, ...(preset === undefined ? {} : { default: preset }), ...(doc ? { doc } : {}) };
}

/** The names a group knows; undefined for anything that is not a group. */
export function keysOf(field: Field): string[] | undefined {
  const group = groupOf(field);
  return group && Object.keys(group.shape);
}

/** The field under one key or position; undefined where the schema has none. */
export function childOf(field: Field, segment: string | number): Field | undefined {
  const { schema } = field;
  if (schema instanceof z.ZodArray) return typeof segment === 'number' ? fieldOf(schema.element) : undefined;
  if (typeof segment === 'number') return undefined;
  if (schema instanceof z.ZodRecord) return fieldOf(schema.valueType);
  const shape = groupOf(field)?.shape;
  return shape && Object.hasOwn(shape, segment) ? fieldOf(shape[segment] as z.core.$ZodType) : undefined;
}

export function fieldAt(root: Field, path: ConfigPath): Field | undefined {
  return path.reduce<Field | undefined>((field, segment) => field && childOf(field, segment), root);
}

/** The group itself, or the group among the forms that a key may take. */
function groupOf({ schema }: Field): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodUnion) return schema.options.find((option) => option instanceof z.ZodObject);
  return undefined;
}

/** What may stand here, in words that complete "allowed: …". */
export function expectation({ schema }: Field): string {
  const said = schema instanceof z.ZodType ? schema.meta()?.['expects'] : undefined;
  if (typeof said === 'string') return said;
  if (schema instanceof z.ZodEnum) return schema.options.join(', ');
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodNumber) return numberRange(schema);
  if (schema instanceof z.ZodArray) return `a list of: ${expectation(fieldOf(schema.element))}`;
  if (schema instanceof z.ZodUnion) {
    return schema.options.map((option) => expectation(fieldOf(option))).join(', or ');
  }
  if (schema instanceof z.ZodObject) return `a group with the keys ${Object.keys(schema.shape).join(', ')}`;
  if (schema instanceof z.ZodRecord) return 'a group of names';
  return 'text';
}

/** What may be a name in a group that takes any. */
export function nameExpectation(field: Field | undefined): string {
  return field?.schema instanceof z.ZodRecord ? expectation(fieldOf(field.schema.keyType)) : 'text';
}

function numberRange(schema: z.ZodNumber): string {
  const kind = schema.format === 'safeint' ? 'a whole number' : 'a number';
  const least = schema.minValue ?? Number.NEGATIVE_INFINITY;
  const most = schema.maxValue ?? Number.POSITIVE_INFINITY;
  if (Number.isFinite(least) && Number.isFinite(most) && most < Number.MAX_SAFE_INTEGER) {
    return `${kind} from ${least} to ${most}`;
  }
  return Number.isFinite(least) ? `${kind} of at least ${least}` : kind;
}
