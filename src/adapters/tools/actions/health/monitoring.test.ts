import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import { type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { type ActionPlace, openActionPlace } from '#testkit/tool-context';
import { localFiles } from '../../local-files.ts';
import { tool as machineReport } from '../machine/machine-report.ts';
import { tool as shell } from '../shell.ts';
import { tool as terminal } from '../../terminal/terminal.ts';
import { tool as analyzeAnomalies } from './analyze-anomalies.ts';
import { tool as autoRemediate } from './auto-remediate.ts';
import { tool as containerList } from '../machine/container-list.ts';
import { tool as generateReport } from '../report/generate-report.ts';
import { tool as health } from './parallel-health-check.ts';
import { tool as tcpCheck } from '../machine/tcp-check.ts';
import { tool as waitUntil } from './wait-until.ts';

const PARTS = {
  files: (root: string) => localFiles({ root, protectedPaths: [] }),
  tools: [terminal, shell, machineReport],
};

describe('the actions of service monitoring', () => {
  let place: ActionPlace;
  let server: LoopbackServer;
  let tcp: Server;
  let green = true;
  const port = () => (tcp.address() as AddressInfo).port;
  beforeEach(async () => {
    green = true;
    server = await startLoopback(({ path }) => {
      if (path === '/es') return { body: { status: green ? 'green' : 'red' } };
      return path === '/broken' ? { status: 503, body: 'no' } : { body: 'ok' };
    });
    tcp = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    place = await openActionPlace(
      { ...PARTS, tools: [...PARTS.tools, tcpCheck, health, containerList] },
      { web: loopbackWeb({}) },
    );
  });
  afterEach(async () => {
    await server.close();
    await new Promise((resolve) => tcp.close(resolve));
    await place.close();
  });

  /** As the seed writes it, on this machine. */
  const endpoints = () => [
    {
      name: '主站 API',
      url: `${server.url}/health`,
      method: 'GET',
      expected: { status: 200, response_time_ms: 5_000 },
    },
    { name: '数据库', type: 'tcp', host: '127.0.0.1', port: port(), timeout: 3 },
    {
      name: 'Elasticsearch',
      url: `${server.url}/es`,
      expected: { status: 200, body_contains: '"status":"green"' },
    },
  ];

  it('finds everything well', async () => {
    const checked = await place.data(health, { endpoints: endpoints() });
    expect(checked).toMatchObject({ total: 3, healthy: 3, all_healthy: true });
    expect(checked.results).toMatchObject([
      { name: '主站 API', state: 'up', status: 200, type: 'http' },
      { name: '数据库', state: 'up', type: 'tcp' },
      { name: 'Elasticsearch', state: 'up' },
    ]);
    const found = await place.data(analyzeAnomalies, { results: checked, history: '' });
    expect(found).toMatchObject({
      count: 0,
      has_critical: false,
      critical: [],
      max_severity: 'none',
      items: [],
    });
  });

  it('goes the way of the seed: what is down is found, mended, checked and reported', async () => {
    green = false;
    const dead = { ...endpoints()[1], port: 1 };
    const wanted = [{ name: '主站 API', url: `${server.url}/broken` }, dead, endpoints()[2]];
    const checked = await place.data(health, { endpoints: wanted });
    expect(checked).toMatchObject({ healthy: 0 });
    const found = await place.data(analyzeAnomalies, { results: checked, history: null });
    expect(found).toMatchObject({
      count: 3,
      has_critical: true,
      max_severity: 'critical',
      max_severity_name: '严重',
    });
    expect(found.items).toMatchObject([
      { severity: 'critical', name: '主站 API', message: '状态码 503,期望 <400' },
      { severity: 'critical', name: '数据库' },
      { severity: 'high', name: 'Elasticsearch', message: '响应中没有期望的内容' },
    ]);

    const strategies = { Elasticsearch: `touch mended`, '主站 API': 'false' };
    const callTool: ActionPlace['context']['callTool'] = async (name, input) => {
      const result = await place.context.callTool(name, input);
      if (JSON.stringify(input).includes('touch mended')) green = true;
      return result;
    };
    const mended = await place.data(
      autoRemediate,
      { anomalies: found.items, strategies, max_attempts: 2, settle_seconds: 0 },
      { callTool },
    );
    expect(mended).toMatchObject({ success: false, unknown: ['数据库'], attempts: 3 });
    expect(mended.actions).toEqual(['主站 API: false', '主站 API: false', 'Elasticsearch: touch mended']);
    expect(mended.results).toMatchObject([
      { name: '主站 API', success: false, attempts: 2 },
      { name: '数据库', success: false, attempts: 0, message: '没有已知的修复策略' },
      { name: 'Elasticsearch', success: true, verified: true, attempts: 1 },
    ]);
    expect(await place.shell('ls')).toBe('mended\n');

    const report = await place.data(generateReport, {
      health: checked,
      anomalies: found,
      remediation: mended,
    });
    expect(report.text).toContain('## 健康状态');
    expect(report.text).toContain('- **[严重]** 主站 API — 状态码 503,期望 <400');
    expect(report).toMatchObject({ counts: { critical: 2, high: 1 }, total: 3 });
    const html = await place.data(generateReport, {
      anomalies: [{ severity: 'high', name: '<b>', message: '&' }],
      format: 'html',
    });
    expect(html.text).toContain('&lt;b&gt; &amp;');
  });

  it('knows a place without a network from a port that is closed', async () => {
    const commands = {
      ...place.context.commands,
      run: async (...[, , onOutput]: Parameters<typeof place.context.commands.run>) => {
        onOutput?.({ stream: 'stdout', text: 'Inter-|   Receive\n face |bytes\n    lo: 0 0 0\n' });
        return { code: 1, cwd: '/', ms: 1, output: '' };
      },
    };
    expect(
      await place.data(tcpCheck, { host: '127.0.0.1', port: 80, backend: 'x' }, { commands }),
    ).toMatchObject({
      state: 'unknown',
      open: false,
    });
    expect(await place.data(tcpCheck, { host: '127.0.0.1', port: 1 })).toMatchObject({ state: 'down' });
    expect(() => tcpCheck.input.parse({ host: '-e/bin/sh', port: 1 })).toThrow('a name or address of a host');
  });

  it('says that it does not know where it was not allowed to look', async () => {
    const refused = () => Promise.reject(fail('tool.refused', 'private address', 'see web.allow_private'));
    const web = { fetch: refused, reach: refused, resolve: refused, certificate: refused };
    const callTool = async () => ({
      content: [{ type: 'text' as const, text: 'Not allowed: no' }],
      summary: '',
      isError: true,
    });
    const wanted = [
      { url: 'http://10.0.0.1/' },
      { host: '10.0.0.1', port: 5432 },
      { type: 'docker', container: 'db' },
    ];
    expect(await place.data(tcpCheck, { host: '10.0.0.1', port: 5432 }, { web })).toMatchObject({
      state: 'unknown',
      message: 'private address see web.allow_private',
    });
    const checked = await place.data(health, { endpoints: wanted }, { web, callTool });
    expect(checked.results).toMatchObject([
      { state: 'unknown', message: 'private address see web.allow_private' },
      { state: 'unknown' },
      { state: 'unknown', name: 'db' },
    ]);
    const found = await place.data(analyzeAnomalies, { results: checked });
    expect(found).toMatchObject({ has_critical: false, max_severity: 'medium', count: 3 });
  });

  it('counts failures in a row and knows what is slower than usual', async () => {
    const run = (state: string, ms: number) => ({
      results: [{ name: 'API', state, ok: state === 'up', ms }],
    });
    const steady = [100, 110, 90, 105, 95, 100].map((ms) => run('up', ms));
    const slow = await place.data(analyzeAnomalies, { results: run('up', 900), history: steady });
    expect(slow.items).toMatchObject([{ severity: 'medium', message: '900 ms, usually 100 ms' }]);
    const first = await place.data(analyzeAnomalies, {
      results: run('down', 1),
      history: steady,
      alert_threshold: 2,
    });
    expect(first).toMatchObject({ has_critical: false, items: [{ severity: 'low', failures: 1 }] });
    const history = JSON.stringify([...steady, run('down', 1)]);
    const second = await place.data(analyzeAnomalies, {
      results: run('down', 1),
      history,
      alert_threshold: 2,
    });
    expect(second).toMatchObject({
      has_critical: true,
      items: [{ failures: 2, message: 'down (2 times in a row)' }],
    });
    expect(await place.run(analyzeAnomalies, { results: {} })).toMatchObject({ isError: true });
  });

  it('does not try again what was not allowed, and takes remedies as people write them', async () => {
    const anomalies = [{ severity: 'critical', name: 'API', message: 'down' }];
    const denied = async () => ({
      content: [{ type: 'text' as const, text: 'Not allowed: level 3' }],
      summary: '',
      isError: true,
    });
    const refused = await place.data(
      autoRemediate,
      { anomalies, strategies: 'API: systemctl restart api', max_attempts: 3 },
      { callTool: denied },
    );
    expect(refused).toMatchObject({
      success: false,
      attempts: 0,
      actions: [],
      results: [{ message: 'Not allowed: level 3' }],
    });
    const strategies = [
      { match: 'API', name: 'restart', action: 'container_restart', args: { container: 'api' } },
    ];
    const dry = await place.data(autoRemediate, { anomalies, strategies, dry_run: true });
    expect(dry.results).toMatchObject([{ strategy: 'restart', message: 'would do: restart' }]);
    const level = (given: object) => autoRemediate.effect(autoRemediate.input.parse({ anomalies, ...given }));
    expect([
      level({}),
      level({ strategies: null }),
      level({ strategies }),
      level({ strategies, dry_run: true }),
    ]).toEqual([0, 0, 2, 0]);
  });

  it('waits until something is up, or until an action gives what is wanted', async () => {
    const check = { url: `${server.url}/es`, expected: { body_contains: 'red' } };
    let asked = 0;
    const callTool: ActionPlace['context']['callTool'] = (name, input) => {
      if (++asked === 2) green = false;
      return place.context.callTool(name, input);
    };
    expect(await place.data(waitUntil, { check, interval: 0.05, timeout: 5 }, { callTool })).toMatchObject({
      met: true,
      attempts: 2,
    });
    const never = await place.run(waitUntil, {
      check: { action: 'shell', args: { command: 'false' }, path: 'ok' },
      interval: 0.05,
      timeout: 0.1,
    });
    expect(never).toMatchObject({ isError: true, data: { met: false } });
    const echo = { action: 'shell', args: { command: 'echo', args: ['7'] }, path: 'stdout', equals: '7\n' };
    expect(await place.data(waitUntil, { check: echo })).toMatchObject({ met: true });
  });
});
