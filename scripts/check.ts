import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { boundaryViolations } from './check/boundaries.ts';
import { documentViolations } from './check/documents.ts';
import { fileSizes } from './check/file-sizes.ts';
import { manifests } from './manifests.ts';

/** The outcome of one check: what to show, and whether it failed. */
interface Finding {
  readonly ok: boolean;
  readonly text: string;
}

const tools = join(import.meta.dirname, '..', 'node_modules');

const KNIP = 'knip/bin/knip.js';
/** The same without the tests: what only they reach is dead. A type weighs nothing, so those are left out. */
const SHIPPED = ['--production', '--config', 'knip.production.json', '--exclude', 'types', '--no-progress'];

const CHECKS: Readonly<Record<string, (root: string) => Promise<Finding>>> = {
  types: (root) => tool(root, 'ts7/bin/tsc', '-p', '.'),
  console: (root) => tool(root, 'ts7/bin/tsc', '-p', 'console'),
  interop: async (root) =>
    existsSync(join(root, 'interop', 'node_modules'))
      ? tool(root, 'ts7/bin/tsc', '-p', 'interop')
      : { ok: true, text: 'not installed, not checked: npm ci --prefix interop' },
  lint: (root) => tool(root, 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '.'),
  format: (root) => tool(root, '@biomejs/biome/bin/biome', 'format', '.'),
  unused: async (root) => both(await tool(root, KNIP, '--no-progress'), await tool(root, KNIP, ...SHIPPED)),
  boundaries: async (root) => list(await boundaryViolations(root)),
  manifests: async (root) => {
    const stale = manifests(root).filter((manifest) => !manifest.fresh);
    return list(stale.map(({ path }) => `${path} is stale: run \`npm run gen\``));
  },
  docs: async (root) => list(documentViolations(root)),
  sizes: async (root) => {
    const { files, median, p90, largest, over } = fileSizes(root);
    const warning = over.length ? `; over 500 lines: ${over.join(', ')}` : '';
    return {
      ok: true,
      text: `${files} files, median ${median}, nine in ten under ${p90}, largest ${largest}${warning}`,
    };
  },
};

/** Runs the checks named (all by default) side by side and prints one line each, then whatever they found. */
export async function runChecks(root: string, only: readonly string[] = Object.keys(CHECKS)) {
  let passed = 0;
  let failed = 0;
  await Promise.all(
    only.map(async (name) => {
      const check = CHECKS[name];
      if (!check) throw new Error(`no check is called '${name}': one of ${Object.keys(CHECKS).join(', ')}`);
      const started = performance.now();
      const { ok, text } = await check(root);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (ok) passed++;
      else failed++;
      console.log(`${ok ? '✓' : '✗'} ${name.padEnd(11)} ${seconds} s${ok && text ? `  ${text}` : ''}`);
      if (!ok) console.log(text);
    }),
  );
  return { passed, failed };
}

const list = (lines: readonly string[]): Finding => ({ ok: lines.length === 0, text: lines.join('\n') });

const both = (one: Finding, other: Finding): Finding => ({
  ok: one.ok && other.ok,
  text: [one.text, other.text].filter(Boolean).join('\n'),
});

function tool(root: string, script: string, ...args: string[]): Promise<Finding> {
  return new Promise((done) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [join(tools, script), ...args], options, (error, stdout, stderr) => {
      done({ ok: !error, text: error ? `${stdout}${stderr}`.trim() : '' });
    });
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, root: { type: 'string' } },
  });
  const root = values.root ? resolve(values.root) : join(import.meta.dirname, '..');
  const { passed, failed } = await runChecks(root, values.only);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
