import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type HermesMcpServer, mcpServer } from './mcp-server.ts';
import type { HttpEndpoint } from './serve-http.ts';
import { defineServedTool, MCP_SCOPES, type ServedParts } from './served.ts';

const TOKEN = 'a-token-of-some-length';
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

const decided: [string, boolean][] = [];

const served: ServedParts = {
  sessions: {
    list: async (limit) => [{ id: 's1', title: `first of ${limit}`, at: 1 }],
    read: async (id, after) =>
      id === 's1' ? { messages: [{ role: 'user', text: 'hi', at: 1 }], next: after + 1 } : undefined,
    search: async (query) => [{ session: 's1', title: 'first', role: 'user', text: query, at: 1 }],
  },
  approvals: {
    list: async () => [
      { id: 'a1', tool: 'terminal', shown: 'rm -r x', reasons: ['it deletes'], createdAt: 1, expiresAt: 2 },
    ],
    async decide(id, granted) {
      if (id !== 'a1') return false;
      decided.push([id, granted]);
      return true;
    },
  },
  more: [
    defineServedTool<{ word: string }>({
      name: 'skills_find',
      description: 'Finds skills.',
      scope: 'skills:read',
      readOnly: true,
      input: z.object({ word: z.string() }),
      run: async () => {
        throw new Error('a secret of the inside');
      },
    }),
  ],
};

const server = (scopes: readonly string[] = MCP_SCOPES): HermesMcpServer =>
  mcpServer({ version: '1', served, scopes, log: () => undefined });

async function listen(scopes?: readonly string[]): Promise<HttpEndpoint> {
  const endpoint = await server(scopes).http({ port: 0, token: TOKEN });
  open.push(endpoint);
  return endpoint;
}

async function client(endpoint: HttpEndpoint, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const one = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await one.connect(new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit }));
  open.push(one);
  return one;
}

async function call(one: Client, name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await one.callTool({ name, arguments: input });
  const [part] = content;
  return `${isError ? 'ERROR ' : ''}${part?.type === 'text' ? part.text : ''}`;
}

describe.each(['auto', 'legacy'] as const)('mcpServer over HTTP (%s)', (mode) => {
  it('serves sessions and approvals', async () => {
    const one = await client(await listen(), mode);
    expect(one.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    expect((await one.listTools()).tools.map(({ name }) => name)).toEqual([
      'sessions_list',
      'session_read',
      'sessions_search',
      'approvals_list',
      'approvals_decide',
    ]);
    expect(await call(one, 'sessions_list', {})).toContain('first of 20');
    expect(await call(one, 'session_read', { id: 's1' })).toContain('"next": 1');
    expect(await call(one, 'session_read', { id: 's2' })).toBe('ERROR There is no session s2.');
    expect(await call(one, 'sessions_search', { query: 'needle' })).toContain('needle');
    expect(await call(one, 'approvals_list', {})).toContain('rm -r x');
    decided.length = 0;
    expect(await call(one, 'approvals_decide', { id: 'a1', decision: 'deny' })).toContain('deny');
    expect(decided).toEqual([['a1', false]]);
    expect(await call(one, 'approvals_decide', { id: 'a2', decision: 'approve' })).toContain('does not wait');
  });

  it('has nothing outside of the scopes', async () => {
    const one = await client(await listen(['approvals:read', 'skills:read']), mode);
    expect((await one.listTools()).tools.map(({ name }) => name)).toEqual(['approvals_list', 'skills_find']);
    await expect(call(one, 'approvals_decide', { id: 'a1', decision: 'approve' })).rejects.toThrow(
      /not found/,
    );
    expect(await call(one, 'skills_find', { word: 'x' })).toBe('ERROR It failed.');
  });
});

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('mcpServer over pipes', () => {
  it('serves whoever started it, and ends with its input', async () => {
    const source = `
      import { mcpServer } from ${JSON.stringify(new URL('mcp-server.ts', import.meta.url).href)};
      const sessions = { list: async () => [{ id: 's9', title: 'piped', at: 1 }] };
      const server = mcpServer({ version: '1', served: { sessions }, scopes: ['sessions:read'], log: console.error });
      await (await server.stdio()).closed;
      console.error('ended by itself');`;
    const args = ['--no-warnings', '--input-type=module', '--eval', source];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const one = new Client({ name: 'test', version: '1' });
    await one.connect(transport);
    expect(await call(one, 'sessions_list', {})).toContain('piped');
    await one.close();
    expect(said).toBe('ended by itself\n');
  });
});

describe('who may reach it', () => {
  const post = (url: string, headers: Record<string, string>, body = LIST) =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  it.each([
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer wrong-token-of-some-length' }, 401],
    ['a token of another kind', { authorization: `Basic ${TOKEN}` }, 401],
    ['a page of somebody else', { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' }, 403],
    ['a session that does not exist', { authorization: `Bearer ${TOKEN}`, 'mcp-session-id': 'x' }, 404],
  ])('turns away %s', async (_, headers, status) => {
    const { url } = await listen();
    expect((await post(url, headers)).status).toBe(status);
  });

  it('turns away a name that is not of this machine', async () => {
    const { url } = await listen();
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(
        url,
        { method: 'POST', headers: { host: 'evil.example', authorization: `Bearer ${TOKEN}` } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      ).end('{}');
    });
    expect(status).toBe(403);
  });

  it('listens on the loopback address alone, and reads only so much', async () => {
    const { url } = await listen();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await post(url, { authorization: `Bearer ${TOKEN}` }, 'x'.repeat(5_000_000))).status).toBe(413);
  });

  it('does not start with a token that can be guessed', async () => {
    await expect(server().http({ port: 0, token: 'short' })).rejects.toThrow('at least 16 characters');
  });
});
