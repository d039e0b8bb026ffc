import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { freePort } from '#kit/free-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Host, openHost } from '#host';
import {
  type HomeContent,
  incidentApi,
  type IncidentHome,
  makeIncidentHome,
  personOf,
  startServiceFeed,
} from '#testkit/incident-home';
import { ask, type Asked, type Reply } from '#support/server/scripted-server';
import type { DemoControls } from './routes/demo-routes.ts';
import { type ServedHome, serveHome } from './serve-home.ts';

const APPROVER = 'the-token-of-anna-0123456';
const OPERATOR = 'the-token-of-olga-0123456';
const USERS = JSON.stringify([
  personOf('anna', 'approver', APPROVER),
  { user: 'olga', role: 'operator', token_key: 'OLGAS_TOKEN' },
]);

interface Served {
  readonly home: IncidentHome;
  readonly host: Host;
  readonly served: ServedHome;
  signIn(token: string): Promise<{ readonly cookie: string; readonly 'x-csrf-token': string }>;
}

async function serving(
  content: HomeContent = {},
  { users = USERS, demo }: { readonly users?: string; readonly demo?: DemoControls } = {},
): Promise<Served> {
  const env = { ANNAS_TOKEN: APPROVER, OLGAS_TOKEN: OPERATOR, ...content.env };
  const home = await makeIncidentHome({ ...content, env });
  onTestFinished(() => home.remove());
  await writeFile(join(home.folder, 'users.yaml'), users);
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host, demo ? { demo } : {});
  onTestFinished(() => served.close());
  return {
    home,
    host,
    served,
    signIn: async (token) => {
      const reply = await ask(served, '/api/session', { method: 'POST', body: JSON.stringify({ token }) });
      const [cookie = ''] = reply.headers['set-cookie']?.[0]?.split(';') ?? [];
      return { cookie, 'x-csrf-token': String(reply.json()['csrf']) };
    },
  };
}

/** The head of an answer that may never end. */
const headOf = (served: ServedHome, path: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = get({ host: '127.0.0.1', port: served.port, path, headers, agent: false }, (incoming) => {
      resolve(incoming.statusCode ?? 0);
      asked.destroy();
    });
    asked.on('error', (error) => reject(error));
  });

const OPEN = { method: 'POST', body: JSON.stringify({ title: 'checkout is slow', severity: 'P3' }) };

