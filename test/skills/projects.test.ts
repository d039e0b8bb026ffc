import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSkillPlace, type SkillPlace, UNHURRIED } from './skill-place.ts';

const IDENTITY = 'git config user.name Ops && git config user.email ops@example.com';
const COMMIT = 'git add -A && git commit -qm';

describe('skills for a repository', UNHURRIED, () => {
  let place: SkillPlace;
  beforeAll(async () => {
    place = await openSkillPlace({ commands: 'machine' });
    await place.put('pay.py', 'def pay(amount):\n    """Pays."""\n    return amount\n');
    await place.put('AGENTS.md', '# Rules\n\n- Never log card numbers.\n');
    await place.put(
      'src/routes.ts',
      "// Takes a payment.\napp.post('/payments/:id', pay);\napp.get('/health', ok);\n",
    );
    await place.put(
      'src/total.ts',
      '/** Adds. */\nexport function total(a: number) {\n  return a ? a + 1 : 0;\n}\n',
    );
    await place.put('package.json', '{"name":"shop","scripts":{"test":"node -e 0"}}\n');
    await place.shell(`git init -q -b main && ${IDENTITY} && ${COMMIT} 'feat: pay' && git tag v1.0.0`);
    await place.put('README.md', '# Shop\n');
    await place.shell(`${COMMIT} 'feat(cart): add a cart (#7)'`);
    await place.put(
      'src/total.ts',
      '/** Adds. */\nexport function total(a: number) {\n  return a ? a + 2 : 0;\n}\n',
    );
    await place.shell(`${COMMIT} 'fix: round the total'`);
  });
  afterAll(() => place.close());

  it('code_review finds what is wrong in the changed lines, and reads only', async () => {
    await place.shell('git switch -qc risky');
    await place.put('pay.py', 'import os\ndef pay(amount):\n    os.system("pay " + amount)\n');
    const { state, text, levels } = await place.run('code_review');
    await place.shell('git checkout -q -f main');
    expect([state, Math.max(...levels)]).toEqual(['done', 0]);
    expect(text).toContain('# Code review against main');
    expect(text).toMatch(/- Files: 1, \+2 −2/);
    expect(text).toMatch(/- \*\*\[high\]\*\* pay\.py:3 — .+\n {2}💡 .+/);
    expect(text).toContain('Conventions from: AGENTS.md');
    expect(text).toMatch(/## Without a test\n\n- pay\.py/);
  });

  it('code_review has nothing to say about no change', async () => {
    const { state, text } = await place.run('code_review');
    expect([state, text]).toEqual(['done', expect.stringContaining('Nothing to complain about.')]);
  });

  it('refactor_suggest counts changes and complexity', async () => {
    const { state, text } = await place.run('refactor_suggest');
    expect(state).toBe('done');
    expect(text).toMatch(/^ *2 src\/total\.ts$/m);
    expect(text).toMatch(/^\| src\/total\.ts \| 4 \| \d+ \| \d+ \|$/m);
  });

  it('test_gen lists what has no test; without a model there is no draft', async () => {
    const { state, text } = await place.run('test_gen');
    expect(state).toBe('done');
    expect(text).toContain('3 source files');
    expect(text).toMatch(/^\| src\/total\.ts \|/m);
    expect(text).not.toContain('A draft for');
    const none = await place.run('test_gen', { path: 'README.md' });
    expect([none.state, none.text]).toEqual([
      'failed',
      expect.stringContaining('There are no source files in README.md'),
    ]);
  });

  it('changelog_write drafts from the commits, and writes only when told and agreed to', async () => {
    const shown = await place.run('changelog_write', { version: 'v1.1.0' });
    expect(shown.state).toBe('done');
    expect(shown.text).toMatch(/## v1\.1\.0 \(\d{4}-\d\d-\d\d\)/);
    expect(shown.text).toMatch(
      /### Features\n\n- \*\*cart:\*\* add a cart \(#7\)\n\n### Fixes\n\n- round the total/,
    );
    expect(shown.text).toContain('2 commits since v1.0.0, a minor release.');
    await place.put('CHANGELOG.md', '# Changelog\n\n## v1.0.0\n\n- pay\n');
    const refused = await place.run('changelog_write', { write: true });
    expect(refused.state).toBe('refused');
    expect(await place.read('CHANGELOG.md')).not.toContain('cart');
    const written = await place.run('changelog_write', { write: true, version: 'v1.1.0' }, { says: 'yes' });
    expect(written.asked.join(' ')).toContain('Put this at the top of CHANGELOG.md?');
    expect(await place.read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## v1\.1\.0 [\s\S]*round the total\n+## v1\.0\.0\n\n- pay\n$/,
    );
    await place.shell('rm CHANGELOG.md');
  });

  it('release_manage suggests a version, runs the tests and tags after agreement', async () => {
    const shown = await place.run('release_manage', {}, { says: 'yes' });
    expect(shown.state).toBe('done');
    expect(shown.text).toContain('kind: **minor**; suggested version: **1.1.0**');
    expect(shown.text).toMatch(/Tests \(npm\): passed/);
    expect(shown.text).toContain('No tag was made.');
    await place.put('dirty.txt', 'x');
    const dirty = await place.run(
      'release_manage',
      { tag: true, version: 'v1.1.0', run_tests: false },
      { says: 'yes' },
    );
    expect([dirty.state, dirty.text]).toEqual([
      'failed',
      expect.stringContaining('not committed: no tag is made'),
    ]);
    await place.shell('rm dirty.txt');
    const asked = { tag: true, version: 'v1.1.0', run_tests: false };
    expect((await place.run('release_manage', asked, { says: 'no' })).state).toBe('refused');
    expect(await place.shell('git tag')).toBe('v1.0.0\n');
    const tagged = await place.run('release_manage', asked, { says: 'yes' });
    expect([tagged.state, tagged.text]).toEqual(['done', expect.stringContaining('- Tagged v1.1.0.')]);
    expect(await place.shell('git tag -n9 -l v1.1.0')).toContain('add a cart');
    await place.shell('git tag -d v1.1.0');
    const wrong = await place.run('release_manage', { version: '1; rm -rf /' });
    expect([wrong.state, wrong.text]).toEqual(['unmet', expect.stringContaining('semantic version')]);
  });

  it('report_generate tells the week, and what is not connected', async () => {
    const { state, text } = await place.run('report_generate', {
      sources: ['git_log', 'jira_tickets'],
      period: 'week',
    });
    expect(state).toBe('done');
    expect(text).toContain('# Report of the last 1 week');
    expect(text).toContain('feat(cart): add a cart (#7)');
    expect(text).toMatch(/## Not connected\n\n- jira_tickets/);
  });

  it('doc_generate writes a reference from the comments', async () => {
    const { state, text } = await place.run(
      'doc_generate',
      { title: 'Shop', file: 'docs/reference.md' },
      { says: 'yes' },
    );
    expect(state).toBe('done');
    expect(text).toMatch(/### `src\/total\.ts`\n\n- `total`: Adds\./);
    expect(text).toMatch(/- `README\.md`: Shop/);
    expect(await place.read('docs/reference.md')).toContain('- `pay`: Pays.');
    await place.shell('rm -r docs');
  });

  it('api_spec makes an OpenAPI skeleton of the routes', async () => {
    const { state, text } = await place.run('api_spec', { paths: ['src'], title: 'Shop' });
    expect(state).toBe('done');
    expect(text).toContain('# Shop: 2 routes');
    expect(text).toMatch(/^\| post \| \/payments\/\{id\} \| src\/routes\.ts:2 \|$/im);
    expect(text).toMatch(/```yaml\nopenapi: 3\./);
    const none = await place.run('api_spec', { paths: ['docs'] });
    expect([none.state, none.text]).toEqual([
      'failed',
      expect.stringContaining('No routes were found in docs'),
    ]);
  });

  it('ci_setup writes a pipeline for what the project is made of', async () => {
    const shown = await place.run('ci_setup');
    expect(shown.text).toContain('was not written');
    expect(shown.text).toMatch(/^ {2}node:$/m);
    expect(shown.text).toMatch(/^ {6}- run: npm install$/m);
    expect(shown.text).not.toMatch(/^ {2}(?:python|go|rust):$/m);
    await place.put('package-lock.json', '{}');
    const written = await place.run('ci_setup', { write: true }, { says: 'yes' });
    expect(written.state).toBe('done');
    const { parse } = await import('yaml');
    const ci = parse(await place.read('.github/workflows/ci.yml')) as {
      jobs: { node: { steps: { run?: string }[] } };
    };
    expect(ci.jobs.node.steps.map(({ run }) => run)).toContain('npm ci');
    const again = await place.run('ci_setup');
    expect([again.state, again.text]).toEqual(['unmet', expect.stringContaining('is there already')]);
    await place.shell('rm -r .github package-lock.json');
  });

  it('api_migration plans from the installed changelog, and edits after agreement', async () => {
    await place.put(
      'package.json',
      '{"name":"shop","scripts":{"test":"node -e 0"},"dependencies":{"payer":"^1.0.0"}}\n',
    );
    await place.put('node_modules/payer/package.json', '{"name":"payer","version":"1.0.0"}');
    await place.put(
      'node_modules/payer/CHANGELOG.md',
      '# Changelog\n\n## 2.0.0\n\n### Breaking\n\n- `sendMoney` was renamed to `transfer`.\n\n## 1.0.0\n\n- First.\n',
    );
    await place.put('src/use.ts', "import { sendMoney } from 'payer';\nsendMoney(1);\n");
    const asked = { package: 'payer', to_version: '2.0.0' };
    const shown = await place.run('api_migration', asked);
    expect([shown.state, shown.text]).toEqual(['done', expect.stringContaining('# payer 1.0.0 → 2.0.0')]);
    expect(shown.text).toContain('+transfer(1);');
    expect(await place.read('src/use.ts')).toContain('sendMoney(1)');
    const made = await place.run('api_migration', { ...asked, apply: true }, { says: 'yes' });
    expect(made.state).toBe('done');
    expect(await place.read('src/use.ts')).toBe("import { transfer } from 'payer';\ntransfer(1);\n");
    expect(await place.read('package.json')).toContain('"payer":"^2.0.0"');
  });

  it('dependency_audit says what it needs', async () => {
    const { state, text } = await place.run('dependency_audit', { path: 'src' }, { says: 'yes' });
    expect([state, text]).toEqual(['failed', expect.stringContaining('no lockfile or manifest')]);
  });
});

describe('skills for a repository, where there is none', UNHURRIED, () => {
  it('say so before they do anything', async () => {
    const place = await openSkillPlace({ commands: 'machine' });
    try {
      for (const name of [
        'code_review',
        'refactor_suggest',
        'test_gen',
        'changelog_write',
        'release_manage',
      ]) {
        const { state, text } = await place.run(name);
        expect([name, state, text]).toEqual([name, 'unmet', expect.stringContaining('Git repository')]);
      }
    } finally {
      await place.close();
    }
  });
});
