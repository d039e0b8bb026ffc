import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:tls';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AddressInfo } from 'node:net';
import { fail } from '#kit/app-error';
import type { ErrorRecord } from '#spec/data';
import type { Tool, ToolContext } from '#spec/ports';
import { loopbackWeb } from '#testkit/web';
import { type ActionPlace, openActionPlace } from '#testkit/tool-context';
import { localFiles } from '../../local-files.ts';
import { tool as terminal } from '../../terminal/terminal.ts';
import { tool as backupVerify } from './backup-verify.ts';
import { tool as certificateCheck } from './certificate-check.ts';
import { tool as containerList } from './container-list.ts';
import { tool as containerLogs } from './container-logs.ts';
import { tool as containerRestart } from './container-restart.ts';
import { tool as diskUsage } from './disk-usage.ts';
import { tool as dnsLookup } from './dns-lookup.ts';
import { tool as dockerBuild } from './docker-build.ts';
import { tool as dockerRun } from './docker-run.ts';
import { tool as dockerScan } from './docker-scan.ts';
import { tool as helmList } from './helm-list.ts';
import { tool as journalTail } from './journal-tail.ts';
import { tool as machineReport } from './machine-report.ts';
import { tool as processTop } from './process-top.ts';
import { tool as serviceStatus } from './service-status.ts';
import { tool as shell } from '../shell.ts';

const PARTS = {
  files: (root: string) => localFiles({ root, protectedPaths: [] }),
  tools: [terminal, shell, machineReport],
};

/** Small programs in the place of those of the machine: they print what the real ones do. */
const STAND_INS: Readonly<Record<string, string>> = {
  docker: `case "$1" in
  ps) echo '{"ID":"abc123","Names":"web","Image":"shop:1","State":"running","Status":"Up 2 hours (unhealthy)","Ports":"80/tcp"}'
      echo '{"ID":"def456","Names":"db","Image":"pg:16","State":"exited","Status":"Exited (1) 3 minutes ago","Ports":""}' ;;
  logs) echo started; echo 'ERROR no token sk-abcdefghijklmnopqrstuv' >&2 ;;
  restart|run|build) echo "$@" >> calls; echo 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef ;;
  *) exit 1 ;; esac`,
  systemctl: `printf 'Id=nginx.service\\nLoadState=loaded\\nActiveState=active\\nSubState=running\\nResult=success\\nNRestarts=2\\nMainPID=7\\n\\nId=api.service\\nLoadState=loaded\\nActiveState=failed\\nSubState=failed\\nResult=oom-kill\\n'`,
  journalctl: `echo "2026-01-01T00:00:00+00:00 h api[1]: failed to start"; echo "$@" > calls`,
  helm: `echo '[{"name":"shop","namespace":"prod","revision":"3","status":"failed","chart":"shop-1.2","app_version":"9"}]'`,
  trivy: `echo '{"Results":[{"Vulnerabilities":[{"VulnerabilityID":"CVE-1","Severity":"CRITICAL","PkgName":"ssl","InstalledVersion":"1","FixedVersion":"2","Title":"bad"},{"VulnerabilityID":"CVE-2","Severity":"LOW","PkgName":"z"}]}]}'`,
};

