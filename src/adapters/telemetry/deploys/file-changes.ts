import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { Change } from '#spec/data';
import type { ChangesSource } from '#spec/ports';
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
    throw fail('backend.bad_response', `${path} is not JSON.`, undefined, cause);
  }
  const content = Content.safeParse(value);
  if (content.success) return content.data;
  const [issue] = content.error.issues;
  throw fail(
    'backend.bad_response',
    `${path} is neither a list of changes nor a deploy registry${issue?.path.length ? ` (${issue.path.join('.')})` : ''}.`,
  );
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= MOST_BYTES) return await readFile(path, 'utf8');
  } catch (cause) {
    throw fail('backend.unreachable', `Cannot read ${path}.`, 'Check the setting path.', cause);
  }
  throw fail('backend.bad_response', `${path} has more than ${MOST_BYTES} bytes.`);
}
