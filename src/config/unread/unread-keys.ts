import { isRecord } from '#kit/is-record';
import { type ConfigPath, formatPath, parsePath } from '../config-path.ts';
import type { Problem } from '../problem.ts';
import type { YamlSource } from '../yaml-source.ts';
import { UNREAD } from './not-read-yet.ts';

interface Sifted {
  /** The data without what nobody reads. */
  readonly data: unknown;
  readonly warnings: readonly Problem[];
}

/** Takes keys that nothing reads yet out of the data, and says where each stands. `under`: where the keys begin. */
export function siftUnread(
  yaml: Pick<YamlSource, 'data' | 'place'>,
  file: string,
  keys: readonly string[],
  under: ConfigPath = [],
): Sifted {
  const data: unknown = structuredClone(yaml.data);
  const warnings: Problem[] = [];
  const root = at(data, under);
  const paths = keys.flatMap((key): ConfigPath[] =>
    key === '*' ? (isRecord(root) ? Object.keys(root).map((name) => [name]) : []) : [parsePath(key)],
  );
  for (const path of paths) {
    const holder = at(root, path.slice(0, -1));
    const last = String(path.at(-1));
    if (!isRecord(holder) || !Object.hasOwn(holder, last)) continue;
    delete holder[last];
    const { line, column } = yaml.place([...under, ...path], 'key') ?? {};
    warnings.push({
      source: file,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      path: formatPath([...under, ...path]),
      message: UNREAD,
    });
  }
  return { data, warnings };
}

const at = (data: unknown, path: ConfigPath): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[String(key)] : undefined), data);
