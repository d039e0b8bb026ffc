import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leftBehind, treeState } from './check/tree-state.ts';
import { runChecks } from './check.ts';
import { makeFixtureHome } from './release/fixture-home.ts';
import { cutChangelog, nextVersion, withVersion } from './release/next-release.ts';

/**
 * Cuts a release: `npm run release -- minor`. It looks before it writes, changes the tree only as far as the commit
 * says, and puts everything back when a step fails. It never pushes.
 */
const root = join(import.meta.dirname, '..');
const file = (...names: string[]): string => join(root, ...names);
const read = (name: string): string => readFileSync(file(name), 'utf8');
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

const PACKAGES = ['package.json', 'console/package.json', 'package-lock.json'];

async function release(asked: string): Promise<void> {
  const { version: last } = JSON.parse(read('package.json')) as { version: string };
  const version = nextVersion(last, asked);
  const tag = `v${version}`;
  const dirty = leftBehind(new Map(), treeState(root));
  if (dirty.length) throw new Error(`commit or put away first: ${dirty.join(', ')}`);
  if (git('tag', '--list', tag)) throw new Error(`${tag} is there already`);
  const changelog = cutChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  const { failed } = await runChecks(root);
  if (failed) throw new Error('the checks failed: nothing was changed');

  const home = join('test', 'fixtures', 'homes', version);
  const back = (): void => {
    git('checkout', '--quiet', '--', '.');
    rmSync(file(home), { recursive: true, force: true });
    // What was built says the new version: the next task builds again.
    rmSync(file('dist', '.stamp'), { force: true });
  };
  try {
    for (const name of PACKAGES) writeFileSync(file(name), withVersion(read(name), last, version));
    writeFileSync(file('CHANGELOG.md'), changelog);
    node('scripts/build.ts');
    if (existsSync(file(home))) throw new Error(`${home} is there already`);
    mkdirSync(file(home), { recursive: true });
    makeFixtureHome(root, version, file(home));
    node('node_modules/vitest/vitest.mjs', 'run', 'test/upgrade', 'scripts/release');
    git('add', '--all', '--', ...PACKAGES, 'CHANGELOG.md', home);
    git('commit', '--quiet', '-m', `Release ${version}`);
  } catch (error) {
    back();
    throw error;
  }
  git('tag', '--annotate', tag, '-m', `Hermes ${version}`);
  console.log(`${tag} is committed and tagged. Nothing was pushed.`);
}

try {
  await release(process.argv[2] ?? '');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
