import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ActionPlace, openActionPlace } from '#testkit/tool-context';
import { localFiles } from '../../local-files.ts';
import { tool as machineReport } from '../machine/machine-report.ts';
import { tool as shell } from '../shell.ts';
import { tool as terminal } from '../../terminal/terminal.ts';
import { tool as apiSpecExtract } from '../project/api-spec-extract.ts';
import { tool as coverageRead } from '../project/coverage-read.ts';
import { tool as dataProfile } from './data-profile.ts';
import { tool as dependencyAudit } from '../project/dependency-audit.ts';
import { tool as docOutline } from '../project/doc-outline.ts';
import { tool as jsonQuery } from './json-query.ts';
import { tool as lintRun } from '../project/lint-run.ts';
import { tool as logPatterns } from './log-patterns.ts';
import { tool as modelMetricsRead } from './model-metrics-read.ts';
import { tool as readData } from './read-data.ts';
import { tool as testRun } from '../project/test-run.ts';
import { tool as textExtract } from './text-extract.ts';

const PARTS = {
  files: (root: string) => localFiles({ root, protectedPaths: [] }),
  tools: [terminal, shell, machineReport],
};

let place: ActionPlace;
beforeEach(async () => {
  place = await openActionPlace(PARTS);
});
afterEach(() => place.close());

describe('actions about data', () => {
  it('json_query takes parts, filters, sorts, and sees no inherited fields', async () => {
    const data = {
      items: [
        { n: 'a', v: 3, t: ['x'] },
        { n: 'b', v: 1, t: [] },
        { n: 'c', v: 2, t: ['x'] },
      ],
    };
    expect(await place.data(jsonQuery, { data, path: 'items[1].n' })).toEqual({ value: 'b', found: true });
    const where = [{ field: 't', is: 'contains', value: 'x' }];
    const found = await place.data(jsonQuery, {
      data: JSON.stringify(data),
      path: 'items',
      where,
      sort_by: 'v',
      fields: ['n'],
    });
    expect(found).toMatchObject({ value: [{ n: 'c' }, { n: 'a' }], count: 2, total: 3 });
    expect(await place.data(jsonQuery, { data, path: 'items[*].v' })).toMatchObject({ value: [3, 1, 2] });
    expect(await place.data(jsonQuery, { data, path: '__proto__.toString' })).toEqual({
      value: null,
      found: false,
    });
  });

  it('text_extract gives groups, and ends an expression that never would', async () => {
    const text = 'id=7 took 12ms\nid=8 took 9ms';
    expect(await place.data(textExtract, { text, pattern: 'took (\\d+)ms', group: 1 })).toMatchObject({
      values: ['12', '9'],
      first: '12',
    });
    expect(await place.data(textExtract, { text, pattern: '(?<id>\\d+) took', group: 'id' })).toMatchObject({
      values: ['7', '8'],
    });
    const endless = await place.run(textExtract, { text: `${'a'.repeat(40)}b`, pattern: '(a+)+$' });
    expect(endless).toMatchObject({
      isError: true,
      summary: 'The expression cannot be used: it takes longer than 500 ms.',
    });
    expect(await place.run(textExtract, { text, pattern: '(' })).toMatchObject({ isError: true });
  });

  it('read_data reads formats by their names, and says where a file is broken', async () => {
    const { workspace } = place;
    await workspace.put('a.json', '{"port": 1}');
    await workspace.put('b.yaml', 'services:\n  - port: 2\n');
    await workspace.put('c.csv', 'name,n\n"x, ""y""",3\n');
    await workspace.put('d.jsonl', '{"a":1}\n{"a":2}\n');
    await workspace.put('bad.json', '{');
    expect(await place.data(readData, { path: 'a.json' })).toMatchObject({
      data: { port: 1 },
      format: 'json',
    });
    expect(await place.data(readData, { path: 'b.yaml', at: 'services[0].port' })).toMatchObject({ data: 2 });
    expect(await place.data(readData, { path: 'c.csv' })).toMatchObject({
      data: [{ name: 'x, "y"', n: 3 }],
      count: 1,
    });
    expect(await place.data(readData, { path: 'd.jsonl' })).toMatchObject({ count: 2 });
    expect((await place.run(readData, { path: 'bad.json' })).summary).toContain('bad.json is no json');
    expect((await place.run(readData, { path: 'none.json' })).summary).toBe('There is no file none.json.');
  });

  it('data_profile finds what is odd in a table', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `${at},${100 + at},same,2026-01-0${(at % 9) + 1}`);
    await place.workspace.put(
      't.csv',
      `id;v;k;d\n${[...rows, rows[0], '31,99999,same,', '32,,same,x,extra'].join('\n').replaceAll(',', ';')}\n`,
    );
    const found = await place.data(dataProfile, { path: 't.csv' });
    expect(found).toMatchObject({ rows: 33, duplicates: 1, ragged_rows: 1, ok: false });
    expect(found.columns).toMatchObject([
      { name: 'id', type: 'number', nulls: 0 },
      { name: 'v', type: 'number', nulls: 1, max: 99_999, outliers: 1 },
      { name: 'k', distinct: 1, problems: ['it has one value throughout'] },
      { name: 'd', type: 'text' },
    ]);
  });

  it('model_metrics_read finds the best step and what goes wrong', async () => {
    const rows = [1, 0.6, 0.4, 0.45, 0.55, 0.7, 0.8].map((loss, at) => `${at + 1},${loss},${1 - at / 10}`);
    await place.workspace.put('run.csv', `epoch,val_loss,loss\n${rows.join('\n')}\n`);
    const found = await place.data(modelMetricsRead, { path: 'run.csv' });
    expect(found).toMatchObject({
      metric: 'val_loss',
      mode: 'min',
      best: { step: 3, value: 0.4 },
      overfits: true,
    });
    await place.workspace.put('keras.json', '{"history": {"accuracy": [0.5, 0.9], "loss": [1, null]}}');
    expect(await place.data(modelMetricsRead, { path: 'keras.json', metric: 'accuracy' })).toMatchObject({
      best: { step: 2, value: 0.9 },
      mode: 'max',
    });
    expect(await place.data(modelMetricsRead, { path: 'keras.json' })).toMatchObject({
      metric: 'loss',
      diverges: true,
    });
    expect(await place.run(modelMetricsRead, { path: 'keras.json', metric: 'f1' })).toMatchObject({
      isError: true,
    });
  });

  it('log_patterns groups lines, and finds what is new and what bursts', async () => {
    const at = (minute: number, text: string) =>
      `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z ${text}`;
    const lines = Array.from({ length: 60 }, (_, n) => [
      at(n, `GET /a/${n}/b 200 ${n}ms`),
      at(n, `user ${n} logged in`),
    ]).flat();
    for (let n = 0; n < 30; n++) lines.push(at(59, `ERROR pool exhausted after ${n} ms id=deadbeef${n}0`));
    lines.push(
      at(58, 'user 9 logged in'),
      at(57, 'ERROR pool exhausted after 1 ms id=deadbeef00'),
      at(56, 'ERROR pool exhausted after 1 ms id=deadbeef01'),
    );
    await place.workspace.put('app.log', `${lines.join('\n')}\n`);
    const found = await place.data(logPatterns, { path: 'app.log' });
    expect(found).toMatchObject({ pattern_count: 3, error_lines: 32 });
    expect(found.templates).toMatchObject([
      { template: 'user <*> logged in', count: 61, level: 'info' },
      { template: 'GET <*>', count: 60 },
      {
        template: 'ERROR pool exhausted after <*> ms id=<*>',
        count: 32,
        level: 'error',
        burst: { at: '2026-01-01T10:59', count: 30 },
      },
    ]);
    const later = await place.data(logPatterns, {
      text: 'user 5 logged in\ndisk full on sda',
      known: found.known,
    });
    expect(later.new).toMatchObject([{ template: 'disk full on sda' }]);
    expect(await place.data(logPatterns, { path: 'app.log', max_bytes: 1_000 })).toMatchObject({ cut: true });
  });
});

