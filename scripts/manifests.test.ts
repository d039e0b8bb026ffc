import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifests, writeManifests } from './manifests.ts';

const project = join(import.meta.dirname, '..');
const PROVIDERS = 'src/adapters/models/providers.gen.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-manifests-'));
  // Only what manifests are made from, in one call: the whole tree takes seconds on a busy machine.
  for (const folder of ['src/adapters', 'src/engines/session', 'src/cli', 'src/spec/data']) {
    const filter = (path: string): boolean => !/\.test\.ts$|\/(?:store|bridges)\//.test(path);
    cpSync(join(project, folder), join(root, folder), { recursive: true, filter });
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

const stale = (): string[] => manifests(root).flatMap(({ path, fresh }) => (fresh ? [] : [path]));
const addProvider = (name: string): Promise<void> =>
  writeFile(join(root, 'src/adapters/models/providers', name), 'export const provider = {};\n');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

describe('manifests', () => {
  it('are fresh as committed', () => {
    expect(manifests(root)).not.toHaveLength(0);
    expect(stale()).toEqual([]);
    expect(writeManifests(root)).toEqual([]);
  });

  it('are stale after a provider is added, and mended by writing them', async () => {
    await addProvider('acme.ts');
    expect(stale()).toEqual([PROVIDERS]);
    expect(writeManifests(root)).toEqual([PROVIDERS]);
    expect(stale()).toEqual([]);
    expect(await read(PROVIDERS)).toContain("import { provider as acme_ } from './providers/acme.ts';\n");
    expect(await read(PROVIDERS)).toContain('  acme: async () => acme_,\n');
  });

  it('are stale after a provider is removed', async () => {
    await rm(join(root, 'src/adapters/models/providers/groq.ts'));
    expect(stale()).toEqual([PROVIDERS]);
    writeManifests(root);
    expect(await read(PROVIDERS)).not.toContain('groq');
  });

  it('are stale when edited by hand or missing', async () => {
    await writeFile(join(root, PROVIDERS), `${await read(PROVIDERS)}// a note\n`);
    expect(stale()).toEqual([PROVIDERS]);
    await rm(join(root, PROVIDERS));
    expect(stale()).toEqual([PROVIDERS]);
    writeManifests(root);
    expect(await read(PROVIDERS)).toBe(await readFile(join(project, PROVIDERS), 'utf8'));
  });

  it('leave tests out, quote names that need it and write protocols with underscores', async () => {
    await addProvider('acme.test.ts');
    expect(stale()).toEqual([]);
    await addProvider('acme-two.ts');
    writeManifests(root);
    expect(await read(PROVIDERS)).toContain("  'acme-two': async () => acmeTwo_,\n");
    expect(await read('src/adapters/models/protocols.gen.ts')).toContain(
      "  chat_completions: async () => (await import('./protocols/chat-completions.ts')).protocol,\n",
    );
  });

  it('hold plain data as it is', async () => {
    const manifest = 'src/spec/data/operations.gen.ts';
    await writeFile(join(root, 'src/spec/data/operations/drain-queue.ts'), 'export const operation = {};\n');
    expect(writeManifests(root)).toEqual([manifest]);
    expect(await read(manifest)).toContain(
      "import { operation as drainQueue_ } from './operations/drain-queue.ts';\n",
    );
    expect(await read(manifest)).toContain('  drain_queue: drainQueue_,\n');
  });

  it('find a definition at any depth, leave its support out, and refuse two of one name', async () => {
    const room = join(root, 'src/adapters/sandboxes');
    await mkdir(join(room, 'jail'));
    await writeFile(join(room, 'jail/open-jail.ts'), 'export const openJail = {};\n');
    expect(stale()).toEqual([]);
    await writeFile(join(room, 'jail/jail.ts'), 'export const sandbox = {};\n');
    expect(writeManifests(root)).toEqual(['src/adapters/sandboxes/kinds.gen.ts']);
    expect(await read('src/adapters/sandboxes/kinds.gen.ts')).toContain(
      "  jail: async () => (await import('./jail/jail.ts')).sandbox,\n",
    );
    await writeFile(join(room, 'jail.ts'), 'export const sandbox = {};\n');
    expect(() => manifests(root)).toThrow("src/adapters/sandboxes: two files define 'jail'");
  });
});
