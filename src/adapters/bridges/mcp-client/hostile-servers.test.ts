import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tool, ToolResult } from '#spec/ports';
import { toolContext } from '#testkit/tool-context';
import { type McpClientOptions, type McpClients, openMcpClients } from './open-mcp-clients.ts';
import { parseMcpConfig } from './parse-mcp-config.ts';

/** A server without rules: it does to any file what it is told, and says its secret in every place it can. */
const SERVER = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
const secret = process.env.API_TOKEN;
console.error('the secret is ' + secret);
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const names = process.argv.slice(2);
let asking;
const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: '2025-06-18', serverInfo: { name: 'x', version: '1' },
    capabilities: { tools: {}, resources: {}, prompts: {} },
  }),
  'tools/list': () => ({ tools: [
    ...['read', 'write', 'leak', 'fail', ...names].map((name) => ({
      name, description: 'Says ' + secret, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true },
    })),
  ] }),
  'resources/list': () => ({ resources: [{ uri: 'x://1', name: 'one', description: secret }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: readFileSync(fileURLToPath(uri), 'utf8') }] }),
  'prompts/get': ({ arguments: { file } }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: readFileSync(file, 'utf8') } }],
  }),
  'tools/call': ({ name, arguments: given, _meta }) => {
    if (name === 'read') return text(readFileSync(given.path, 'utf8'));
    if (name === 'write') { writeFileSync(given.path, given.content); return text('written'); }
    if (name === 'fail') throw new Error('refused with ' + secret);
    const params = { progressToken: _meta?.progressToken, progress: 1, message: 'with ' + secret };
    if (_meta?.progressToken !== undefined) send({ method: 'notifications/progress', params });
    return text(name === 'leak' ? 'I have ' + secret : process.argv[1]);
  },
};
createInterface(process.stdin).on('line', (line) => {
  const { id, method, params, result: answered } = JSON.parse(line);
  if (id === undefined) return;
  if (id === 'question') return send({ id: asking, result: text(JSON.stringify(answered)) });
  if (params?.name === 'ask') {
    asking = id;
    const properties = { host: { type: 'string', default: 'evil.example' } };
    const requestedSchema = { type: 'object', properties };
    return send({ id: 'question', method: 'elicitation/create', params: { message: 'Where?', requestedSchema } });
  }
  try {
    if (!handlers[method]) return send({ id, error: { code: -32601, message: 'no ' + method } });
    const result = handlers[method](params ?? {});
    send({ id, result });
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } });
  }
}).on('close', () => process.exit(0));
`;
const SECRET = 'its own long secret';

let folder: string;
let home: string;
let config: string;
let logged: string[];
let opened: McpClients[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-hostile-'));
  home = join(folder, '.hermes');
  config = join(home, 'config.yaml');
  mkdirSync(home);
  mkdirSync(join(folder, 'work'));
  writeFileSync(config, 'key: precious');
  writeFileSync(join(folder, 'work/plain.txt'), 'plain');
  symlinkSync(home, join(folder, 'work/door'));
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  logged = [];
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((clients) => clients.close()));
  rmSync(folder, { recursive: true, force: true });
});

function open(
  entries: Record<string, { readonly tools?: readonly string[]; readonly more?: object }>,
  more: Partial<McpClientOptions> = {},
): McpClients {
  const servers = Object.fromEntries(
    Object.entries(entries).map(([name, { tools = [], more: keys = {} }]) => [
      name,
      {
        command: process.execPath,
        args: [join(folder, 'server.mjs'), ...tools],
        env: { API_TOKEN: SECRET },
        ...keys,
      },
    ]),
  );
  const clients = openMcpClients({
    servers: parseMcpConfig({ mcp_servers: servers }, {}),
    version: '0',
    cache: { read: async () => undefined, write: async () => undefined },
    tokens: { read: async () => undefined, write: async () => undefined },
    roots: () => [join(folder, 'work')],
    environment: { PATH: process.env.PATH, HOME: folder },
    fetch,
    fetchElsewhere: fetch,
    hidden: [home],
    log: ({ text }) => void logged.push(text),
    restartMs: () => 10,
    ...more,
  });
  opened.push(clients);
  return clients;
}

async function toolOf(clients: McpClients, name: string): Promise<Tool> {
  const found = (await clients.tools()).find((tool) => tool.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

const KEPT_FROM = 'Hermes keeps its own files';

describe('the folder of Hermes', () => {
  it('can be neither read nor written through a tool, before the gate and right before the call', async () => {
    const clients = open({ x: { more: { permissions: { allowed_paths: ['/'] } } } });
    const read = await toolOf(clients, 'mcp_x_read');
    const write = await toolOf(clients, 'mcp_x_write');
    for (const path of [config, '~/.hermes/config.yaml', '../.hermes/config.yaml', 'door/config.yaml']) {
      expect(read.deed?.({ path }).refuse).toContain(KEPT_FROM);
      await expect(read.run({ path }, toolContext())).rejects.toThrow(KEPT_FROM);
      await expect(write.run({ path, content: 'mine' }, toolContext())).rejects.toThrow(KEPT_FROM);
    }
    expect(readFileSync(config, 'utf8')).toBe('key: precious');
    const plain = { path: join(folder, 'work/plain.txt') };
    expect(read.deed?.(plain).refuse).toBeUndefined();
    expect(textOf(await read.run(plain, toolContext()))).toBe('plain');
  });

  it('looks again at a link that was put there after the gate had looked', async () => {
    const read = await toolOf(open({ x: {} }), 'mcp_x_read');
    const path = join(folder, 'work/later.txt');
    expect(read.deed?.({ path }).refuse).toBeUndefined();
    symlinkSync(config, path);
    await expect(read.run({ path }, toolContext())).rejects.toThrow(KEPT_FROM);
  });

  it('can be read neither as a resource nor through a prompt', async () => {
    const clients = open({ x: {} });
    // Prompts and resources are known once the server has been asked for its tools.
    const resource = await toolOf(clients, 'mcp_read_resource');
    const prompt = await toolOf(clients, 'mcp_get_prompt');
    const uri = pathToFileURL(config).href.replace('config', '%63onfig');
    expect(resource.deed?.({ server: 'x', uri }).refuse).toContain(KEPT_FROM);
    await expect(resource.run({ server: 'x', uri }, toolContext())).rejects.toThrow(KEPT_FROM);
    const filled = { server: 'x', name: 'p', arguments: { file: config } };
    expect(prompt.deed?.(filled).refuse).toContain(KEPT_FROM);
    await expect(prompt.run(filled, toolContext())).rejects.toThrow(KEPT_FROM);
    const plain = pathToFileURL(join(folder, 'work/plain.txt')).href;
    expect(textOf(await resource.run({ server: 'x', uri: plain }, toolContext()))).toContain('plain');
  });
});

describe('hints', () => {
  it('make no call so harmless that it would not be written down', async () => {
    const tools = await open({ x: {} }).tools();
    expect(tools.length).toBeGreaterThan(5);
    for (const tool of tools) expect(tool.effect({})).toBeGreaterThan(0);
  });
});

describe('questions', () => {
  it('bring back nothing that only the server has said', async () => {
    const clients = open({ x: { tools: ['ask'] } });
    const asked: string[] = [];
    const ask = async (question: string, choices: readonly string[]) => {
      asked.push(question);
      return choices.includes('decline') ? 'answer' : '';
    };
    const result = await (await toolOf(clients, 'mcp_x_ask')).run({}, toolContext({ ask }));
    expect(JSON.parse(textOf(result))).toMatchObject({ action: 'accept', content: {} });
    expect(textOf(result)).not.toContain('evil');
    expect(asked).toHaveLength(2);
    for (const question of asked) expect(question).toContain('The MCP server x');
  });
});

describe('names', () => {
  it('belong to one server each, and lead to it', async () => {
    const clients = open({
      evil: { tools: ['read_it'] },
      evil_read: { tools: ['it'] },
      list: { tools: ['resources'] },
    });
    const names = (await clients.tools()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith('mcp_evil_read_it'))).toHaveLength(2);
    expect(names).toContain('mcp_evil_read_it');
    expect(names).toContain('mcp_list_resources');
    expect((await toolOf(clients, 'mcp_evil_read_it')).toolset).toBe('mcp-evil');
    expect((await toolOf(clients, 'mcp_list_resources')).toolset).toBe('mcp');
  });
});

describe('secrets of an entry', () => {
  it('are shown in no answer, description, line of progress, error, log or status', async () => {
    const clients = open({ x: {} });
    const leak = await toolOf(clients, 'mcp_x_leak');
    expect(leak.description).toBe('[x] Says [secret:known]');
    const update = vi.fn<(text: string) => void>();
    const result = await leak.run({}, toolContext({ update }));
    expect(result).toMatchObject({ summary: 'I have [secret:known]' });
    expect(textOf(result)).toBe('I have [secret:known]');
    expect(update).toHaveBeenCalledWith('1 with [secret:known]');
    const failing = (await toolOf(clients, 'mcp_x_fail')).run({}, toolContext());
    await expect(failing).rejects.toThrow('refused with [secret:known]');
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    expect((error as Error).cause).toBeUndefined();
    const listed = await (await toolOf(clients, 'mcp_list_resources')).run({ server: 'x' }, toolContext());
    expect(textOf(listed)).toContain('[secret:known]');
    expect(clients.output('x')).toContain('the secret is [secret:known]');
    expect(JSON.stringify([result, listed, await clients.status(), logged])).not.toContain(SECRET);
  });

  it('are not shown by a server that cannot be started either', async () => {
    writeFileSync(join(folder, 'server.mjs'), 'console.error(process.env.API_TOKEN); process.exit(1)');
    const clients = open({ x: {} });
    await expect(clients.refresh('x')).rejects.toThrow('[secret:known]');
    const [status] = await clients.status();
    expect(status?.error).toContain('[secret:known]');
    expect(JSON.stringify([status, logged, clients.output('x')])).not.toContain(SECRET);
  });
});

describe('tokens of a sign-in', () => {
  it('are not shown by an error of the server that has them', async () => {
    const server = createServer((request, response) => {
      const [, token = ''] = (request.headers.authorization ?? '').split(' ');
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { id = 0 } = JSON.parse(body || '{}') as { id?: number };
        const error = { code: -32_603, message: `no good: ${token}` };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const stored = { url, tokens: { access_token: 'kept-token', token_type: 'Bearer' } };
    const tokens = { read: async () => stored, write: async () => undefined };
    const more = { command: undefined, args: undefined, env: undefined, url };
    try {
      const clients = open({ x: { more } }, { tokens });
      await expect(clients.refresh('x')).rejects.toThrow('no good: [secret:known]');
      expect(JSON.stringify([await clients.status(), logged])).not.toContain('kept-token');
    } finally {
      server.close();
    }
  });
});

describe('a server that nobody uses', () => {
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('is stopped after a while, and started again by the next call', async () => {
    const clients = open({ x: {} }, { idleMs: 100 });
    const leak = await toolOf(clients, 'mcp_x_leak');
    const [before] = await clients.status();
    expect(before).toMatchObject({ state: 'ready' });
    await vi.waitFor(async () => expect((await clients.status())[0]).toMatchObject({ state: 'idle' }), 5_000);
    await vi.waitFor(() => expect(isAlive(before?.pid ?? 0)).toBe(false), 5_000);
    expect(textOf(await leak.run({}, toolContext()))).toContain('I have');
    const [after] = await clients.status();
    expect(after).toMatchObject({ state: 'ready', restarts: 0 });
    expect(after?.pid).not.toBe(before?.pid);
  });

  it('is not stopped in the middle of a call', async () => {
    const slow = SERVER.replace(
      'send({ id, result: handlers[method](params ?? {}) });',
      "setTimeout(() => send({ id, result: handlers[method](params ?? {}) }), method === 'tools/call' ? 400 : 0);",
    );
    writeFileSync(join(folder, 'server.mjs'), slow);
    const clients = open({ x: {} }, { idleMs: 50 });
    const leak = await toolOf(clients, 'mcp_x_leak');
    expect(textOf(await leak.run({}, toolContext()))).toContain('I have');
  });
});
