import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const project = join(import.meta.dirname, '..', '..');
const command = join(project, 'scripts', 'check.ts');

/** A tree that obeys every rule: each planted violation differs from it by one import. */
const GOOD: Readonly<Record<string, string>> = {
  'src/spec/data/index.ts': 'export interface Alert {\n  readonly name: string;\n}\n',
  'src/kit/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();\n',
  'src/adapters/pager/index.ts': "export { page } from './page.ts';\n",
  'src/adapters/pager/page.ts':
    "import { shout } from '#kit/shout';\nimport type { Alert } from '#spec/data';\nexport const page = (alert: Alert): string => shout(alert.name);\n",
  'src/engines/triage/index.ts': "export { triage } from './triage.ts';\n",
  'src/engines/triage/triage.ts':
    "import type { Alert } from '#spec/data';\nimport { weight } from './weight.ts';\nexport const triage = (alert: Alert): number => weight(alert.name);\n",
  'src/engines/triage/weight.ts': 'export const weight = (text: string): number => text.length;\n',
  'src/host/index.ts':
    "import { page } from '#adapters/pager';\nimport { triage } from '#engines/triage';\nexport const host = { page, triage };\n",
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-boundaries-'));
  const { imports } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
    imports: Record<string, string>;
  };
  await plant({ 'package.json': JSON.stringify({ name: 'planted', type: 'module', imports }) });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function plant(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Runs the command that `npm run check` runs, on the planted tree. */
function check(): Promise<{ status: number; output: string }> {
  const args = [command, '--only', 'boundaries', '--root', root];
  return new Promise((done) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      done({ status: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });
}

describe('the boundaries check', () => {
  it('passes a tree with nothing wrong in it', async () => {
    await plant(GOOD);
    const { status, output } = await check();
    expect(output).toContain('✓ boundaries');
    expect(output).toContain('1 passed, 0 failed');
    expect(status).toBe(0);
  });

  it('refuses an engine that imports an adapter', async () => {
    await plant({
      ...GOOD,
      'src/engines/triage/weight.ts':
        "import { page } from '#adapters/pager';\nexport const weight = (text: string): number => page({ name: text }).length;\n",
    });
    const { status, output } = await check();
    expect(output).toContain('src/engines/triage/weight.ts: engines/triage may not import adapters/pager');
    expect(output).toContain('0 passed, 1 failed');
    expect(status).toBe(1);
  });

  it('lets an adapter import what adapters share, and no other adapter', async () => {
    const shared = {
      ...GOOD,
      'src/adapters/io/lock.ts': 'export const lock = (name: string): string => name;\n',
    };
    const locker = "import { lock } from '#adapters/io/lock';\nexport const mail = lock('mail');\n";
    await plant({ ...shared, 'src/adapters/mail/index.ts': locker });
    expect((await check()).output).toContain('✓ boundaries');
    const pager = "import { page } from '#adapters/pager';\nexport const mail = page({ name: 'mail' });\n";
    await plant({ 'src/adapters/mail/index.ts': pager });
    const { status, output } = await check();
    expect(output).toContain('src/adapters/mail/index.ts: adapters/mail may not import adapters/pager');
    expect(status).toBe(1);
  });

  it('lets a test import the testkit, and nothing else of src', async () => {
    const uses = "import { server } from '#testkit/server';\nexport const url = server;\n";
    await plant({ ...GOOD, 'testkit/server/index.ts': "export const server = 'http://127.0.0.1';\n" });
    await plant({ 'src/adapters/pager/page.test.ts': uses });
    expect((await check()).output).toContain('✓ boundaries');
    await plant({ 'src/adapters/pager/send.ts': uses });
    const { status, output } = await check();
    expect(output).toContain('src/adapters/pager/send.ts: adapters/pager may not import testkit');
    expect(status).toBe(1);
  });

  describe('of test support', () => {
    const uses = "import { loud } from '#support/engines/triage/loud';\nexport const quiet = !loud;\n";
    const good = {
      ...GOOD,
      'test/support/engines/triage/loud.ts':
        "import { weight } from '../../../../src/engines/triage/weight.ts';\nexport const loud = weight('page') > 3;\n",
      'src/engines/triage/triage.test.ts': uses,
    };

    it('lets the tests of its module import it, and lets it reach into that module', async () => {
      await plant(good);
      const { status, output } = await check();
      expect(output).toContain('✓ boundaries');
      expect(status).toBe(0);
    });

    it.each(['src/engines/triage/calm.ts', 'src/host/calm.ts', 'src/adapters/pager/page.test.ts'])(
      'refuses %s, which is no test of its module',
      async (path) => {
        await plant({ ...good, [path]: uses });
        const { status, output } = await check();
        expect(output).toContain(
          `${path}: test/support/engines/triage/loud.ts is for tests of engines/triage alone`,
        );
        expect(status).toBe(1);
      },
    );

    it('refuses that it reaches into another module', async () => {
      await plant({
        ...good,
        'test/support/engines/triage/loud.ts':
          "import { page } from '../../../../src/adapters/pager/page.ts';\nexport const loud = page({ name: 'page' });\n",
      });
      const { status, output } = await check();
      expect(output).toContain('reaches into adapters/pager; import its # name');
      expect(status).toBe(1);
    });

    it.each(['src/engines/triage', 'demo'])(
      'refuses a file in %s that tests alone import',
      async (folder) => {
        await plant({
          ...GOOD,
          [`${folder}/loud.ts`]: 'export const loud = true;\n',
          [`${folder}/loud.test.ts`]: "import { loud } from './loud.ts';\nexport const quiet = !loud;\n",
        });
        const { status, output } = await check();
        const module = folder.replace('src/', '');
        expect(output).toContain(
          `${folder}/loud.ts: tests alone import it; test support lies in test/support/${module}`,
        );
        expect(status).toBe(1);
      },
    );
  });

  it('refuses it also when only a type is imported', async () => {
    await plant({
      ...GOOD,
      'src/engines/triage/weight.ts':
        "import type { page } from '#adapters/pager';\nexport const weight = (text: string): ReturnType<typeof page> | number => text.length;\n",
    });
    const { status, output } = await check();
    expect(output).toContain('engines/triage may not import adapters/pager');
    expect(status).toBe(1);
  });

  it('refuses a relative path past the front door of another module', async () => {
    await plant({
      ...GOOD,
      'src/host/index.ts':
        "import { weight } from '../engines/triage/weight.ts';\nexport const host = { weight };\n",
    });
    const { status, output } = await check();
    expect(output).toContain(
      "src/host/index.ts: '../engines/triage/weight.ts' reaches into engines/triage; import its # name",
    );
    expect(status).toBe(1);
  });

  it('refuses a # path that leads nowhere', async () => {
    await plant({
      ...GOOD,
      'src/host/index.ts':
        "import { weight } from '#engines/triage/weight';\nexport const host = { weight };\n",
    });
    const { status, output } = await check();
    expect(output).toContain("src/host/index.ts: '#engines/triage/weight' resolves to nothing");
    expect(status).toBe(1);
  });

  it('refuses a cycle, and names it once', async () => {
    await plant({
      ...GOOD,
      'src/engines/triage/weight.ts':
        "import { triage } from './triage.ts';\nexport const weight = (text: string): number => (text ? 1 : triage({ name: text }));\n",
    });
    const { status, output } = await check();
    const cycles = output.split('\n').filter((line) => line.startsWith('cycle: '));
    expect(cycles).toEqual([
      'cycle: src/engines/triage/triage.ts → src/engines/triage/weight.ts → src/engines/triage/triage.ts',
    ]);
    expect(status).toBe(1);
  });

  it('fails on an empty tree, because it checked nothing', async () => {
    const { status, output } = await check();
    expect(output).toContain('the import graph is incomplete');
    expect(status).toBe(1);
  });

  it('fails on folders without a source file', async () => {
    await mkdir(join(root, 'src'), { recursive: true });
    const { status, output } = await check();
    expect(output).toContain('the import graph is incomplete');
    expect(status).toBe(1);
  });
});
