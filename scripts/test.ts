import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { leftBehind, treeState } from './check/tree-state.ts';
import { runChecks } from './check.ts';
import { ensureInterop, ensureTestTools } from './test-tools.ts';

/** Everything that has to hold before a change lands. The last line counts all of it. */
const root = join(import.meta.dirname, '..');
const filters = process.argv.slice(2);
ensureTestTools();
ensureInterop(root);
// Only now: it leaves out what is not installed.
const { default: config } = await import('../vitest.config.ts');
const before = treeState(root);
let { passed, failed } = filters.length ? { passed: 0, failed: 0 } : await runChecks(root);
let skipped = 0;

/** They set off fork bombs: nothing else runs beside them. */
const ALONE = ['src/adapters/sandboxes/containers/escape.test.ts', 'test/sandbox/escape.test.ts'];
/** They watch a whole system by its clock and wait more than they work: two at a time, after the rest. */
const BY_THE_CLOCK = ['console/e2e/**/*.test.ts', 'demo/**/*.test.ts', 'test/incidents/**/*.test.ts'];

async function runTests(options: Parameters<typeof startVitest>[2]) {
  const vitest = await startVitest('test', filters, { root, watch: false, run: true, ...options });
  for (const module of vitest.state.getTestModules()) {
    if (module.errors().length) failed++;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed++;
      else if (state === 'failed') failed++;
      else skipped++;
    }
  }
  failed += vitest.state.getUnhandledErrors().length;
  await vitest.close();
}

if (filters.length) await runTests({ maxWorkers: 1 });
else {
  // Given here, they take the place of what the configuration says.
  await runTests({ exclude: [...(config.test?.exclude ?? []), ...ALONE, ...BY_THE_CLOCK] });
  await runTests({ include: BY_THE_CLOCK, maxWorkers: 2 });
  await runTests({ include: ALONE, maxWorkers: 1 });
}
const left = leftBehind(before, treeState(root));
if (left.length) {
  failed++;
  console.log(`✗ tree        changed while the tests ran: ${left.join(', ')}`);
}
if (skipped) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
