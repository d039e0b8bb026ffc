import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowPlugin, viewPlugins } from '#host/home-plugins';
import { openHost } from '#host';
import { viewBackends } from '#host/tools/home-backends';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { textOf, turn } from '../agent/workplace.ts';

/** A plugin that brings one of each, in plain JavaScript. */
const MAIN = `
export default ({ z, defineTool, defineProvider, defineSandbox, defineCommand }) => ({
  tools: [defineTool({
    name: 'deploy_window', toolset: 'x', description: 'Whether a deploy may go out.', input: z.strictObject({}),
    effect: () => 0, run: async () => ({ content: [{ type: 'text', text: 'open until noon' }], summary: 'open' }),
  })],
  providers: [defineProvider({
    id: 'acme', label: 'Acme', endpoints: { chat_completions: process.env.ACME_URL }, auth: 'bearer',
    keys: ['ACME_KEY'], defaultModel: 'gpt-5',
  })],
  sandboxes: [defineSandbox({
    type: 'nowhere', options: z.strictObject({ region: z.string() }),
    available: async ({ region }) => region === 'mars' ? { what: 'Mars is too far.', fix: 'Choose the moon.' } : undefined,
    open: async () => { throw new Error('not here'); },
  })],
  commands: [defineCommand({ name: 'window', summary: 'the deploy window', run: async () => ({ text: 'open until noon' }) })],
});
`;
const MANIFEST = `name: ops
version: 1.0.0
main: index.js
provides: { tools: [deploy_window], providers: [acme], sandboxes: [nowhere], commands: [window] }
`;

let server: ModelServer;
let root: string;
const env = () => ({
  HERMES_HOME: join(root, 'home'),
  HOME: root,
  PATH: process.env.PATH,
  ACME_KEY: 'k-acme-123',
});
const open = () => openHost({ env: env(), version: 'test' });
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-plugin-'));
  server = await startModelServer({
    script: {
      rules: [
        {
          when: { contains: 'deploy', turn: 0 },
          reply: { toolCalls: [{ name: 'tool_call', arguments: { name: 'deploy_window', arguments: {} } }] },
        },
        { when: { contains: 'deploy' }, reply: { text: 'It may go out.' } },
      ],
    },
  });
  process.env.ACME_URL = `${server.url}/v1`;
  const folder = join(root, 'home', 'plugins', 'ops');
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, 'project'));
  await writeFile(join(folder, 'plugin.yaml'), MANIFEST);
  await writeFile(join(folder, 'index.js'), MAIN);
  await writeFile(join(root, 'home', 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  delete process.env.ACME_URL;
  await server.close();
  await rm(root, { recursive: true });
});

describe('a plugin', () => {
  it('is off until it is allowed', async () => {
    const host = await open();
    expect(await viewPlugins(host, 'en')).toMatchObject([{ name: 'ops', state: 'off' }]);
    await expect(host.models('acme/gpt-5').then((models) => models.turn('hi'))).rejects.toThrow(
      /no provider/,
    );
    await allowPlugin(host, env(), 'ops', 'en');
    await host.close();
  });

  it('brings a provider that answers, a tool that is called, and a command', async () => {
    const host = await open();
    expect(await viewPlugins(host, 'en')).toMatchObject([{ name: 'ops', state: 'on' }]);
    const talk = await host.conversation({
      cwd: join(root, 'project'),
      language: 'en',
      platform: 'cli',
      model: 'acme/gpt-5',
    });
    const events = await turn(talk, 'may I deploy?');
    expect(textOf(events)).toContain('It may go out.');
    const ended = events.find(({ type }) => type === 'tool.ended');
    expect(ended?.data).toMatchObject({ name: 'deploy_window', isError: false, summary: 'open' });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k-acme-123');
    const { text } = await talk.command('/window', new AbortController().signal);
    expect(text).toBe('open until noon');
    await host.close();
  });

  it('brings a kind of sandbox that backends.yaml can name, its options checked', async () => {
    const file = join(root, 'home', 'backends.yaml');
    await writeFile(file, 'backends:\n  - { name: far, type: nowhere, region: mars }\n');
    const host = await open();
    const far = (await viewBackends(host)).find(({ name }) => name === 'far');
    expect(far).toMatchObject({ type: 'nowhere', missing: { what: 'Mars is too far.' } });
    await writeFile(file, 'backends:\n  - { name: far, type: nowhere, regoin: mars }\n');
    await expect(viewBackends(host)).rejects.toThrow(/region/);
    await host.close();
    await rm(file);
  });
});
