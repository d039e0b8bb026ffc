import { basename } from 'node:path';
import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import { type ConfigPath, formatPath } from './config-path.ts';
import { invalidFile } from './invalid-config.ts';
import type { Problem } from './problem.ts';
import { NOT_READ_YET } from './unread/not-read-yet.ts';
import { siftUnread } from './unread/unread-keys.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/** A YAML file that people write, which can still say where everything stands. */
export interface WrittenYaml extends Pick<YamlSource, 'data' | 'place'> {
  readonly file: string;
  /** What is written there and read by nobody. */
  readonly unread: readonly Problem[];
}

/** Throws `config.invalid` for what is no YAML, with file, line and column. */
export function readWrittenYaml(text: string, file: string): WrittenYaml {
  const yaml = readYaml(text, file);
  if (yaml.problems.length > 0) throw invalidFile(yaml.problems);
  const unbuilt = NOT_READ_YET[basename(file) as keyof typeof NOT_READ_YET] ?? [];
  const { data, warnings } = siftUnread(yaml, file, unbuilt);
  return { file, data, place: yaml.place, unread: warnings };
}

/**
 * A file as its reader wants it: every key that is read is in the schema, and every other one is an error with its
 * place. `empty` is what a missing file means.
 */
export function checkedYaml<T>(
  yaml: WrittenYaml | undefined,
  file: string,
  schema: z.ZodType<T>,
  empty: unknown = {},
): T {
  const read = schema.safeParse(yaml?.data ?? empty);
  if (read.success) return read.data;
  throw invalidFile(read.error.issues.flatMap((issue) => problemsOf(issue, schema, file, yaml)));
}

function problemsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  file: string,
  yaml: WrittenYaml | undefined,
): Problem[] {
  const path = issue.path as ConfigPath;
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path);
    return issue.keys.map((key) => {
      const close = nearest(key, known);
      const more = close
        ? `; did you mean ${close}?`
        : known.length > 0
          ? `; allowed: ${known.join(', ')}`
          : '';
      return problemAt(file, yaml, [...path, key], 'key', `unknown key${more}`);
    });
  }
  return [problemAt(file, yaml, path, 'value', issue.message)];
}

function problemAt(
  file: string,
  yaml: Pick<YamlSource, 'place'> | undefined,
  path: ConfigPath,
  part: 'key' | 'value',
  message: string,
): Problem {
  const { line, column } = yaml?.place(path, part) ?? {};
  return {
    source: file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    path: formatPath(path),
    message,
  };
}

/**
 * Runs what reads the data of a file. An error that says in its details which key it is about gets the place of that key
 * in the file: adapters know their settings, and nothing of files.
 */
export async function atItsPlace<T>(
  file: string,
  yaml: Pick<YamlSource, 'place'> | undefined,
  read: () => Promise<T> | T,
): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !yaml) throw thrown;
    const { details, hint } = thrown.record;
    const found = Array.isArray(details?.['problems']) ? details['problems'] : [];
    const problems = found.flatMap((one): Problem[] =>
      isRecord(one) && Array.isArray(one['path']) && typeof one['message'] === 'string'
        ? [problemAt(file, yaml, one['path'] as ConfigPath, 'key', one['message'])]
        : [],
    );
    throw problems.length > 0 ? invalidFile(problems, hint) : thrown;
  }
}

/** The keys that a schema knows at a place, for suggestions; none where it takes any. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
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
