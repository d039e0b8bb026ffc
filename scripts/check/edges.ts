/** Which module may import which. The same table stands in docs/architecture.md; a test compares the two. */
export const EDGES: Readonly<Record<string, readonly string[]>> = {
  'spec/data': [],
  'spec/api': ['spec/data'],
  'spec/ports': ['spec/data', 'spec/api'],
  kit: ['spec/data'],
  'engines/*': ['spec/*', 'kit', 'engines/gate', 'engines/retrieval'],
  'engines/session': ['engines/agent'],
  'engines/aiops': ['engines/memory'],
  'adapters/*': ['spec/*', 'kit', 'adapters/io'],
  config: ['spec/*', 'kit'],
  app: ['engines/*', 'spec/*', 'kit'],
  host: ['app', 'config', 'engines/*', 'adapters/*', 'spec/*', 'kit'],
  cli: ['app', 'config', 'host', 'server', 'demo', 'spec/*', 'kit', 'testkit'],
  server: ['app', 'config', 'host', 'spec/*', 'kit'],
  demo: ['kit'],
  testkit: ['spec/*', 'kit'],
  console: ['spec/data', 'spec/api', 'kit'],
};

/** The module that a file of the tree belongs to, or undefined for what stands outside the rings. */
export function moduleOf(path: string): string | undefined {
  const [, ring, name] = /^(?:src|test\/support)\/(spec|engines|adapters)\/([^/]+)\//.exec(path) ?? [];
  if (ring) return `${ring}/${name}`;
  return /^(?:src\/|test\/support\/)?(kit|config|app|host|cli|server|demo|testkit|console)\//.exec(path)?.[1];
}

/** What the tests of a module share and nobody else needs: it belongs to that module, as its tests do. */
export const isTestSupport = (path: string): boolean => path.startsWith('test/support/');

export const isOfTests = (path: string): boolean => path.endsWith('.test.ts') || isTestSupport(path);

export function mayImport(from: string, to: string): boolean {
  const ring = from.replace(/\/.*/, '/*');
  const allowed = new Set([...(EDGES[from] ?? []), ...(EDGES[ring] ?? [])]);
  return allowed.has(to) || allowed.has(to.replace(/\/.*/, '/*'));
}
