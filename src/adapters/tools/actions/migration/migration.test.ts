import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { type ActionPlace, openActionPlace } from '#testkit/tool-context';
import { localFiles } from '../../local-files.ts';
import { tool as machineReport } from '../machine/machine-report.ts';
import { tool as shell } from '../shell.ts';
import { tool as terminal } from '../../terminal/terminal.ts';
import { tool as patch } from '../../file/patch.ts';
import { tool as analyzeBreakingChanges } from './analyze-breaking-changes.ts';
import { tool as executeMigration } from './execute-migration.ts';
import { tool as fetchChangelog } from './fetch-changelog.ts';
import { tool as generateMigrationPlan } from './generate-migration-plan.ts';
import { tool as scanApiUsage } from './scan-api-usage.ts';

const PARTS = {
  files: (root: string) => localFiles({ root, protectedPaths: [] }),
  tools: [terminal, shell, machineReport],
};

const CHANGELOG = `# Changelog

## [2.1.0] - 2026-02-01

- Faster.

## [2.0.0] - 2026-01-01

### Breaking Changes

- Renamed \`getJson\` to \`fetchJson\`.
- Removed \`request.sync\`;
  there is nothing like it any more.
- Requires Node 20.

### Added

- \`stream\`

## [1.4.0] - 2025-06-01

- Old.
`;
const CODE = `import net, { getJson } from 'netlib';

// getJson stays named here
export const a = await getJson('https://x');
export const b = net.request.sync('y');
`;

