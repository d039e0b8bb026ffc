import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has, openSkillPlace, type SkillPlace, UNHURRIED } from './skill-place.ts';

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const listening = (server: Server | ReturnType<typeof createTcp>): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(portOf(server))));

describe('operations, on this machine', UNHURRIED, () => {
  const http = createServer((_request, response) => response.end('{"status":"green"}'));
  let [alive, dead] = [0, 0];
  let place: SkillPlace;

  beforeAll(async () => {
    alive = await listening(http);
    const gone = createTcp();
    dead = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    place = await openSkillPlace({
      commands: 'machine',
      reach: [`127.0.0.1:${alive}`, `127.0.0.1:${dead}`],
    });
  });
  afterAll(async () => {
    http.close();
    await place.close();
  });

  it('service_monitor tells what is up and what is down', async () => {
    const endpoints = [
      { name: 'api', url: `http://127.0.0.1:${alive}/`, expected: { status: 200, body_contains: 'green' } },
      { name: 'shop', url: `http://127.0.0.1:${dead}/` },
      { name: 'database', type: 'tcp', host: '127.0.0.1', port: dead, timeout: 2 },
    ];
    const first = await place.run('service_monitor', { endpoints });
    expect(first.state).toBe('done');
    expect(first.text).toContain('1 of 3 healthy');
    expect(first.text).toMatch(/^\| api \| up \| \d+ \|/m);
    expect(first.text).toMatch(/^\| shop \| down \|/m);
    expect(first.text).toMatch(/^\| database \| down \| \d+ \| .*refused the connection/m);
    expect(first.text).toMatch(/^- \[critical\] shop: /m);
    expect(first.steps['try known remedies']).toBe('skipped');
    const well = await place.run('service_monitor', { endpoints: endpoints.slice(0, 1) });
    expect(well.text).toContain('Nothing is wrong.');
  });

  it('service_monitor keeps its runs for the next one and for the daily report', async () => {
    const endpoints = [{ name: 'shop', url: `http://127.0.0.1:${dead}/` }];
    await place.run('service_monitor', { endpoints });
    const { outputs } = await place.run('service_monitor', { endpoints });
    expect(outputs.anomalies).toMatchObject({ has_critical: true });
    expect((outputs.anomalies as { history_runs: number }).history_runs).toBeGreaterThan(0);
    expect((await place.run('ops_daily_report')).text).toMatch(/: done, \d+ anomalies$/m);
  });

  it('service_monitor needs endpoints', async () => {
    await expect(place.run('service_monitor')).rejects.toThrow('service_monitor needs endpoints');
  });

  it('ops_daily_report puts together what there is', async () => {
    const { state, text } = await place.run('ops_daily_report', { period: '7d' });
    expect(state).toBe('done');
    expect(text).toContain('The last 7 days.');
    expect(text).toMatch(/Load: .*load average/);
    expect(text).toMatch(/^- .+: \d+ % used$/m);
    expect(text).toContain('Taken on this machine');
    const wrong = await place.run('ops_daily_report', { period: 'a while' });
    expect([wrong.state, wrong.text]).toEqual(['unmet', expect.stringContaining('such as 24h')]);
  });

  it('backup_check sees what is fresh, old, empty and broken', async () => {
    await place.shell(
      `mkdir good old broken none && echo data | gzip > good/a.gz && echo x > old/b.sql && touch -d '3 days ago' old/b.sql && echo no > broken/c.tar.gz`,
    );
    const { state, text, levels } = await place.run('backup_check', {
      backup_dirs: ['good', 'old', 'broken', 'none'],
    });
    expect([state, Math.max(...levels)]).toEqual(['done', 0]);
    expect(text).toContain('**3 problems.**');
    expect(text).toMatch(/^\| good \| 1 \| good\/a\.gz \| 0 \| \d+ \| good \|$/m);
    expect(text).toMatch(/^- \[critical\] old: the newest is 72 h old$/m);
    expect(text).toMatch(/^- \[critical\] broken: .*is broken$/m);
    expect(text).toMatch(/^- \[critical\] none: there is no backup$/m);
  });

  it('memory_cleanup says what it forgot', async () => {
    const { state, text } = await place.run('memory_cleanup', { max_age_days: 30 });
    expect([state, text]).toEqual(['done', expect.stringMatching(/Older than 30 days: \d+ forgotten/)]);
  });

  it('disk_pressure finds the large file, and changes nothing', async () => {
    await place.shell('mkdir -p var/cache && head -c 3000000 /dev/zero > var/cache/dump.bin');
    const asked = { path: 'var', large_mb: 2, threshold: 1 };
    const { state, text, levels } = await place.run('disk_pressure', asked);
    expect([state, Math.max(...levels)]).toEqual(['done', 0]);
    expect(text).toMatch(/^\d+ \d{4}-\d\d-\d\d var\/cache\/dump\.bin$/m);
    expect(text).toMatch(/^\d+\tvar\/cache$/m);
    expect(text).toMatch(/% used/);
    const gone = await place.run('disk_pressure', { path: 'nowhere' });
    expect([gone.state, gone.text]).toEqual(['unmet', expect.stringContaining('There is no folder `path`')]);
  });

  it('log_triage groups the errors of a file', async () => {
    const ok = Array.from(
      { length: 40 },
      (_, i) => `2026-01-31T10:00:${10 + (i % 50)}Z INFO request ${i} took 12ms`,
    );
    const bad = Array.from(
      { length: 7 },
      (_, i) => `2026-01-31T10:05:0${i}Z ERROR pool exhausted after ${i}00ms`,
    );
    await place.put('app.log', [...ok, ...bad].join('\n'));
    const { state, text } = await place.run('log_triage', { path: 'app.log' });
    expect(state).toBe('done');
    expect(text).toContain('7 lines with errors');
    expect(text).toMatch(/^- \*\*7×\*\* ERROR pool exhausted after <\*>$/m);
    const nothing = await place.run('log_triage');
    expect([nothing.state, nothing.text]).toEqual([
      'unmet',
      expect.stringContaining('Name a log file in `path`'),
    ]);
  });

  it.skipIf(!has('ss'))('port_conflict names the process that has the port (needs ss)', async () => {
    const taken = await place.run('port_conflict', { port: alive });
    expect(taken.state).toBe('done');
    expect(taken.text).toContain(`pid=${process.pid}`);
    expect(taken.text).toMatch(new RegExp(`^ *${process.pid} `, 'm'));
    const free = await place.run('port_conflict', { port: dead });
    expect(free.text).toContain('Nothing listens on it here.');
    const wrong = await place.run('port_conflict', { port: 70_000 });
    expect([wrong.state, wrong.text]).toEqual(['unmet', expect.stringContaining('from 1 to 65535')]);
  });

  it('slow_host shows load, pressure and processes', async () => {
    const { state, text } = await place.run('slow_host', { top: 3 });
    expect(state).toBe('done');
    expect(text).toMatch(/load average: [\d.]+/);
    if (has('vmstat')) expect(text).toMatch(/procs -+memory/);
    expect(text.match(/^\| .+ \(\d+\) \|/gm)).toHaveLength(3);
    expect(text).toContain('Taken on this machine');
  });

  it.skipIf(!has('openssl'))(
    'cert_expiry reads the certificate that a host shows (needs openssl)',
    async () => {
      await place.shell(
        'openssl req -x509 -newkey rsa:2048 -nodes -days 5 -subj /CN=localhost -keyout key.pem -out cert.pem',
      );
      const server = createTls({ key: await place.read('key.pem'), cert: await place.read('cert.pem') });
      const port = await listening(server);
      try {
        const hosts = ['127.0.0.1', 'localhost'];
        const { state, text, levels } = await place.run('cert_expiry', { hosts, port });
        expect([state, text]).toEqual(['done', expect.stringContaining('**Look after these**')]);
        expect(Math.max(...levels)).toBeLessThan(2);
        expect(text.match(/^- .+ → .+ GMT ⚠/gm)).toHaveLength(2);
        const calm = await place.run('cert_expiry', { hosts, port, warn_days: 2 });
        expect(calm.text).toContain('All are good for at least 2 days.');
        const none = await place.run('cert_expiry', { hosts: ['127.0.0.1'], port: dead });
        expect(none.text).toMatch(new RegExp(`^- 127\\.0\\.0\\.1:${dead}\\s*$`, 'm'));
      } finally {
        server.close();
      }
    },
  );

  it('systemd_failed_units says when there is no systemd, or lists what failed', async () => {
    const { state, text } = await place.run('systemd_failed_units');
    expect(state === 'unmet' ? text : `${state} ${text}`).toMatch(
      /systemd does not run on this machine|done # Units that failed/,
    );
  });
});