describe('actions about a project', () => {
  it('coverage_read reads the usual reports', async () => {
    await place.workspace.put(
      'coverage/lcov.info',
      'SF:src/a.ts\nLF:10\nLH:9\nend_of_record\nSF:src/b.ts\nLF:10\nLH:1\nend_of_record\n',
    );
    expect(await place.data(coverageRead, {})).toMatchObject({
      percent: 50,
      ok: false,
      below: [{ path: 'src/b.ts', percent: 10 }],
    });
    await place.workspace.put(
      'coverage.xml',
      '<class filename="x.py" line-rate="1"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>',
    );
    expect(await place.data(coverageRead, { path: 'coverage.xml' })).toMatchObject({ percent: 50 });
    await place.workspace.put('cover.out', 'mode: set\nm/a.go:1.1,2.2 3 1\nm/a.go:3.1,4.2 1 0\n');
    expect(await place.data(coverageRead, { path: 'cover.out' })).toMatchObject({ percent: 75 });
    expect(await place.run(coverageRead, { path: 'none.xml' })).toMatchObject({ isError: true });
  });

  it('api_spec_extract finds the routes of several frameworks', async () => {
    const { workspace } = place;
    await workspace.put(
      'src/app.ts',
      "app.get('/users/:id', showUser);\nrouter.post('/users', auth, createUser);\n",
    );
    await workspace.put(
      'api/main.py',
      '@app.get("/items/{item_id}")\nasync def read_item(item_id: int):\n    """One item."""\n\n@bp.route("/old/<int:id>", methods=["GET", "PUT"])\ndef old(id):\n    return 1\n',
    );
    await workspace.put(
      'cmd/main.go',
      'r.GET("/ping/:x", ping)\nmux.HandleFunc("DELETE /jobs/{id}", drop)\n',
    );
    const found = await place.data(apiSpecExtract, { title: 'Shop' });
    const routes = (found.routes as { method: string; path: string }[])
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
    expect(routes).toEqual([
      'delete /jobs/{id}',
      'get /items/{item_id}',
      'get /old/{id}',
      'get /ping/{x}',
      'get /users/{id}',
      'post /users',
      'put /old/{id}',
    ]);
    expect(found.spec).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Shop' },
      paths: {
        '/items/{item_id}': {
          get: {
            operationId: 'read_item',
            summary: 'One item.',
            parameters: [{ name: 'item_id', in: 'path' }],
          },
        },
        '/users': { post: { operationId: 'createUser', 'x-source': 'src/app.ts:2' } },
      },
    });
  });

  it('doc_outline gathers headings and exported names', async () => {
    await place.workspace.put('README.md', '# Shop\n\n```\n# no\n```\n\n## Use\n');
    await place.workspace.put('src/a.ts', '/** Pays. */\nexport function pay() {}\nexport const x = 1;\n');
    await place.workspace.put('lib/b.py', 'def run():\n    """Runs."""\n\ndef _inner(): pass\n');
    const found = await place.data(docOutline, {});
    expect(found).toMatchObject({ exported: 3, undocumented: 1 });
    expect(found.documents).toMatchObject([
      {
        headings: [
          { text: 'Shop', level: 1 },
          { text: 'Use', level: 2 },
        ],
      },
    ]);
    expect(found.modules).toMatchObject([
      { exports: [{ name: 'run', doc: 'Runs.' }] },
      {
        exports: [
          { name: 'pay', doc: 'Pays.' },
          { name: 'x', doc: '' },
        ],
      },
    ]);
  });

  it('test_run runs what the project says, and failing tests are an answer', async () => {
    await place.workspace.put(
      'package.json',
      '{"scripts": {"test": "echo \'Tests  1 failed | 4 passed | 2 skipped (7)\'; echo \'FAIL  a.test.ts > adds\'; exit 1"}}',
    );
    const found = await place.data(testRun, {});
    expect(found).toMatchObject({
      runner: 'npm',
      success: false,
      passed: 4,
      failed: 1,
      skipped: 2,
      failures: ['FAIL  a.test.ts > adds'],
    });
    expect(place.calls.at(-1)).toMatchObject({
      name: 'shell',
      input: { command: 'npm', args: ['test', '--silent'] },
    });
    expect(await place.data(testRun, { command: ['echo', '3 passed in 0.1s'] })).toMatchObject({
      success: true,
      passed: 3,
      failed: 0,
    });
    expect(await place.run(testRun, { path: 'none' })).toMatchObject({ isError: true });
  });

  it('lint_run and dependency_audit read what the tools of the project print', async () => {
    const { workspace } = place;
    await workspace.put('eslint.config.js', '');
    await workspace.put('package-lock.json', '{}');
    const eslint = [
      {
        filePath: `${workspace.root}/a.js`,
        messages: [{ ruleId: 'eqeqeq', severity: 2, line: 3, message: 'Use ===' }],
      },
    ];
    const audit = {
      vulnerabilities: {
        lodash: {
          severity: 'moderate',
          range: '<4',
          via: [{ title: 'Pollution', url: 'https://x/GHSA-1' }],
          fixAvailable: true,
        },
        old: { severity: 'critical', range: '*', via: ['lodash'], fixAvailable: false },
      },
    };
    const callTool = async (_: string, input: unknown) => {
      const stdout = JSON.stringify(JSON.stringify(input).includes('eslint') ? eslint : audit);
      return { content: [], summary: '', isError: true, data: { code: 1, stdout, stderr: '', ms: 1 } };
    };
    expect(await place.data(lintRun, {}, { callTool })).toMatchObject({
      linter: 'eslint',
      errors: 1,
      issues: [{ file: 'a.js', line: 3, rule: 'eqeqeq' }],
    });
    const found = await place.data(dependencyAudit, {}, { callTool });
    expect(found).toMatchObject({ count: 2, has_critical: true, fixable: 1 });
    expect(found.issues).toMatchObject([
      { name: 'old', severity: 'critical' },
      { name: 'lodash', severity: 'medium', id: 'GHSA-1' },
    ]);
    const denied = async () => ({
      content: [{ type: 'text' as const, text: 'Not allowed: no' }],
      summary: '',
      isError: true,
    });
    expect(await place.run(dependencyAudit, {}, { callTool: denied })).toMatchObject({
      isError: true,
      summary: 'Not allowed: no',
    });
  });
});