describe('actions about a machine', () => {
  let place: ActionPlace;
  beforeEach(async () => {
    place = await openActionPlace(PARTS);
    for (const [name, script] of Object.entries(STAND_INS)) {
      await place.workspace.put(`bin/${name}`, `#!/bin/sh\n${script}\n`);
      chmodSync(join(place.workspace.root, 'bin', name), 0o755);
    }
  });
  afterEach(() => place.close());

  /** With the stand-ins in front of the programs of this machine. */
  const withStandIns = (): ToolContext['commands'] => ({
    ...place.context.commands,
    run: (request, ...rest) =>
      place.context.commands.run(
        { ...request, env: { PATH: `${place.workspace.root}/bin:/usr/bin:/bin` } },
        ...rest,
      ),
  });
  const data = (tool: Tool, input: unknown) => {
    const commands = withStandIns();
    const callTool: ToolContext['callTool'] = (_, asked) =>
      shell.run(shell.input.parse(asked), { ...place.context, commands });
    return place.data(tool, input, { commands, callTool });
  };

  it('reads containers, their logs, and restarts them', async () => {
    expect(await data(containerList, {})).toMatchObject({
      count: 2,
      running: 1,
      stopped: ['db'],
      unhealthy: ['web'],
    });
    expect(await data(containerList, { name: 'db' })).toMatchObject({
      containers: [{ state: 'exited', image: 'pg:16' }],
    });
    const logs = await data(containerLogs, { container: 'web', lines: 5 });
    expect(logs).toMatchObject({ error_count: 1, lines: ['started', 'ERROR no token [secret:key]'] });
    await data(containerRestart, { container: 'web' });
    expect(await place.workspace.text('calls')).toBe('restart -t 10 web\n');
    expect(containerRestart.deed?.(containerRestart.input.parse({ container: 'web' }))).toMatchObject({
      command: { text: 'docker restart -t 10 web || podman restart -t 10 web' },
    });
    expect(() => containerRestart.input.parse({ container: '--all' })).toThrow('a name or id of a container');
  });

  it('builds, runs and scans images', async () => {
    expect(await data(dockerBuild, { tag: 'shop:2', build_args: { A: "it's; rm x" } })).toMatchObject({
      success: true,
      image: 'shop:2',
    });
    const started = await data(dockerRun, {
      image: 'shop:2',
      name: 'shop',
      ports: [{ host: 8080, container: 80 }],
      env: { K: 'v w' },
    });
    expect(started).toMatchObject({ container: 'shop', id: '0123456789ab', success: true });
    expect(await place.workspace.text('calls')).toBe(
      "build -t shop:2 --build-arg A=it's; rm x .\nrun -d --name shop -p 127.0.0.1:8080:80 -e K=v w shop:2\n",
    );
    const scan = await data(dockerScan, { image: 'shop:2', min_severity: 'medium' });
    expect(scan).toMatchObject({ scanner: 'trivy', count: 1, has_critical: true, fixable: 1 });
  });

  it('reads services, the journal and releases', async () => {
    expect(await data(serviceStatus, { services: ['nginx', 'api'] })).toMatchObject({
      all_active: false,
      failed: ['api'],
      items: [{ severity: 'critical', name: 'api', message: 'failed (oom-kill)' }],
    });
    expect(await data(journalTail, { unit: 'api', priority: 'err', lines: 10 })).toMatchObject({
      count: 1,
      error_count: 1,
    });
    expect(await place.workspace.text('calls')).toBe('--no-pager -o short-iso -n 10 -u api -p err\n');
    expect(await data(helmList, {})).toMatchObject({
      troubled: [{ name: 'shop', status: 'failed', revision: 3 }],
    });
  });

  it('concludes nothing from a journal that is not there', async () => {
    const none = `echo '-- No entries --'; echo 'No journal files were found.' >&2`;
    await place.workspace.put('bin/journalctl', `#!/bin/sh\n${none}\n`);
    const commands = withStandIns();
    expect(await place.run(journalTail, {}, { commands })).toMatchObject({ isError: true });
    expect(await place.run(machineReport, { read: 'kernel_errors' }, { commands })).toMatchObject({
      isError: true,
    });
  });

  it('reads disks, processes and names of the real machine', async () => {
    const disks = await place.data(diskUsage, { paths: ['/'] });
    expect(disks.filesystems).toMatchObject([{ mount: '/' }]);
    expect(disks.max_percent).toBeGreaterThan(0);
    const top = await place.data(processTop, { by: 'memory', limit: 3 });
    expect(top.processes).toHaveLength(3);
    const backend = 'named';
    expect(await place.data(dnsLookup, { name: 'localhost', backend })).toMatchObject({ found: true });
    expect(await place.data(dnsLookup, { name: 'nowhere.invalid', backend })).toMatchObject({
      found: false,
      records: [],
    });
  });

  it('looks names and certificates up where web requests are made', async () => {
    const web = loopbackWeb({});
    expect(await place.data(dnsLookup, { name: 'localhost' }, { web })).toMatchObject({
      records: ['127.0.0.1'],
    });
    expect(await place.data(dnsLookup, { name: 'gone.example' }, { web })).toMatchObject({ found: false });
    const mute = { ...web, resolve: () => Promise.reject(fail('tool.failed', 'no answer')) };
    expect(await place.run(dnsLookup, { name: 'gone.example' }, { web: mute })).toMatchObject({
      isError: true,
    });
    const shows = (days: number, distrust?: ErrorRecord): ToolContext['web'] => ({
      ...web,
      certificate: async () => ({
        address: '192.0.2.1',
        protocol: 'TLSv1.3',
        subject: 'shop.example',
        issuer: 'R3',
        names: [],
        validFrom: new Date(0),
        validTo: new Date(Date.now() + days * 86_400_000 + 60_000),
        ...(distrust ? { distrust } : {}),
      }),
    });
    const check = (using: ToolContext['web']) =>
      place.run(certificateCheck, { host: 'shop.example' }, { web: using });
    expect(await check(shows(60))).toMatchObject({ data: { days_left: 60, ok: true, verified: true } });
    const { record } = fail('tool.failed', 'shop.example:443 has a certificate that has expired.');
    expect(await check(shows(-3, record))).toMatchObject({
      data: { expired: true, ok: false, verified: false },
    });
    expect(await check(web)).toMatchObject({ isError: true });
    expect(certificateCheck.deed?.(certificateCheck.input.parse({ host: 'shop.example' }))).toEqual({
      sendsTo: ['shop.example'],
      brings: ['untrusted'],
    });
  });

  const OPENSSL = existsSync('/usr/bin/openssl');
  it.skipIf(!OPENSSL)('reads the certificate of a real TLS server (needs openssl)', async () => {
    await place.shell(
      'openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 5 -subj /CN=shop.test',
    );
    const [key, cert] = await Promise.all([
      place.workspace.text('key.pem'),
      place.workspace.text('cert.pem'),
    ]);
    const server = createServer({ key, cert }, (socket) => socket.end());
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const found = await place.data(certificateCheck, { host: '127.0.0.1', port, backend: 'named' });
    expect(found).toMatchObject({ days_left: 4, ok: false, expired: false, verified: false });
    expect(found.subject).toContain('shop.test');
    await new Promise((resolve) => server.close(resolve));
    expect(await place.run(certificateCheck, { host: '127.0.0.1', port, backend: 'named' })).toMatchObject({
      isError: true,
    });
  });

  it('verifies backups: fresh, not shrunken, whole', async () => {
    const { workspace } = place;
    mkdirSync(join(workspace.root, 'empty'));
    await place.shell(
      'mkdir good bad; head -c 5000 /dev/urandom > a; tar czf good/1.tgz a; touch -d "2 days ago" good/1.tgz; tar czf good/2.tgz a',
    );
    await place.shell(
      'head -c 9000 /dev/urandom > bad/1.gz; touch -d "3 days ago" bad/1.gz; echo no > bad/2.gz; touch -d "2 days ago" bad/2.gz',
    );
    const found = await place.data(backupVerify, {
      backup_dirs: ['good', 'bad', 'empty', 'gone'],
      min_age_hours: 24,
      verify_integrity: true,
    });
    expect(found).toMatchObject({ ok: false });
    expect(found.dirs).toMatchObject([
      { ok: true, count: 2, integrity: 'good', newest: { path: 'good/2.tgz' } },
      {
        ok: false,
        integrity: 'broken',
        problems: [
          'the newest is 48 h old',
          'the newest has 3 bytes, those before about 9000',
          'bad/2.gz is broken',
        ],
      },
      { ok: false, problems: ['there is no backup'] },
      { ok: false, problems: [expect.stringContaining('cannot be read') as string] },
    ]);
  });

  it('shell takes every word as it is, and tells the gate the same line', async () => {
    const input = { command: 'printf', args: ['%s|', "it's", '$(id)', '; ls'] };
    expect(await place.data(shell, input)).toMatchObject({ code: 0, ok: true, stdout: "it's|$(id)|; ls|" });
    expect(shell.deed?.(shell.input.parse(input))).toMatchObject({
      command: { text: `printf '%s|' 'it'\\''s' '$(id)' '; ls'` },
    });
    expect(await place.data(shell, { command: 'echo', args: ['{"a":1}'] })).toMatchObject({ json: { a: 1 } });
    expect(await place.run(shell, { command: 'false' })).toMatchObject({
      isError: true,
      data: { code: 1, ok: false },
    });
  });
});
