import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** What is loaded one after the other until a chat shows its prompt. Everything that these import comes with them. */
const PROMPT = [
  'cli/commands/chat',
  'cli/chat/plain-chat',
  'app/conversation/connect-conversation',
  'app/tools/open-toolbox',
  'host/tools/open-place',
];

const anyOf = (names: readonly string[]) => (id: string) =>
  names.some((name) => id.replaceAll('\\', '/').endsWith(`src/${name}.ts`));

/** Bundles the `hermes` command. Everything that is imported lazily becomes a chunk of its own. */
const bundle = await rolldown({
  cwd: root,
  input: { hermes: 'src/cli/main.ts' },
  platform: 'node',
  // They find files of their own beside them, or are too large to be worth bundling.
  external: [
    'better-sqlite3',
    '@vscode/ripgrep',
    'linkedom',
    'playwright-core',
    'tree-sitter-bash',
    'unpdf',
    'web-tree-sitter',
  ],
  treeshake: true,
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
});
rmSync(dist, { recursive: true, force: true });
await bundle.write({
  dir: dist,
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // What every command and what the first prompt of a chat need is one file each: a hundred small ones take longer to find
  // and to link than to run.
  codeSplitting: {
    groups: [
      { name: 'start', test: anyOf(['cli/run-cli']), priority: 1 },
      { name: 'prompt', test: anyOf(PROMPT) },
    ],
  },
});
await bundle.close();

/** The console is files that the server hands out. */
await build({ configFile: join(root, 'console/vite.config.ts'), logLevel: 'warn' });
