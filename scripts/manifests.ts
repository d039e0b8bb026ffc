import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/**
 * A folder with definitions, and the manifest that lists them. Every file below the folder that exports `definition` is
 * one, named for its file; the others are its support.
 */
interface Registry {
  readonly folder: string;
  /** The name under which a file exports its definition. */
  readonly definition: string;
  /** Where it does not stand beside the folder. */
  readonly manifest?: string;
  readonly keyOf: (fileName: string) => string;
  /** For small files that are always wanted together: they are part of whoever imports the manifest. */
  readonly together?: boolean;
  /** For plain data: whoever imports the manifest has it at once. */
  readonly data?: boolean;
}

const kebab = (name: string): string => name;
const snake = (name: string): string => name.replaceAll('-', '_');
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A module of its own, whose manifest stands in it. */
const room = (name: string, definition: string, keyOf: Registry['keyOf']): Registry => ({
  folder: `src/adapters/${name}`,
  manifest: `src/adapters/${name}/kinds.gen.ts`,
  definition,
  keyOf,
});

const REGISTRIES: readonly Registry[] = [
  { folder: 'src/spec/data/operations', definition: 'operation', keyOf: snake, data: true },
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
  room('sandboxes', 'sandbox', kebab),
  room('telemetry', 'telemetry', snake),
  room('executors', 'executor', snake),
  room('alerts', 'alertSource', kebab),
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
    const path = registry.manifest ?? `${registry.folder}.gen.ts`;
    const text = manifestText(root, path, registry);
    return { path, text, fresh: readOrEmpty(join(root, path)) === text };
  });
}

export function writeManifests(root: string): string[] {
  const stale = manifests(root).filter((manifest) => !manifest.fresh);
  for (const { path, text } of stale) writeFileSync(join(root, path), text);
  return stale.map(({ path }) => path);
}

function manifestText(
  root: string,
  manifest: string,
  { folder, definition, keyOf, together, data }: Registry,
): string {
  const parts = definitionsIn(root, folder, definition).map((file) => {
    const stem = basename(file, '.ts');
    const key = keyOf(stem);
    const path = `'./${relative(dirname(manifest), join(folder, file)).replaceAll('\\', '/')}'`;
    return {
      path,
      key,
      local: `${camel(stem)}_`,
      property: /^[a-z_][a-z0-9_]*$/i.test(key) ? key : `'${key}'`,
    };
  });
  const twice = parts.find(({ key }, at) => parts.findIndex((other) => other.key === key) !== at);
  if (twice) throw new Error(`${folder}: two files define '${twice.key}'`);
  const imports = parts.map(({ path, local }) => `import { ${definition} as ${local} } from ${path};`);
  const valueOf = ({ path, local }: (typeof parts)[number]): string => {
    if (data) return local;
    return together ? `async () => ${local}` : `async () => (await import(${path})).${definition}`;
  };
  const entries = parts.map((part) => `  ${part.property}: ${valueOf(part)},`);
  return [
    `// Written by \`npm run gen\` from the files in ${basename(dirname(folder))}/${basename(folder)}. Do not edit.`,
    ...(together || data ? [...imports, ''] : []),
    `export const ${camel(basename(manifest, '.gen.ts'))} = {`,
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

/** The files below a folder that export a definition, in the order of their names. */
function definitionsIn(root: string, folder: string, definition: string): string[] {
  const exported = new RegExp(`^export const ${definition}\\b`, 'm');
  return readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((file) => /(?<!\.test|\.gen)\.ts$/.test(file))
    .filter((file) => exported.test(readFileSync(join(root, folder, file), 'utf8')))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
