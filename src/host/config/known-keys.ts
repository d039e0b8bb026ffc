import { z } from 'zod';

/** The keys that a schema knows at a place, for suggestions; none where it takes any. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = bare(schema);
  const [first, ...rest] = path;
  if (first === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  const next =
    inner instanceof z.ZodObject
      ? (inner.shape as Record<string, z.ZodType>)[String(first)]
      : inner instanceof z.ZodArray
        ? (inner.element as z.ZodType)
        : inner instanceof z.ZodRecord
          ? (inner.valueType as z.ZodType)
          : undefined;
  return next ? knownKeys(next, rest) : [];
}

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return bare(schema.unwrap() as z.ZodType);
  return schema;
}
