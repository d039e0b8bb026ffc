import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '#spec/ports';
import { findProgram, run, type TemporaryPlace, temporaryPlace } from '#testkit/sandbox';
import { sandbox as kind } from './bubblewrap.ts';
import { isAllowed } from './host-pattern.ts';

const isThere = findProgram('bwrap') !== undefined;

describe.skipIf(!isThere)('a network by list (skipped where bwrap is missing)', () => {
  let server: Server;
  let port: number;
  let outer: TemporaryPlace;
  let sandbox: Sandbox;

  beforeAll(async () => {
    server = createServer((asked, answer) =>
      answer.end(`hello ${asked.method} ${asked.url} ${asked.headers.host}`),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
    outer = await temporaryPlace();
    const options = kind.options.parse({ network: { allow: [`localhost:${port}`, '*.example.org'] } });
    sandbox = await kind.open(options, outer.place);
  });
  afterAll(async () => {
    await sandbox?.close();
    await outer?.close();
    server?.close();
  });

  const throughProxy = (lines: string) =>
    run(sandbox, `exec 5<>/dev/tcp/127.0.0.1/3128 || exit 9; printf '${lines}' >&5; timeout 5 cat <&5`);

  it('lets a listed host pass, as a request and as a tunnel', async () => {
    const plain = await throughProxy(`GET http://localhost:${port}/a?b=c HTTP/1.0\\r\\n\\r\\n`);
    expect(plain.stdout).toContain(`hello GET /a?b=c localhost:${port}`);
    const tunnel = await throughProxy(
      `CONNECT localhost:${port} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET /t HTTP/1.0\\r\\n\\r\\n`,
    );
    expect(tunnel.stdout).toMatch(/^HTTP\/1\.1 200/);
    expect(tunnel.stdout).toContain('hello GET /t');
  });

  it.each([
    ['GET http://localhost:1/ HTTP/1.0', 'another port'],
    ['GET http://127.0.0.1:PORT/ HTTP/1.0', 'the address of a listed name'],
    ['CONNECT 127.0.0.1:PORT HTTP/1.1', 'the address, as a tunnel'],
    ['CONNECT localhost.evil.test:PORT HTTP/1.1', 'a name that begins alike'],
    ['CONNECT evil.test\\0.example.org:443 HTTP/1.1', 'a name with a NUL in it'],
    ['CONNECT [::ffff:127.0.0.1]:PORT HTTP/1.1', 'a mapped address'],
    ['CONNECT 2130706433:PORT HTTP/1.1', 'a decimal address'],
    ['GET ftp://localhost:PORT/ HTTP/1.0', 'another protocol'],
    ['GET /relative HTTP/1.0', 'no host at all'],
  ])('refuses %j (%s)', async (line) => {
    const end = await throughProxy(
      `${line.replace('PORT', String(port))}\\r\\nHost: localhost:${port}\\r\\n\\r\\n`,
    );
    expect(end.stdout).not.toContain('hello');
    expect(end.stdout).toMatch(/^HTTP\/1\.[01] (403|400)/);
  });

  it('answers what is no request also while more of it comes', async () => {
    const { stdout } = await run(
      sandbox,
      `exec 5<>/dev/tcp/127.0.0.1/3128 || exit 9
       printf 'CONNECT evil.test\\0.example.org:443 HTTP/1.1\\r\\n' >&5
       for part in 1 2 3 4 5 6; do sleep 0.05; printf 'Host: x\\r\\n' >&5; done
       timeout 5 cat <&5`,
    );
    expect(stdout).toMatch(/^HTTP\/1\.1 400/);
  });

  it('is the only way out', async () => {
    const direct = await run(sandbox, `exec 5<>/dev/tcp/127.0.0.1/${port} && echo ESCAPED`);
    expect(direct.stdout).toBe('');
    const { stdout } = await run(
      sandbox,
      'ls -d /proc/[0-9]* | wc -l; env | grep -i ^https_proxy; kill -9 -1; true',
    );
    expect(stdout).toContain('HTTPS_PROXY=http://127.0.0.1:3128');
    expect(Number(stdout.split('\n')[0])).toBeLessThan(8);
  });

  it('leaves no relay behind when a command is killed', async () => {
    const spec = { command: 'echo begun; sleep 60', timeoutMs: 20_000, maxOutputBytes: 1_000 };
    const running = await sandbox.start(spec, new AbortController().signal);
    for await (const { text } of running.output) if (text.includes('begun')) break;
    await running.kill();
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('egress.sock');
    expect(await run(sandbox, 'echo fine')).toMatchObject({ stdout: 'fine\n' });
  });
});

describe('isAllowed', () => {
  const allow = ['api.github.com', '*.npmjs.org', 'db.internal:5432'];
  it.each([
    ['api.github.com', 443, true],
    ['API.GitHub.com.', 80, true],
    ['api.github.com', 22, false],
    ['registry.npmjs.org', 443, true],
    ['npmjs.org', 443, false],
    ['evilnpmjs.org', 443, false],
    ['db.internal', 5432, true],
    ['db.internal', 443, false],
    ['api.github.com.evil.test', 443, false],
    ['evil.test\0.npmjs.org', 443, false],
    ['evil.test#.npmjs.org', 443, false],
    ['evil.test/.npmjs.org', 443, false],
    ['', 443, false],
  ])('%j on port %i: %s', (host, port, expected) => {
    expect(isAllowed(allow, host, port)).toBe(expected);
  });
});
