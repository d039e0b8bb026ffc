import type { z } from 'zod';
import { readText } from '#adapters/store';
import { checkedYaml, readWrittenYaml, type WrittenYaml } from '#config';

/** Undefined where there is no such file. Throws `config.invalid` for what is no YAML, with file, line and column. */
export async function openHomeYaml(file: string): Promise<WrittenYaml | undefined> {
  const text = await readText(file);
  return text === undefined ? undefined : readWrittenYaml(text, file);
}

/** A file of the home as its reader wants it. `empty` is what a missing file means. */
export async function readHomeYaml<T>(file: string, schema: z.ZodType<T>, empty: unknown = {}): Promise<T> {
  return checkedYaml(await openHomeYaml(file), file, schema, empty);
}
