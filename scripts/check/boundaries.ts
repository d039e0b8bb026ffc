import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IDependency } from 'dependency-cruiser';
import { isOfTests, isTestSupport, mayImport, moduleOf } from './edges.ts';

const FOLDERS = ['src', 'testkit', 'demo', 'test/support', 'console/src'];

/** The console is a package of its own: what it sees of the rest is an alias of its compiler and its bundler. */
function consoleAlias(written: string): string | undefined {
  if (/^#spec\/(?:data|api|data\/operations)$/.test(written)) return `src/${written.slice(1)}/index.ts`;
  return written.startsWith('#kit/') ? `src/${written.slice(1)}.ts` : undefined;
}

/**
 * Reads every import of the tree and returns a line for each one that breaks a rule:
 * an edge that the table does not allow, a way into another module past its front door, a cycle,
 * an import that resolves to nothing, test support where it must not be.
 */
export async function boundaryViolations(root: string): Promise<string[]> {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const modules = await importGraph(root, folders);
  const seen = new Set(modules.map((module) => module.source));
  const unseen = folders.flatMap((folder) => sourceFiles(root, folder)).filter((path) => !seen.has(path));
  if (unseen.length || !modules.length) {
    return [`the import graph is incomplete: ${unseen.length} files were not read, such as ${unseen[0]}`];
  }
  const found = modules.flatMap(({ source, dependencies }) =>
    dependencies.map((dependency) => violation(source, dependency)).filter((line) => line !== undefined),
  );
  return [...new Set([...found, ...strayTestSupport(modules)])];
}

/** A line for each file among the sources that tests alone import. */
function strayTestSupport(modules: ICruiseResult['modules']): string[] {
  const importers = new Map<string, string[]>();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      importers.set(resolved, [...(importers.get(resolved) ?? []), source]);
    }
  }
  return [...importers]
    .filter(([path, by]) => /^(?:src|demo)\//.test(path) && !isOfTests(path) && by.every(isOfTests))
    .map(([path]) => `${path}: tests alone import it; test support lies in test/support/${moduleOf(path)}`);
}

function violation(source: string, dependency: IDependency): string | undefined {
  const { module: written, cycle } = dependency;
  const alias = source.startsWith('console/') ? consoleAlias(written) : undefined;
  const resolved = alias ?? dependency.resolved;
  const couldNotResolve = dependency.couldNotResolve && alias === undefined;
  // Packages are for the type check, which knows their export maps better.
  if (couldNotResolve && /^[#.]/.test(written)) return `${source}: '${written}' resolves to nothing`;
  // Types leave no trace at run time: two files may know each other's.
  const lasting = cycle?.every(({ dependencyTypes }) => !dependencyTypes.includes('type-only'));
  if (cycle?.length && lasting) {
    const round = cycle.map((step) => step.name);
    const start = round.indexOf([...round].sort()[0] as string);
    return `cycle: ${[...round.slice(start), ...round.slice(0, start + 1)].join(' → ')}`;
  }
  const from = moduleOf(source);
  const to = moduleOf(resolved);
  if (!from || !to) return undefined;
  const test = isOfTests(source);
  if (isTestSupport(resolved) && !(test && from === to)) {
    return `${source}: ${resolved} is for tests of ${to} alone; what others need too lies in testkit`;
  }
  if (from === to) return undefined;
  // A test may run an engine, an adapter or a use case on the real thing instead of a stand-in.
  const real =
    (from.startsWith('engines/') && to.startsWith('engines/')) ||
    (/^(?:engines|adapters)\//.test(from) && to.startsWith('adapters/')) ||
    (from === 'app' && (to === 'host' || to.startsWith('adapters/')));
  const onTheReal = test && (to === 'testkit' || real);
  if (!mayImport(from, to) && !onTheReal) return `${source}: ${from} may not import ${to}`;
  if (!written.startsWith('#')) return `${source}: '${written}' reaches into ${to}; import its # name`;
  return undefined;
}

async function importGraph(root: string, folders: string[]): Promise<ICruiseResult['modules']> {
  const options = {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    ruleSet: { forbidden: [{ name: 'no-cycle', from: {}, to: { circular: true } }] },
    validate: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'node'],
    },
  };
  const { output } = await cruise(folders, options);
  if (typeof output === 'string') throw new Error(output);
  return output.modules;
}

function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/'));
}
