import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import { invalidBackends, type KeyPath } from './invalid-backends.ts';

export interface Kind {
  readonly name: string;
  readonly settings: z.ZodType;
}

/** One entry of a list in `backends.yaml`: a kind, and its settings as the kind has read them. */
export interface KindEntry<K extends Kind> {
  /** As somebody named it; the kind's own name otherwise. */
  readonly name: string;
  readonly kind: K;
  readonly settings: unknown;
}

export type Manifest<K> = Readonly<Record<string, () => Promise<K>>>;

/** Reads a list of `{type, name?, …settings}`. Throws `config.invalid`, naming the entry and the key. */
export async function parseKinds<K extends Kind>(
  list: unknown,
  what: string,
  manifest: Manifest<K>,
): Promise<KindEntry<K>[]> {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw invalidBackends([what], `'${what}' must be a list.`);
  const entries: KindEntry<K>[] = [];
  for (const [at, entry] of list.entries()) entries.push(await parseEntry(entry, [what, at], manifest));
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw invalidBackends(
      [what, names.lastIndexOf(twice)],
      `${what}: two are named '${twice}'. Give one of them a 'name'.`,
    );
  return entries;
}

async function parseEntry<K extends Kind>(
  entry: unknown,
  place: readonly [what: string, at: number],
  manifest: Manifest<K>,
): Promise<KindEntry<K>> {
  const types = Object.keys(manifest);
  const where = `${place[0]}[${place[1]}]`;
  const invalid = (below: KeyPath, message: string, meant?: string, known?: readonly string[]) =>
    invalidBackends([...place, ...below], message, meant, known);
  if (!isRecord(entry)) throw invalid([], `${where} must be a mapping with a 'type'.`);
  const { type, name, ...own } = entry;
  if (typeof type !== 'string')
    throw invalid([], `${where}: 'type' is missing. It is one of ${types.join(', ')}.`);
  const load = Object.hasOwn(manifest, type) ? manifest[type] : undefined;
  if (!load) throw invalid(['type'], `${where}: there is no type '${type}'`, nearest(type, types), types);
  const kind = await load();
  const read = kind.settings.safeParse(own);
  if (read.success) return { name: typeof name === 'string' ? name : type, kind, settings: read.data };
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const known = kind.settings instanceof z.ZodObject ? Object.keys(kind.settings.shape) : [];
    const [key = ''] = issue.keys;
    const below = [...(issue.path as KeyPath), key];
    throw invalid(below, `${where}: unknown key '${key}'`, nearest(key, known), known);
  }
  const below = (issue?.path ?? []) as KeyPath;
  throw invalid(below, `${where}: '${issue?.path.join('.')}': ${issue?.message ?? 'it is not valid'}`);
}
