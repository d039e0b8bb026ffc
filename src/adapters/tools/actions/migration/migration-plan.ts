import { z } from 'zod';

export const MigrationEdit = z.object({
  file: z.string().min(1),
  /** `symbol`: every use of a name. `version`: what the manifest demands of a package. */
  kind: z.enum(['symbol', 'version']),
  from: z.string().min(1).max(200),
  to: z.string().max(200),
  package: z.string().optional(),
});
export type MigrationEdit = z.infer<typeof MigrationEdit>;

export const MigrationStep = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['replace', 'upgrade', 'manual', 'verify']),
  files: z.array(z.string()).default([]),
  edits: z.array(MigrationEdit).default([]),
  reason: z.string().default(''),
  risk: z.string().default('medium'),
});
export type MigrationStep = z.infer<typeof MigrationStep>;

export const MigrationPlan = z.object({
  steps: z.array(MigrationStep).max(500),
  package: z.string().nullish(),
  strategy: z.string().default('incremental'),
});
export type MigrationPlan = z.infer<typeof MigrationPlan>;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text with an edit made, or the reason why it cannot be. Comments keep the old name. */
export function applyEdit(
  text: string,
  edit: MigrationEdit,
): { readonly text: string; readonly changes: number } | { readonly problem: string } {
  return edit.kind === 'version' ? applyVersion(text, edit) : applySymbol(text, edit);
}

function applySymbol(text: string, { from, to }: MigrationEdit) {
  const name = new RegExp(`(?<![\\w$])${escaped(from)}(?![\\w$])`, 'g');
  let changes = 0;
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:\/\/|#|\*|\/\*)/.test(line)) return line;
    return line.replace(name, () => {
      changes++;
      return to;
    });
  });
  return changes > 0 ? { text: lines.join('\n'), changes } : { problem: `${from} does not stand there` };
}

function applyVersion(text: string, { from, to, package: name = '' }: MigrationEdit) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes(name) && line.includes(from));
  const line = lines[at];
  if (line === undefined) return { problem: `${name} ${from} is not demanded there` };
  // The name may hold the digits of the version.
  const split = line.indexOf(name) + name.length;
  lines[at] = line.slice(0, split) + line.slice(split).replace(from, () => to);
  return { text: lines.join('\n'), changes: 1 };
}
