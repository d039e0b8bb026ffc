import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A folder whose files each export one definition, and the manifest that lists them. */
interface Registry {
  readonly folder: string;
  /** The name under which every file exports its definition. */
  readonly definition: string;
  readonly keyOf: (fileName: string) => string;
  /** For small files that are always wanted together: they are part of whoever imports the manifest. */
  readonly together?: boolean;
}

const kebab = (name: string): string => name;
const snake = (name: string): string => name.replaceAll('-', '_');
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const REGISTRIES: readonly Registry[] = [
  { folder: 'src/adapters/models/providers', definition: 'provider', keyOf: kebab, together: true },
  { folder: 'src/adapters/models/protocols', definition: 'protocol', keyOf: snake },
  { folder: 'src/adapters/models/local/intents', definition: 'intent', keyOf: kebab },
  { folder: 'src/engines/session/tools', definition: 'tool', keyOf: snake },
  { folder: 'src/engines/session/commands', definition: 'command', keyOf: kebab, together: true },
  ...['actions', 'browser', 'code', 'file', 'home-assistant', 'media', 'ops', 'terminal', 'web'].map(
    (toolset) => ({
      folder: `src/adapters/tools/${toolset}`,
      definition: 'tool',
      keyOf: snake,
    }),
  ),
  { folder: 'src/adapters/memory/providers', definition: 'memoryProvider', keyOf: kebab },
  { folder: 'src/adapters/backends/sandboxes', definition: 'sandbox', keyOf: kebab },
  { folder: 'src/adapters/backends/telemetry', definition: 'telemetry', keyOf: snake },
  { folder: 'src/adapters/backends/executors', definition: 'executor', keyOf: snake },
  { folder: 'src/adapters/backends/alerts', definition: 'alertSource', keyOf: kebab },
  { folder: 'src/cli/commands', definition: 'command', keyOf: kebab },
];

export interface Manifest {
  readonly path: string;
  readonly text: string;
  readonly fresh: boolean;
}

/** What every manifest should say, and whether the committed one says it. */
export function manifests(root: string): Manifest[] {
  return REGISTRIES.map((registry) => {
    const path = `${registry.folder}.gen.ts`;
    const text = manifestText(root, registry);
    return { path, text, fresh: readOrEmpty(join(root, path)) === text };
  });
}

export function writeManifests(root: string): string[] {
  const stale = manifests(root).filter((manifest) => !manifest.fresh);
  for (const { path, text } of stale) writeFileSync(join(root, path), text);
  return stale.map(({ path }) => path);
}

function manifestText(root: string, { folder, definition, keyOf, together }: Registry): string {
  const name = basename(folder);
  const files = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
  const parts = files.map((file) => {
    const stem = file.slice(0, -'.ts'.length);
    const key = keyOf(stem);
    return { file, local: `${camel(stem)}_`, property: /^[a-z_][a-z0-9_]*$/i.test(key) ? key : `'${key}'` };
  });
  const path = (file: string) => `'./${name}/${file}'`;
  const imports = parts.map(({ file, local }) => `import { ${definition} as ${local} } from ${path(file)};`);
  const entries = parts.map(({ file, local, property }) =>
    together
      ? `  ${property}: async () => ${local},`
      : `  ${property}: async () => (await import(${path(file)})).${definition},`,
  );
  return [
    `// Written by \`npm run gen\` from the files in ${basename(dirname(folder))}/${name}. Do not edit.`,
    ...(together ? [...imports, ''] : []),
    `export const ${camel(name)} = {`,
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