describe('the actions of an API migration', () => {
  let place: ActionPlace;
  let server: LoopbackServer;
  beforeEach(async () => {
    server = await startLoopback(({ path }) => {
      if (path === '/netlib/latest')
        return { body: { version: '2.1.0', repository: { url: 'git+https://github.com/acme/netlib.git' } } };
      if (path === '/acme/netlib/HEAD/CHANGELOG.md') return { body: CHANGELOG };
      if (path === '/pypi/onlyreleases/json')
        return {
          body: { info: { version: '3.0', project_urls: { Source: 'https://github.com/acme/only' } } },
        };
      if (path === '/repos/acme/only/releases')
        return {
          body: [{ tag_name: 'v3.0', published_at: '2026-03-01T00:00:00Z', body: 'BREAKING: all\u200b.' }],
        };
      return { status: 404, body: 'no' };
    });
    const web = loopbackWeb({
      'https://registry.npmjs.org': server.url,
      'https://pypi.org': server.url,
      'https://raw.githubusercontent.com': server.url,
      'https://api.github.com': server.url,
    });
    place = await openActionPlace({ ...PARTS, tools: [...PARTS.tools, patch] }, { web });
    const { workspace } = place;
    await workspace.put(
      'package.json',
      '{"dependencies": {"netlib": "^1.4.0", "left": "1.0.0"}, "devDependencies": {"vitest": "5.0.0"}}',
    );
    await workspace.put('src/a.ts', CODE);
    await workspace.put('src/b.ts', "import {\n  getJson,\n} from 'netlib';\ngetJson('z');\n");
    await workspace.put('src/c.ts', "import left from 'left';\n");
  });
  afterEach(async () => {
    await server.close();
    await place.close();
  });

  it('goes the way of the seed: scan, changelog, breaking changes, plan, dry run, real run', async () => {
    const scan = await place.data(scanApiUsage, {
      scan_paths: ['src/', 'lib/', 'app/'],
      version_indicators: ['package.json', 'requirements.txt', 'go.mod'],
    });
    expect(scan).toMatchObject({ package_name: 'netlib', version: '1.4.0', files: ['src/a.ts', 'src/b.ts'] });
    const usage = scan.usage_patterns as { symbol: string; file: string; line: number }[];
    expect(usage).toContainEqual(expect.objectContaining({ symbol: 'getJson', file: 'src/b.ts', line: 4 }));
    expect(usage).toContainEqual(expect.objectContaining({ symbol: 'request', kind: 'member', line: 5 }));

    const changelog = await place.data(fetchChangelog, {
      package: scan.package_name,
      from_version: scan.version,
      to_version: 'latest',
    });
    expect(changelog).toMatchObject({ to_version: '2.1.0', count: 2, major_change: true, complete: true });

    const breaking = await place.data(analyzeBreakingChanges, { changelog, current_usage: usage });
    expect(breaking).toMatchObject({
      count: 3,
      has_breaking: true,
      affected_files: ['src/a.ts', 'src/b.ts'],
      risk_level: 'critical',
    });
    expect(breaking.breaking).toMatchObject([
      { kind: 'renamed', symbol: 'getJson', replacement: 'fetchJson', severity: 'critical' },
      { kind: 'removed', symbol: 'request.sync', affects: [{ file: 'src/a.ts', line: 5 }] },
      { kind: 'requirement' },
    ]);

    const plan = await place.data(generateMigrationPlan, {
      changes: breaking,
      codebase: scan.files,
      strategy: 'incremental',
    });
    expect(plan).toMatchObject({ edit_count: 3, manual_count: 2 });
    expect((plan.steps as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'upgrade',
      'verify',
      'replace',
      'verify',
      'manual',
      'verify',
      'manual',
      'verify',
    ]);

    const dry = await place.data(executeMigration, { plan, dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, success: true, applied: 0, changes: 5 });
    expect(dry.diff).toContain("+import net, { fetchJson } from 'netlib';");
    expect(await place.workspace.text('src/a.ts')).toBe(CODE);

    const real = await place.data(executeMigration, { plan, dry_run: false });
    expect(real).toMatchObject({
      success: true,
      applied: 5,
      changed_files: ['package.json', 'src/a.ts', 'src/b.ts'],
    });
    const after = await place.workspace.text('src/a.ts');
    expect(after).toContain("await fetchJson('https://x')");
    expect(after).toContain('// getJson stays named here');
    expect(await place.workspace.text('package.json')).toContain('"netlib": "^2.1.0"');
  });

  it('tells the gate which files a real run writes', () => {
    const plan = {
      steps: [
        {
          id: 's',
          title: 't',
          kind: 'replace',
          edits: [{ file: 'x.ts', kind: 'symbol', from: 'a', to: 'b' }],
        },
      ],
    };
    const dry = executeMigration.input.parse({ plan });
    expect([executeMigration.effect(dry), executeMigration.deed?.(dry)]).toEqual([0, {}]);
    const real = executeMigration.input.parse({ plan, dry_run: false });
    expect([executeMigration.effect(real), executeMigration.deed?.(real)]).toEqual([2, { writes: ['x.ts'] }]);
  });

  it('finds scoped packages, Python and Go by the names that they are imported by', async () => {
    const { workspace } = place;
    await workspace.put('package.json', '{"dependencies": {"@acme/net-lib": "~3.1.0"}}');
    await workspace.put('requirements.txt', '# all\nPyYAML==6.0.1\nrequests>=2.31,<3\n');
    await workspace.put('go.mod', 'module x\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1\n)\n');
    await workspace.put('src/d.ts', "import * as net from '@acme/net-lib/sub';\nnet.go();\n");
    await workspace.put('y.py', 'import yaml\nfrom requests import get\nyaml.safe_load(x)\nget(u)\n');
    await workspace.put('m.go', 'import (\n\t"github.com/gin-gonic/gin"\n)\nfunc main() { gin.Default() }\n');
    const symbols = async (name: string) => {
      const found = await place.data(scanApiUsage, { package: name });
      return [found.version, found.files, (found.symbols as { name: string }[]).map((symbol) => symbol.name)];
    };
    expect(await symbols('@acme/net-lib')).toEqual(['3.1.0', ['src/d.ts'], ['go', '@acme/net-lib']]);
    expect(await symbols('pyyaml')).toEqual(['6.0.1', ['y.py'], ['safe_load', 'PyYAML']]);
    expect(await symbols('requests')).toEqual(['2.31.0', ['y.py'], ['get']]);
    expect(await symbols('github.com/gin-gonic/gin')).toEqual([
      '1.9.1',
      ['m.go'],
      ['Default', 'github.com/gin-gonic/gin'],
    ]);
  });

  it('takes the changelog that is installed, without asking anybody', async () => {
    await place.workspace.put('node_modules/netlib/CHANGELOG.md', CHANGELOG);
    const found = await place.data(fetchChangelog, {
      package: 'netlib',
      from_version: '1.4.0',
      to_version: '2.0.0',
    });
    expect(found).toMatchObject({ source: 'node_modules/netlib/CHANGELOG.md', count: 1 });
    expect(server.requests).toEqual([]);
  });

  it('takes releases where there is no file, and says what cannot be found', async () => {
    const found = await place.data(fetchChangelog, { package: 'onlyreleases', ecosystem: 'pypi' });
    expect(found).toMatchObject({
      entries: [{ version: '3.0', date: '2026-03-01', text: 'BREAKING: all.' }],
    });
    const none = await place.run(fetchChangelog, { package: 'nowhere' });
    expect(none).toMatchObject({ isError: true, summary: 'There is no changelog of nowhere to be found.' });
  });

  it('adds what a model reads out of the prose, marked, where it stands in the changelog', async () => {
    const answer = JSON.stringify([
      { version: '2.0.0', kind: 'changed', symbol: 'timeout', text: 'now in seconds' },
      { version: '2.0.0', kind: 'removed', symbol: 'inventedName', text: 'not there' },
    ]);
    const found = await place.data(
      analyzeBreakingChanges,
      { changelog: '## 2.0.0\n\nThe timeout is in seconds now.\n', current_usage: [] },
      { askModel: async () => answer },
    );
    expect(found).toMatchObject({
      count: 1,
      by_model: 1,
      breaking: [{ symbol: 'timeout', source: 'model' }],
    });
  });
});
