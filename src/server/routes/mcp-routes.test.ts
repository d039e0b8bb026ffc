import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import { makeIncidentHome } from '#testkit/incident-home';
import { smallServer } from '#testkit/mcp';
import { ask } from '#support/server/scripted-server';
import { serveHome } from '../serve-home.ts';

interface Told {
  readonly configured: boolean;
  readonly problem?: string;
  readonly servers: readonly {
    readonly server: string;
    readonly state: string;
    readonly error?: string;
    readonly output?: string;
    readonly probe?: { readonly ms: number };
    readonly offered: readonly { readonly name: string; readonly level: number }[];
  }[];
  readonly served: { readonly tools: readonly { readonly name: string }[] };
}

const SECRETS = ['the-key-of-the-small-one', 'the-bearer-of-the-far-one', 'the-password-in-arguments'];

async function serving(config?: string) {
  const home = await makeIncidentHome();
  onTestFinished(() => home.remove());
  if (config !== undefined) await writeFile(join(home.folder, 'mcp_config.json'), config);
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  return {
    look: async () =>
      (await ask(served, '/api/mcp', { token: home.readOnlyToken })).json() as unknown as Told,
    reconnect: (server: string, token = home.token) =>
      ask(served, `/api/mcp/${server}/reconnect`, { method: 'POST', token }),
    readOnlyToken: home.readOnlyToken,
  };
}

it('shows servers without starting them, connects them when asked, and tells no secret', async () => {
  const { look, reconnect, readOnlyToken } = await serving(
    JSON.stringify({
      mcp_servers: {
        small: {
          command: process.execPath,
          args: smallServer('good'),
          env: { API_KEY: SECRETS[0] },
          permissions: { denied_tools: ['crash'], require_confirmation: ['echo'] },
        },
        broken: {
          command: process.execPath,
          args: ['-e', 'console.error("no database"); process.exit(3)', '--', '--password', SECRETS[2]],
        },
        far: {
          url: 'http://127.0.0.1:9/mcp?key=x',
          headers: { Authorization: `Bearer ${SECRETS[1]}` },
          auth: 'none',
        },
      },
    }),
  );
  const before = await look();
  expect(before.servers.map(({ server, state, offered }) => [server, state, offered.length])).toEqual([
    ['small', 'idle', 0],
    ['broken', 'idle', 0],
    ['far', 'idle', 0],
  ]);
  expect(before.servers[0]).toMatchObject({ reach: { kind: 'stdio', env: ['API_KEY'] } });
  expect(before.servers[2]).toMatchObject({
    reach: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: ['Authorization'] },
  });

  expect((await reconnect('small', readOnlyToken)).status).toBe(403);
  expect((await reconnect('nobody')).status).toBe(404);
  const connected = (await reconnect('small')).json() as unknown as Told;
  expect(connected.servers[0]).toMatchObject({
    state: 'ready',
    probe: { ms: expect.any(Number), resources: 1, prompts: 1 },
  });
  const tools = Object.fromEntries(connected.servers[0]?.offered.map((tool) => [tool.name, tool]) ?? []);
  expect(tools['echo']).toMatchObject({
    as: 'mcp_small_echo',
    level: 1,
    confirm: true,
    input: { properties: { text: { type: 'string' } } },
  });
  expect(tools['crash']).toMatchObject({ level: 3, confirm: false, refused: 'crash is among denied_tools' });

  const failed = (await reconnect('broken')).json() as unknown as Told;
  expect(failed.servers[1]).toMatchObject({
    state: 'failed',
    output: expect.stringContaining('no database'),
  });
  // It is tried again each time that somebody asks for it, however often it has failed.
  for (let count = 0; count < 4; count++)
    expect(((await reconnect('broken')).json() as unknown as Told).servers[1]?.error).toContain(
      'no database',
    );
  await reconnect('far');
  const all = JSON.stringify(await look());
  for (const secret of SECRETS) expect(all).not.toContain(secret);
  expect(all).toContain('sessions_search');
}, 60_000);

it('tells that there is none, and why a file cannot be read', async () => {
  const none = await (await serving()).look();
  expect(none).toMatchObject({ configured: false, servers: [] });
  const { look } = await serving('{ nonsense');
  expect(await look()).toMatchObject({
    configured: true,
    servers: [],
    problem: expect.stringContaining('mcp_config.json'),
  });
});
