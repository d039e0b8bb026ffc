import { createHash } from 'node:crypto';

const MOST_NAME = 64;
const MARK_CHARS = 8;
const ENDS_LIKE_MARK = new RegExp(`_[0-9a-f]{${MARK_CHARS}}$`);

/** What the tools are called that stand for resources and prompts of all servers. */
export const SHARED_NAMES = [
  'mcp_list_resources',
  'mcp_read_resource',
  'mcp_list_prompts',
  'mcp_get_prompt',
] as const;

/**
 * A name that models accept, the same at every start, and never that of another server's tool. It is `mcp_<server>_<tool>`
 * where only one server and one tool can be read out of that; otherwise it ends with a mark of both.
 */
export function toolName(server: string, tool: string): string {
  const written = `mcp_${server}_${tool}`;
  const plain = written.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const clear =
    plain === written &&
    plain.length <= MOST_NAME &&
    !server.includes('_') &&
    !ENDS_LIKE_MARK.test(plain) &&
    !SHARED_NAMES.some((name) => name === plain);
  if (clear) return plain;
  const mark = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, MARK_CHARS);
  return `${plain.slice(0, MOST_NAME - MARK_CHARS - 1)}_${mark}`;
}

/** Those whose name no other one of them has: a mark is short, and somebody may have looked for its double. */
export function withOwnName<T extends { readonly name: string }>(
  tools: readonly T[],
  onDouble: (name: string) => void,
): T[] {
  const times = new Map<string, number>();
  for (const { name } of tools) times.set(name, (times.get(name) ?? 0) + 1);
  for (const [name, count] of times) if (count > 1) onDouble(name);
  return tools.filter(({ name }) => times.get(name) === 1);
}