describe('operations, where commands run in a sandbox', UNHURRIED, () => {
  it.skipIf(!has('bwrap'))('read the machine itself, and say so (needs bwrap)', async () => {
    const place = await openSkillPlace();
    try {
      const slow = await place.run('slow_host', { top: 3 });
      expect([slow.state, Math.max(...slow.levels)]).toEqual(['done', 0]);
      expect(slow.text).toMatch(/Taken on this machine/);
      // The process that asks is seen: it lives outside of the sandbox.
      const top = await place.run('slow_host', { top: 200 });
      expect(top.text).toContain(`(${process.pid})`);
      const disks = await place.run('disk_pressure', { path: '/', large_mb: 100_000 });
      const [mount] = (disks.outputs.disks as { filesystems: { mount: string; size_kb: number }[] })
        .filesystems;
      const really = (await place.shell(`df -P -k ${mount?.mount} | tail -1`)).trim().split(/\s+/);
      expect([String(mount?.size_kb), mount?.mount]).toEqual([really[1], really.at(-1)]);
      expect(disks.text).toMatch(/Taken on this machine/);
    } finally {
      await place.close();
    }
  });

  it.skipIf(!has('bwrap'))('conclude nothing where the machine may not be read (needs bwrap)', async () => {
    const place = await openSkillPlace({ config: 'tools:\n  inspect_machine: false\n' });
    try {
      const { state, text } = await place.run('disk_pressure');
      expect(state).toBe('failed');
      expect(text).toContain('could not be measured');
      expect(text).not.toContain('No file system is above');
    } finally {
      await place.close();
    }
  });

  const mayMount =
    process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0 && has('bwrap');
  it.skipIf(!mayMount)('report a full disk (needs root, unshare and bwrap)', async () => {
    const child = join(import.meta.dirname, 'full-disk-child.ts');
    const { stdout, stderr } = await promisify(execFile)(
      'unshare',
      ['-m', '--propagation', 'private', process.execPath, child],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(stdout, stderr).toMatch(/^- ⚠️ \[critical\] \S+\/full: 100 % used$/m);
    expect(stdout).toMatch(/^- ⚠️ \[critical\] \S+\/inodes: \d+ % used, 100 % of the inodes$/m);
    expect(stdout).not.toContain('No file system is above');
  });
});
