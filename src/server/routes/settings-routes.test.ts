import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import { type HomeContent, makeIncidentHome } from '#testkit/incident-home';
import { ask } from '#support/server/scripted-server';
import { serveHome } from '../serve-home.ts';

const ANNA = 'the-token-of-anna-0123456';

async function serving(content: HomeContent = {}, servers = {}) {
  const home = await makeIncidentHome({ ...content, env: { ANNAS_TOKEN: ANNA, ...content.env } });
  onTestFinished(() => home.remove());
  await writeFile(
    join(home.folder, 'users.yaml'),
    '- {user: anna, role: approver, token_key: ANNAS_TOKEN}\n',
  );
  await writeFile(join(home.folder, 'mcp_config.json'), JSON.stringify({ mcp_servers: servers }));
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  return { home, served };
}

interface Shown {
  readonly interfaces: readonly {
    readonly name: string;
    readonly part: string;
    readonly state: string;
    readonly what?: { readonly en: string; readonly zh: string };
    readonly fix?: { readonly en: string; readonly zh: string };
    readonly paste?: { readonly text: string; readonly file?: string };
  }[];
}

it('says what is missing and how to set it in both languages, and how the process does', async () => {
  const { home, served } = await serving({
    telemetry: [{ type: 'prometheus', base_url: 'http://127.0.0.1:1', token_key: 'PROM_TOKEN' }],
  });
  const reply = await ask(served, '/api/settings', { token: home.readOnlyToken });
  const settings = reply.json() as unknown as Shown;
  const found = (name: string) => settings.interfaces.find((each) => each.name === name);
  expect(found('prometheus')).toEqual({
    name: 'prometheus',
    part: 'telemetry',
    state: 'missing',
    what: { en: 'The key PROM_TOKEN is not set.', zh: '未设置密钥 PROM_TOKEN。' },
    fix: {
      en: 'Put PROM_TOKEN into the .env file of the profile.',
      zh: '将 PROM_TOKEN 写入该配置档的 .env 文件。',
    },
    paste: { text: 'PROM_TOKEN=', file: '.env' },
  });
  expect(found('loki')).toMatchObject({
    state: 'off',
    paste: { text: 'telemetry:\n  - type: loki', file: 'backends.yaml' },
  });
  for (const { what, fix } of settings.interfaces)
    for (const said of [what, fix]) if (said && said.en !== said.zh) expect(said.zh).toMatch(/[一-鿿]/);
  expect(reply.json()).toMatchObject({
    version: '1.2.3',
    server: { pid: process.pid, listeners: 0, node: process.version, memory: expect.any(Number) },
  });
});

it('says in both languages what a model and servers of MCP lack', async () => {
  const { home, served } = await serving(
    { config: { llm: { provider: 'openai', model: 'gpt-5' } } },
    { resting: { command: 'x', disabled: true }, lacking: { command: 'x', env: { A: '${NO_SUCH_TOKEN}' } } },
  );
  const reply = await ask(served, '/api/settings', { token: home.readOnlyToken });
  const { interfaces } = reply.json() as unknown as Shown;
  const told = interfaces.filter(({ part }) => part === 'model' || part === 'mcp');
  expect(told.map(({ name, state, what }) => [name, state, what])).toEqual([
    [
      'openai/gpt-5',
      'missing',
      { en: 'OpenAI needs a key, and none is set', zh: 'OpenAI 需要密钥，但尚未设置' },
    ],
    ['resting', 'missing', { en: 'It is switched off.', zh: '已关闭。' }],
    [
      'lacking',
      'missing',
      { en: 'A variable is not set: NO_SUCH_TOKEN.', zh: '有变量未设置：NO_SUCH_TOKEN。' },
    ],
  ]);
  expect(told[0]?.fix?.zh).toContain('OPENAI_API_KEY，或运行');
});

it('tells admins who may sign in, and nobody what with', async () => {
  const { home, served } = await serving();
  expect((await ask(served, '/api/people', { token: ANNA })).status).toBe(403);
  expect((await ask(served, '/api/people')).status).toBe(401);
  const reply = await ask(served, '/api/people', { token: home.token });
  expect(reply.json()).toEqual({
    people: [
      { user: 'token', role: 'admin', by: '.env' },
      { user: 'read_only_token', role: 'viewer', by: '.env' },
      { user: 'anna', role: 'approver', by: 'users.yaml' },
    ],
  });
  expect(reply.text).not.toMatch(/0123456|ANNAS_TOKEN/);
});
