import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { importPattern, type UsagePattern, usageIn } from './api-usage.ts';
import { type Dependency, dependenciesOf } from './manifests.ts';
import { textIfAny } from '../read-text.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const MOST_FILES = 500;
const MOST_PATTERNS = 1_000;
const MOST_CANDIDATES = 60;

const input = z.strictObject({
  scan_paths: z
    .array(z.string().min(1))
    .max(50)
    .default(['.'])
    .describe('those that are not there are left out'),
  version_indicators: z
    .array(z.string().min(1))
    .max(50)
    .default(['package.json', 'requirements.txt', 'pyproject.toml', 'go.mod', 'Cargo.toml'])
    .describe('manifests'),
  package: z.string().max(200).optional().describe('default: the dependency that most files use'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'scan_api_usage',
  toolset: 'actions',
  description: 'Which version of a package the project has, and what it uses of it, file by file.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ scan_paths }) => ({ reads: scan_paths }),
  run: scan,
});

async function scan(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { files } = context;
  const listed = (
    await Promise.all(asked.version_indicators.map((manifest) => dependenciesOf(files, manifest)))
  ).flat();
  if (listed.length === 0)
    return refusal(`No dependency is named in ${asked.version_indicators.join(', ')}.`);
  const paths = await existing(asked.scan_paths, context);
  const chosen = await choose(asked.package, listed, paths, context);
  if (!chosen)
    return refusal(
      `The project does not depend on ${asked.package ?? 'anything that it imports'}. It has: ${listed
        .slice(0, 30)
        .map(({ name }) => name)
        .join(', ')}.`,
    );
  const { dependency, using } = chosen;
  const patterns: UsagePattern[] = [];
  for (const path of using.slice(0, MOST_FILES)) {
    const text = await textIfAny(files, path, 1_000_000);
    if (text !== undefined) patterns.push(...usageIn(path, text, dependency));
  }
  return report(dependency, using, patterns.slice(0, MOST_PATTERNS), listed);
}

async function existing(paths: readonly string[], { files }: ToolContext): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => files.stat(path)));
  const there = paths.filter((_, at) => found[at] !== undefined);
  return there.length > 0 ? there : ['.'];
}

interface Chosen {
  readonly dependency: Dependency;
  readonly using: readonly string[];
}

async function choose(
  wanted: string | undefined,
  listed: readonly Dependency[],
  paths: readonly string[],
  context: ToolContext,
): Promise<Chosen | undefined> {
  const named =
    wanted === undefined ? undefined : listed.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (wanted !== undefined)
    return named && { dependency: named, using: await importers(named, paths, context) };
  let best: Chosen | undefined;
  const runtime = listed.toSorted((a, b) => Number(a.dev) - Number(b.dev)).slice(0, MOST_CANDIDATES);
  for (const dependency of runtime) {
    context.signal.throwIfAborted();
    const using = await importers(dependency, paths, context);
    const better = using.length > (best?.using.length ?? 0);
    if (better && !(dependency.dev && best && !best.dependency.dev)) best = { dependency, using };
  }
  return best;
}

/** The files that import it. */
async function importers(
  dependency: Dependency,
  paths: readonly string[],
  { files, signal }: ToolContext,
): Promise<string[]> {
  const pattern = importPattern(dependency);
  const found = await Promise.all(
    paths.map((path) => files.search({ pattern, path, limit: 2 * MOST_FILES }, signal)),
  );
  return [...new Set(found.flat().map(({ path }) => path.replace(/^\.\//, '')))].sort();
}

function report(
  dependency: Dependency,
  using: readonly string[],
  patterns: readonly UsagePattern[],
  listed: readonly Dependency[],
): ToolResult {
  const counts = new Map<string, number>();
  for (const { symbol, kind } of patterns)
    if (kind !== 'import') counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  for (const { symbol } of patterns) if (!counts.has(symbol)) counts.set(symbol, 0);
  const symbols = [...counts].sort((a, b) => b[1] - a[1]).map(([name, uses]) => ({ name, uses }));
  const head = `${dependency.name} ${dependency.version} (${dependency.manifest}), used in ${count(using.length, 'file')}`;
  const lines = symbols.slice(0, 50).map(({ name, uses }) => `${name}: ${uses}`);
  return answer([head, ...lines].join('\n'), head, {
    package_name: dependency.name,
    version: dependency.version,
    demanded: dependency.demanded,
    ecosystem: dependency.ecosystem,
    manifest: dependency.manifest,
    usage_patterns: patterns,
    symbols,
    files: using,
    packages: listed
      .slice(0, 300)
      .map(({ name, version, ecosystem, dev }) => ({ name, version, ecosystem, dev })),
  });
}
