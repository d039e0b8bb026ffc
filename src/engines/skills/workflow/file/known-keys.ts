import { z } from 'zod';

/** The keys that a schema knows at a place of the data. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = bare(schema);
  if (inner.length > 1) return inner.flatMap((one) => knownKeys(one, path));
  const [only] = inner;
  const [head, ...rest] = path;
  if (only instanceof z.ZodObject) {
    if (head === undefined) return Object.keys(only.shape);
    const next: unknown = only.shape[String(head)];
    return next instanceof z.ZodType ? knownKeys(next, rest) : [];
  }
  if (head === undefined) return [];
  if (only instanceof z.ZodArray) return knownKeys(only.element as z.ZodType, rest);
  if (only instanceof z.ZodRecord) return knownKeys(only.valueType as z.ZodType, rest);
  return [];
}

/** Without what only wraps; of a union, each of its members. */
function bare(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodOptional) return bare(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return bare(schema.in as z.ZodType);
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(bare);
  return [schema];
}