describe('a served home refuses', () => {
  it('changes without a token, of the wrong role, without what protects a session, and from other origins', async () => {
    const { home, host, served, signIn } = await serving();
    const viewer = await signIn(home.readOnlyToken);
    const operator = await signIn(OPERATOR);
    const approver = await signIn(APPROVER);
    const approve = '/api/approvals/apr_1/approve';
    const evil = { origin: 'http://evil.example' };
    const neighbour = { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' };
    const tries: readonly (readonly [string, string, Asked, number])[] = [
      ['no token', '/api/incidents', OPEN, 401],
      ['a wrong token', '/api/incidents', { ...OPEN, token: 'a-token-that-nobody-has' }, 401],
      ['a viewer', '/api/incidents', { ...OPEN, headers: viewer }, 403],
      ['an operator', approve, { method: 'POST', headers: operator }, 403],
      ['no csrf token', '/api/incidents', { ...OPEN, headers: { cookie: approver.cookie } }, 403],
      [
        "somebody else's csrf token",
        '/api/incidents',
        { ...OPEN, headers: { ...operator, 'x-csrf-token': approver['x-csrf-token'] } },
        403,
      ],
      ['another origin', '/api/incidents', { ...OPEN, headers: { ...approver, ...evil } }, 403],
      ['another port', approve, { method: 'POST', headers: { ...approver, ...neighbour } }, 403],
      ['a sandboxed page', approve, { method: 'POST', headers: { ...approver, origin: 'null' } }, 403],
      ['a login of others', '/api/session', { method: 'POST', body: '{}', headers: evil }, 403],
      ['an approver, of nothing', approve, { method: 'POST', headers: approver }, 404],
    ];
    for (const [who, path, asked, status] of tries)
      expect([who, (await ask(served, path, asked)).status]).toEqual([who, status]);
    expect(await served.incidents.store.list({ limit: 10 })).toEqual([]);
    const { audit } = await host.gate();
    const lines = await audit.last(100);
    const refused = lines.filter(({ kind }) => kind === 'action.denied' || kind === 'approval.refused');
    expect(refused.length).toBeGreaterThanOrEqual(9);
    expect(JSON.stringify(lines)).not.toMatch(/the-token-of|token-that|checkout is slow/);
  });

  it('its events to pages of others, whatever the browser sends along', async () => {
    const { served, signIn } = await serving();
    const { cookie } = await signIn(APPROVER);
    const listen = (headers: Record<string, string>) => headOf(served, '/api/events', { cookie, ...headers });
    const accept = 'text/event-stream';
    const { port } = served;
    expect(await listen({ accept, origin: `http://127.0.0.1:${port}` })).toBe(200);
    expect(await listen({ accept, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await listen({ accept, origin: 'http://evil.example' })).toBe(403);
    expect(await listen({ accept, origin: 'http://127.0.0.1:1' })).toBe(403);
    expect(await listen({ accept, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await listen({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await listen({ accept, host: 'evil.example' })).toBe(421);
    expect(await headOf(served, '/api/events', { accept })).toBe(401);
  });

  it('to start with people who have no token, or one of others', async () => {
    const start = (users: string) => serving({}, { users });
    await expect(start('- {user: eve, role: admin, token_key: EVES_TOKEN}')).rejects.toThrow(/EVES_TOKEN/);
    await expect(start('- {user: eve, role: king, token_key: ANNAS_TOKEN}')).rejects.toThrow(/role/);
    await expect(start('- {user: token, role: admin, token_key: ANNAS_TOKEN}')).rejects.toThrow(/name/);
    const same = '- {user: a, role: admin, token_key: RUNBOOK_API_TOKEN}';
    await expect(start(same)).rejects.toThrow(/somebody else's/);
  });
});

describe('a served home', () => {
  it('writes down who changed what, without what was sent', async () => {
    const { home, host, served, signIn } = await serving();
    const operator = await signIn(OPERATOR);
    const made = await ask(served, '/api/incidents', { ...OPEN, headers: operator });
    expect(made.status).toBe(201);
    const { incident } = made.json() as { incident: string };
    const close = { method: 'POST', body: '{"why":"a secret reason"}', token: home.token };
    expect((await ask(served, `/api/incidents/${incident}/close`, close)).status).toBe(200);
    const { audit } = await host.gate();
    const written = (await audit.last(100)).filter(({ kind }) => kind === 'api.written');
    expect(
      written.map(
        ({ requester, data }) => `${requester.platform}:${requester.user} ${String(data['shown'])}`,
      ),
    ).toEqual([
      'user:olga POST /api/session 200',
      'user:olga POST /api/incidents 201',
      `token:token POST /api/incidents/${incident}/close 200`,
    ]);
    expect(JSON.stringify(written)).not.toContain('secret reason');
    expect((await audit.verify()).sound).toBe(true);
  });

  it('sends what happens to whoever listens, and goes on where they stopped', async () => {
    const { served, signIn } = await serving();
    const { cookie } = await signIn(APPROVER);
    const listen = async (after: string | undefined, until: RegExp): Promise<string> => {
      const stop = new AbortController();
      const answer = await fetch(`${served.url}/api/events`, {
        headers: { cookie, ...(after === undefined ? {} : { 'last-event-id': after }) },
        signal: stop.signal,
      });
      const decoder = new TextDecoder();
      let heard = '';
      for await (const piece of answer.body ?? []) {
        heard += decoder.decode(piece as Uint8Array, { stream: true });
        if (until.test(heard)) break;
      }
      stop.abort();
      return heard;
    };
    await incidentApi(() => served.url, OPERATOR).send('POST', '/api/incidents', { title: 'first' });
    const before = await listen('0', /event: incident\.created\n[^\n]*first/);
    const [, place = ''] = [...before.matchAll(/^id: (\d+)$/gm)].at(-1) ?? [];
    await incidentApi(() => served.url, OPERATOR).send('POST', '/api/incidents', { title: 'second' });
    const after = await listen(place, /event: incident\.created\n[^\n]*second/);
    expect(after).not.toContain('"first"');
  });

  it('shows how services do, and what cannot be seen', async () => {
    const { home, served } = await serving();
    const now = Date.now();
    const services = () => [
      { name: 'payment-service', since: now - 60_000, bad: true },
      { name: 'order-service', since: now + 60_000, bad: false },
    ];
    const feed = startServiceFeed({ url: () => served.url, token: home.token, services });
    onTestFinished(() => feed.close());
    await feed.push();
    const api = incidentApi(() => served.url, home.readOnlyToken);
    const seen = await api.until('both services', async () => {
      const { body } = await api.send('GET', '/api/monitoring?minutes=5');
      const { services: shown } = body as { services: { service: string; health: string }[] };
      const states = Object.fromEntries(shown.map(({ service, health }) => [service, health]));
      return states['order-service'] === 'ok' && states['payment-service'] === 'bad' ? body : undefined;
    });
    expect(seen).toMatchObject({
      gaps: [{ en: 'No backend gives changes.', zh: '没有后端提供变更。' }],
      series: expect.arrayContaining([
        expect.objectContaining({ service: 'payment-service', metric: 'requests_per_second' }),
      ]) as unknown,
      queries: expect.arrayContaining([
        {
          source: 'embedded',
          query: 'requests_per_second{service="payment-service"}',
          gives: ['requests_per_second'],
        },
      ]) as unknown,
    });
    const logs = await api.send('GET', '/api/monitoring/logs?service=payment-service&limit=5');
    expect(logs).toMatchObject({ status: 200 });
    for (const line of logs.body as { service: string }[]) expect(line.service).toBe('payment-service');
    expect((await api.send('GET', '/api/monitoring/traces?errors=true')).status).toBe(200);
    expect((await api.send('GET', '/api/monitoring?minutes=x')).status).toBe(400);
  });

  it('tells what is connected and what is missing, and no secret', async () => {
    const telemetry = [
      { type: 'prometheus', base_url: 'http://127.0.0.1:1', token_key: 'PROMETHEUS_AUTH_TOKEN' },
    ];
    const { home, served } = await serving({ telemetry });
    const reply = await ask(served, '/api/settings', { token: home.readOnlyToken });
    const { interfaces, ...rest } = reply.json() as { interfaces: { name: string; state: string }[] };
    expect(rest).toMatchObject({ version: '1.2.3', profile: 'default', server: { pid: process.pid } });
    const find = (name: string) => interfaces.find((one) => one.name === name);
    expect(find('prometheus')).toMatchObject({
      part: 'telemetry',
      state: 'missing',
      what: { en: expect.stringContaining('PROMETHEUS_AUTH_TOKEN') as unknown },
      fix: { en: expect.any(String) as unknown },
    });
    // Nothing is claimed before it was asked.
    expect(find('embedded')?.state).toMatch(/^(?:ready|unproven)$/);
    expect(find('loki')).toMatchObject({
      state: 'off',
      fix: { en: expect.stringContaining('backends.yaml') as unknown },
    });
    expect(find('alertmanager')).toMatchObject({ part: 'alerts', state: 'ready' });
    expect(find('feishu')?.state).toBe('missing');
    expect(find('model')?.state).toBe('off');
    for (const secret of [home.token, home.readOnlyToken, APPROVER]) expect(reply.text).not.toContain(secret);
  });

  it('says of what refuses connections that it fails, since when and why', async () => {
    const port = await freePort();
    const telemetry = [{ type: 'prometheus', base_url: `http://127.0.0.1:${port}` }];
    const { home, served } = await serving({ telemetry });
    const seen = async () => {
      const reply = await ask(served, '/api/settings', { token: home.readOnlyToken });
      const { interfaces } = reply.json() as { interfaces: { name: string }[] };
      return interfaces.filter(({ name }) => name === 'prometheus' || name === 'embedded');
    };
    await expect.poll(seen, { timeout: 20_000 }).toEqual([
      {
        name: 'prometheus',
        part: 'telemetry',
        state: 'failing',
        at: expect.any(String) as unknown,
        since: expect.any(String) as unknown,
        what: {
          en: `Prometheus cannot be reached at 127.0.0.1:${port} (ECONNREFUSED).`,
          zh: `无法连接 Prometheus(127.0.0.1:${port}):ECONNREFUSED。`,
        },
        fix: { en: expect.any(String) as unknown, zh: expect.any(String) as unknown },
      },
      expect.objectContaining({ name: 'embedded', state: 'ready' }) as unknown,
    ]);
    const { reach } = (await ask(served, '/api/status', { token: home.readOnlyToken })).json() as {
      reach: { part: string; state: string }[];
    };
    expect(reach.filter(({ part }) => part === 'stores').map(({ state }) => state)).toEqual(
      Array.from({ length: 6 }, () => 'reached'),
    );
  });

  it('lets the demo be broken and mended where there is one', async () => {
    let active: string | undefined;
    const demo: DemoControls = {
      faults: [{ id: 'slow-db', title: { en: 'A slow database', zh: '数据库变慢' } }],
      inject: async (fault) => void (active = fault),
      clear: async () => void (active = undefined),
      active: () => active,
    };
    const { home, served } = await serving({}, { demo });
    const post = (path: string, body: object, token: string): Promise<Reply> =>
      ask(served, path, { method: 'POST', body: JSON.stringify(body), token });
    expect((await post('/api/demo/inject', { fault: 'slow-db' }, home.readOnlyToken)).status).toBe(403);
    expect((await post('/api/demo/inject', { fault: 'slow-db' }, OPERATOR)).status).toBe(200);
    const { token } = home;
    expect((await ask(served, '/api/demo', { token })).json()).toEqual({
      running: true,
      faults: demo.faults,
      active: 'slow-db',
    });
    await post('/api/demo/clear', {}, OPERATOR);
    expect(active).toBeUndefined();
    const without = await serving();
    const none = await ask(without.served, '/api/demo', { token: without.home.token });
    expect(none.json()).toEqual({ running: false, faults: [] });
  });

  it('describes its API where it is told to', async () => {
    const { home, served } = await serving({ config: { server: { port: 0, openapi: true } } });
    expect((await ask(served, '/api/openapi.json')).status).toBe(401);
    const { paths } = (await ask(served, '/api/openapi.json', { token: home.token })).json() as {
      paths: Record<string, Record<string, object>>;
    };
    expect(paths['/api/incidents']?.['post']).toMatchObject({
      description: 'For operators and up.',
      requestBody: {
        content: { 'application/json': { schema: { required: ['title'], additionalProperties: false } } },
      },
    });
    expect(paths['/api/incidents/{id}']?.['get']).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] });
    const quiet = await serving();
    expect((await ask(quiet.served, '/api/openapi.json', { token: quiet.home.token })).status).toBe(404);
  });

  it('counts itself', async () => {
    const { home, served } = await serving();
    await ask(served, '/api/incidents', { ...OPEN, token: home.token });
    const { text } = await ask(served, '/metrics', { token: home.readOnlyToken });
    const states = [...text.matchAll(/^hermes_incidents_open\{state="\w+"\} (\d+)$/gm)];
    expect(states.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(1);
    for (const name of ['approvals_waiting', 'flows_running', 'event_clients', 'event_loop_delay_seconds'])
      expect(text).toMatch(new RegExp(`^hermes_${name} [\\d.e-]+$`, 'm'));
  });
});
