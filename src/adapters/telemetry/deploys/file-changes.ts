import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { Change } from '#spec/data';
import type { ChangesSource } from '#spec/ports';
import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { DeployRegistry } from '#kit/deploy-registry';
import { collectChanges } from './change-collection.ts';

const MOST_BYTES = 16_000_000;
const Content = z.union([
  z.array(Change),
  DeployRegistry.transform(({ history }): Change[] => history as Change[]),
]);

/** Changes in a JSON file that others write: a list of them, or a deploy registry with its history. Read anew each time. */
export function fileChanges(path: string): ChangesSource {
  return {
    name: 'json_file',
    async changes(scope, signal) {
      signal.throwIfAborted();
      const began = performance.now();
      const found = collectChanges(await readChanges(path), scope, []);
      const ms = Math.round(performance.now() - began);
      return { ...found, asked: [{ query: `history in ${path}`, found: found.items.length, ms }] };
    },
  };
}

export async function readChanges(path: string): Promise<Change[]> {
  const text = await textOf(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail('backend.bad_response', tell(`${path} is not JSON.`, `${path} 不是 JSON。`), undefined, cause);
  }
  const content = Content.safeParse(value);
  if (content.success) return content.data;
  const at = content.error.issues[0]?.path.join('.');
  throw fail(
    'backend.bad_response',
    tell(
      `${path} is neither a list of changes nor a deploy registry${at ? ` (${at})` : ''}.`,
      `${path} 既不是变更列表,也不是部署登记文件${at ? `(${at})` : ''}。`,
    ),
  );
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= MOST_BYTES) return await readFile(path, 'utf8');
  } catch (cause) {
    throw fail(
      'backend.unreachable',
      tell(`Cannot read ${path}.`, `无法读取 ${path}。`),
      tell('Check the setting path.', '检查设置 path。'),
      cause,
    );
  }
  throw fail(
    'backend.bad_response',
    tell(`${path} has more than ${MOST_BYTES} bytes.`, `${path} 超过 ${MOST_BYTES} 字节。`),
  );
}
