import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { bareName } from './breaking-changes.ts';
import { listIn, Paths, pathsIn, stringIn } from '../loose.ts';
import { dependenciesOf } from './manifests.ts';
import type { MigrationEdit, MigrationStep } from './migration-plan.ts';
import { textIfAny } from '../read-text.ts';
import { parseVersion } from './versions.ts';
import { answer, count } from '../../text/answer.ts';

const MANIFESTS = ['package.json', 'requirements.txt', 'pyproject.toml', 'go.mod', 'Cargo.toml'];

const input = z.strictObject({
  changes: z.unknown().describe('of analyze_breaking_changes'),
  codebase: Paths.describe('files that use the package'),
  strategy: z
    .enum(['incremental', 'all_at_once'])
    .default('incremental')
    .describe('incremental: a step for each change, checked after each'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'generate_migration_plan',
  toolset: 'actions',
  description:
    'Steps for moving to a new version: edits that can be made by rule, places to look at by hand, checks.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ codebase }) => ({ reads: pathsIn(codebase) }),
  run: plan,
});

const Change = z.object({
  version: z.string().default(''),
  kind: z.string(),
  symbol: z.string().optional(),
  replacement: z.string().optional(),
  text: z.string().default(''),
  severity: z.string().default('medium'),
  affects: z.array(z.object({ file: z.string(), line: z.number() })).default([]),
});
type Change = z.infer<typeof Change>;

async function plan({ changes, codebase, strategy }: Input, context: ToolContext): Promise<ToolResult> {
  const found = [
    ...listIn(changes, 'breaking', 'changes'),
    ...listIn(listOrNone(changes, 'deprecations')),
  ].flatMap((entry): Change[] => {
    const parsed = Change.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  const using = pathsIn(codebase);
  const name = stringIn(changes, 'package');
  const to = stringIn(changes, 'to_version');
  const upgrade = await upgradeStep(name, to, context);
  const replacing: Omit<MigrationStep, 'id'>[] = [];
  const byHand: Omit<MigrationStep, 'id'>[] = [];
  for (const change of found) {
    const edits = await editsFor(change, using, context);
    if (edits.length > 0) replacing.push(replaceStep(change, edits));
    else if (change.affects.length > 0 || change.kind === 'requirement') byHand.push(manualStep(change));
  }
  const unaffected = found.length - replacing.length - byHand.length;
  const steps = ordered(upgrade, replacing, byHand, strategy).map((step, at) => ({
    id: `step-${at + 1}`,
    ...step,
  }));
  const edits = steps.reduce((sum, step) => sum + step.edits.length, 0);
  const lines = steps.map(
    ({ id, kind, title, files }) =>
      `${id} [${kind}] ${title}${files.length > 0 ? ` (${files.join(', ')})` : ''}`,
  );
  const summary = `${count(steps.length, 'step')}, ${count(edits, 'edit')}, ${byHand.length} by hand`;
  return answer([summary, ...lines].join('\n'), summary, {
    package: name ?? null,
    from_version: stringIn(changes, 'from_version') ?? null,
    to_version: to ?? null,
    strategy,
    steps,
    edit_count: edits,
    manual_count: byHand.length,
    unaffected,
    files: [...new Set(steps.flatMap((step) => step.files))],
    summary,
  });
}

const listOrNone = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)[key]
    : [];

/** The manifest, with the operator in front of the version as it was. */
async function upgradeStep(
  name: string | undefined,
  to: string | undefined,
  { files }: ToolContext,
): Promise<Omit<MigrationStep, 'id'> | undefined> {
  if (name === undefined || to === undefined || !parseVersion(to)) return undefined;
  const listed = (await Promise.all(MANIFESTS.map((manifest) => dependenciesOf(files, manifest)))).flat();
  const edits = listed
    .filter((dependency) => dependency.name === name && parseVersion(dependency.demanded))
    .map(({ manifest, demanded }): MigrationEdit => {
      const operator = /^[^\d]*/.exec(demanded)?.[0] ?? '';
      return {
        file: manifest,
        kind: 'version',
        from: demanded,
        to: `${operator}${to.replace(/^v/, '')}`,
        package: name,
      };
    });
  if (edits.length === 0) return undefined;
  return {
    title: `Demand ${name} ${to}`,
    kind: 'upgrade',
    files: edits.map(({ file }) => file),
    edits,
    reason: 'The new version, before what depends on it.',
    risk: 'medium',
  };
}

/** Only plain names are replaced, and only in files that use the package and hold the name. */
async function editsFor(
  { kind, symbol, replacement }: Change,
  codebase: readonly string[],
  { files }: ToolContext,
): Promise<MigrationEdit[]> {
  if (
    symbol === undefined ||
    replacement === undefined ||
    !/^(?:renamed|removed|deprecated|changed)$/.test(kind)
  )
    return [];
  const [from, to] = [bareName(symbol), bareName(replacement)];
  if (!/^[A-Za-z_$][\w$]*$/.test(from) || !/^[A-Za-z_$][\w$]*$/.test(to) || from === to) return [];
  const edits: MigrationEdit[] = [];
  for (const file of codebase.slice(0, 500)) {
    const text = await textIfAny(files, file, 1_000_000);
    if (text !== undefined && new RegExp(`(?<![\\w$])${from.replaceAll('$', '\\$')}(?![\\w$])`).test(text))
      edits.push({ file, kind: 'symbol', from, to });
  }
  return edits;
}

const replaceStep = (change: Change, edits: readonly MigrationEdit[]): Omit<MigrationStep, 'id'> => ({
  title: `Replace ${edits[0]?.from} by ${edits[0]?.to}`,
  kind: 'replace',
  files: edits.map(({ file }) => file),
  edits: [...edits],
  reason: `${change.version} ${change.text}`.trim(),
  risk: 'medium',
});

const manualStep = (change: Change): Omit<MigrationStep, 'id'> => ({
  title:
    change.kind === 'requirement' ? 'Check what it runs on' : `Look at the uses of ${change.symbol ?? 'it'}`,
  kind: 'manual',
  files: [...new Set(change.affects.map(({ file, line }) => `${file}:${line}`))],
  edits: [],
  reason: `${change.version} ${change.text}`.trim(),
  risk: change.severity,
});

const VERIFY: Omit<MigrationStep, 'id'> = {
  title: 'Run the tests',
  kind: 'verify',
  files: [],
  edits: [],
  reason: 'test_run',
  risk: 'low',
};

function ordered(
  upgrade: Omit<MigrationStep, 'id'> | undefined,
  replacing: readonly Omit<MigrationStep, 'id'>[],
  byHand: readonly Omit<MigrationStep, 'id'>[],
  strategy: Input['strategy'],
): Omit<MigrationStep, 'id'>[] {
  const work = [...(upgrade ? [upgrade] : []), ...replacing, ...byHand];
  if (work.length === 0) return [];
  return strategy === 'incremental' ? work.flatMap((step) => [step, VERIFY]) : [...work, VERIFY];
}
