import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As in the bundle of the console, which is a package of its own.
  resolve: {
    alias: {
      '#spec/data/operations': join(import.meta.dirname, 'src/spec/data/operations/index.ts'),
      '#kit': join(import.meta.dirname, 'src/kit'),
    },
  },
  test: {
    include: ['{src,demo,console,testkit,scripts,bench,test,interop}/**/*.test.ts'],
    // Other people's clients and servers are installed by the test command; without them their tests cannot load.
    exclude: [
      '**/node_modules/**',
      ...(existsSync(join(import.meta.dirname, 'interop/node_modules')) ? [] : ['interop/**']),
    ],
    // Tests never see the keys or the home of whoever runs them.
    env: { HERMES_HOME: '/nonexistent/hermes-home', NO_COLOR: '1' },
    // They end what hangs, on a busy machine too; nothing is measured by them.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many of them wait for a process or a clock: two at a time pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
