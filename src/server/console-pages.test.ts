import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, ECHO_ROUTES, scriptedServer, speak, type UnderTest } from '#support/server/scripted-server';
import { consolePages } from './console-pages.ts';
import { formerAddresses } from './routes/former-addresses.ts';

const PAGE = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(3_000))});`;

describe('the console', () => {
  let folder: string;
  let server: UnderTest;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-pages-'));
    const dist = join(folder, 'dist');
    await mkdir(join(dist, 'assets', '.hidden'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'outside');
    await writeFile(join(dist, 'index.html'), '<!doctype html><title>first</title>');
    await writeFile(join(dist, 'favicon.svg'), '<svg/>');
    await writeFile(join(dist, 'assets', 'main-Abc123_-.js'), SCRIPT);
    await writeFile(join(dist, '.env'), 'hidden');
    await writeFile(join(dist, 'assets', '.hidden', 'a.txt'), 'hidden');
    await writeFile(join(dist, 'program'), 'of no known kind');
    await symlink(join(folder, 'secret.txt'), join(dist, 'link.txt'));
    await symlink(folder, join(dist, 'linked'));
    server = await scriptedServer({
      routes: [...ECHO_ROUTES, ...formerAddresses()],
      pages: consolePages(dist),
    });
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it.each(['/', '/incidents', '/incidents/inc_1', '/skills/a%20b.c', '/login', '/index.html'])(
    'is what stands at %s, and may do nothing but with its own origin',
    async (path) => {
      const { status, headers, text } = await ask(server, path, PAGE);
      expect([status, text]).toEqual([200, '<!doctype html><title>first</title>']);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
    },
  );

  it('gives its parts as they are, those with a hash for ever', async () => {
    const script = await ask(server, '/assets/main-Abc123_-.js');
    expect(script).toMatchObject({ status: 200, text: SCRIPT });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(script.headers['content-encoding']).toBeUndefined();
    const packed = await fetch(`${server.url}/assets/main-Abc123_-.js`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(500);
    expect(await packed.text()).toBe(SCRIPT);
    expect((await ask(server, '/favicon.svg')).headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-cache',
    });
    const head = await ask(server, '/assets/main-Abc123_-.js', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%252e%252e/secret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '//secret.txt/..',
    '/.env',
    '/%2eenv',
    '/assets/.hidden/a.txt',
    '/a%00.html',
    '/%ff',
    '/assets/none.js',
    '/api/none',
    '/gateway/none',
  ])('leads nowhere by %s', async (path) => {
    for (const asked of [{}, PAGE]) {
      const { status, text } = await ask(server, path, asked);
      expect([400, 404]).toContain(status);
      expect(text).not.toMatch(/outside|hidden|first/);
    }
  });

  it.each(['/link.txt', '/linked/secret.txt', '/program'])('does not give %s', async (path) => {
    expect((await ask(server, path)).status).toBe(404);
    expect((await ask(server, path, PAGE)).text).not.toMatch(/outside|no known kind/);
  });

  it('does not go out of its folder by what no browser would send', async () => {
    for (const target of [
      '/../../etc/passwd',
      'http://127.0.0.1/../etc/passwd',
      '/assets//../../secret.txt',
    ]) {
      const heard = await speak(
        server,
        `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      );
      expect(heard).toMatch(/^HTTP\/1\.1 4\d\d/);
      expect(heard).not.toMatch(/root:|outside/);
    }
  });

  it('is for reading, and for people', async () => {
    expect((await ask(server, '/incidents', { method: 'POST', ...PAGE })).status).toBe(404);
    expect((await ask(server, '/incidents', { headers: { accept: 'application/json' } })).status).toBe(404);
    expect((await ask(server, '/echo/read/x', PAGE)).status).toBe(401);
  });

  it('built again, is the new one', async () => {
    const index = join(folder, 'dist', 'index.html');
    await writeFile(index, '<!doctype html><title>second</title>');
    await utimes(index, new Date(), new Date(Date.now() + 5_000));
    await writeFile(join(folder, 'dist', 'assets', 'more-12345678.css'), 'a{}');
    expect((await ask(server, '/', PAGE)).text).toContain('second');
    await rm(index);
    const missing = await ask(server, '/', PAGE);
    expect(missing.status).toBe(503);
    expect(missing.text).toContain('npm run build');
  });

  it.each([
    ['/web/index.html', '/'],
    ['/web/incidents.html', '/incidents'],
    ['/web/monitoring.html', '/monitoring'],
    ['/web/incident.html?id=inc_1', '/incidents/inc_1'],
    ['/web/incident.html?id=//evil.example/%0d%0ax:y', '/incidents/%2F%2Fevil.example%2F%0D%0Ax%3Ay'],
    ['/web/incident.html', '/incidents'],
  ])('stood at %s before', async (path, to) => {
    const { status, headers } = await ask(server, path, PAGE);
    expect([status, headers.location]).toEqual([302, to]);
  });
});
