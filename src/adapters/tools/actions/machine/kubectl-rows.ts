import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { ToolContext } from '#spec/ports';
import { textOf } from '../call-shell.ts';

const Name = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][\w.@:/=,-]*$/);

/** Where in which cluster; the same for every action about Kubernetes. */
export const ClusterPlace = {
  namespace: Name.optional().describe('default: all'),
  selector: Name.optional(),
  context: Name.optional(),
};
export type ClusterPlace = { readonly [Key in keyof typeof ClusterPlace]?: string | undefined };

export const placeArgs = ({ namespace, selector, context }: ClusterPlace): string[] => [
  ...(namespace === undefined ? ['-A'] : ['-n', namespace]),
  ...(selector === undefined ? [] : ['-l', selector]),
  ...(context === undefined ? [] : [`--context=${context}`]),
];

/** A table by columns of our own, through the tool `kubernetes`, which decides what may be asked. */
export async function kubectlRows(
  args: readonly string[],
  columns: Readonly<Record<string, string>>,
  { callTool }: Pick<ToolContext, 'callTool'>,
): Promise<{ readonly rows: readonly Record<string, string>[]; readonly cut: boolean }> {
  const names = Object.keys(columns);
  const form = Object.entries(columns).map(([name, path]) => `${name.toUpperCase()}:${path}`);
  const result = await callTool('kubernetes', { args: [...args, '-o', `custom-columns=${form.join(',')}`] });
  const text = textOf(result);
  if (result.isError) throw fail('tool.failed', text);
  // Columns are apart by at least three spaces; a value has none of its own.
  const [, ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines
    .filter((line) => !line.startsWith('['))
    .map((line) => line.trim().split(/\s{3,}/))
    .map((cells) =>
      Object.fromEntries(names.map((name, at) => [name, cells[at] === '<none>' ? '' : (cells[at] ?? '')])),
    );
  return { rows, cut: /\[… [\d,]+ characters left out …\]|\[there is more/.test(text) };
}
