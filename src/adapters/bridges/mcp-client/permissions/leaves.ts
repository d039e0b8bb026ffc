import { isRecord } from '#kit/is-record';

/** A plain value somewhere in the arguments of a call, and the nearest name above it. */
export interface Leaf {
  readonly key: string;
  readonly value: unknown;
}

const MOST_LEAVES = 10_000;

/** Undefined: there are more than anybody would check. */
export function leavesOf(input: unknown): Leaf[] | undefined {
  const out: Leaf[] = [];
  const open: Leaf[] = [{ key: '', value: input }];
  for (let leaf = open.pop(); leaf !== undefined; leaf = open.pop()) {
    const { key, value } = leaf;
    if (Array.isArray(value)) for (const item of value) open.push({ key, value: item });
    else if (isRecord(value))
      for (const name of Object.keys(value)) open.push({ key: name, value: value[name] });
    else out.push(leaf);
    if (open.length + out.length > MOST_LEAVES) return undefined;
  }
  return out;
}

const CONTENT =
  /^(?:content|contents|text|body|data|blob|old_?text|new_?text|old_?string|new_?string|message|prompt|value|description|title)$/i;

/** Names under which tools take what is to be written, rather than where. */
export const isContentKey = (key: string): boolean => CONTENT.test(key);
