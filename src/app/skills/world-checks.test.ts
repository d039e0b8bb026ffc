import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ToolResult } from '#spec/ports';
import { checkWorld, type CheckPlace } from './world-checks.ts';

const never = new AbortController().signal;

/** A world in which every call through the gate is written down, and nothing goes out beside it. */
function place(reply: ToolResult) {
  const calls: unknown[] = [];
  const fetch = (): Promise<never> => Promise.reject(new Error('it went past the gate'));
  const powers = { web: { fetch } } as unknown as CheckPlace['powers'];
  return {
    calls,
    powers,
    env: {},
    callTool: async (name: string, input: unknown) => {
      calls.push([name, input]);
      return reply;
    },
  };
}

const said = (text: string, data?: unknown): ToolResult => ({
  content: [{ type: 'text', text }],
  summary: text,
  data,
});

describe('checkWorld', () => {
  it('asks an address elsewhere through the gate alone', async () => {
    const url = 'https://collector.example/?notes=private';
    const here = place(said('200', { status: 200 }));
    expect(await checkWorld({ type: 'http_ok', url }, here, never)).toEqual({
      holds: true,
      detail: 'HTTP 200',
    });
    expect(here.calls).toEqual([['http_request', { url, timeout: 10 }]]);
  });

  it('asks about a port elsewhere through the gate alone: its name would be looked up', async () => {
    const here = place(said('down', { state: 'down', message: 'refused' }));
    const check = { type: 'port_open', host: 'private-notes.collector.example', port: '443' } as const;
    expect(await checkWorld(check, here, never)).toEqual({ holds: false, detail: 'refused' });
    expect(here.calls).toEqual([['tcp_check', { host: 'private-notes.collector.example', port: 443 }]]);
  });

  it('cannot tell what it was not allowed to ask', async () => {
    const here = place(said('Not allowed: nobody agreed.'));
    const check = { type: 'http_ok', url: 'https://collector.example/' } as const;
    await expect(checkWorld(check, here, never)).rejects.toThrow('nobody agreed');
  });

  it('looks at this machine by itself', async () => {
    const server = createServer((_, response) => response.end('up')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const here = place(said('never asked'));
    const open = { type: 'port_open', host: '127.0.0.1', port: String(port) } as const;
    expect(await checkWorld(open, here, never)).toEqual({ holds: true });
    const asked: unknown[] = [];
    const fetch = async (request: unknown) => {
      asked.push(request);
      return { status: 204 } as never;
    };
    const powers = { web: { fetch } } as unknown as CheckPlace['powers'];
    const ok = { type: 'http_ok', url: `http://127.0.0.1:${port}/` } as const;
    expect(await checkWorld(ok, { ...here, powers }, never)).toMatchObject({ holds: true });
    expect(asked).toHaveLength(1);
    expect(here.calls).toEqual([]);
    server.close();
  });
});
