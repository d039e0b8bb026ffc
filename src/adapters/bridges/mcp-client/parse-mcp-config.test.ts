import { describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import { parseMcpConfig } from './parse-mcp-config.ts';

const seed = {
  mcp_servers: {
    github: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-github'],
      env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' },
      permissions: {
        allowed_tools: ['get_pull_request', 'list_issues', 'create_comment'],
        denied_tools: ['delete_repository', 'create_release'],
        require_confirmation: ['merge_pull_request'],
      },
    },
    filesystem: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/user/projects'],
      permissions: {
        allowed_paths: ['/home/user/projects'],
        denied_paths: ['/etc', '/root'],
        max_file_size: '10MB',
      },
    },
    database: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-postgres'],
      env: { DATABASE_URL: '${DATABASE_URL}' },
      permissions: {
        allowed_operations: ['SELECT', 'EXPLAIN'],
        denied_operations: ['DROP', 'TRUNCATE', 'DELETE'],
        max_rows: 1000,
      },
    },
  },
};

function problem(value: unknown): string {
  try {
    parseMcpConfig(value, {});
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).record.code).toBe('config.invalid');
    return (error as AppError).message;
  }
  throw new Error('it was accepted');
}

const one = (entry: Record<string, unknown>) => ({ mcp_servers: { a: entry } });

describe('parseMcpConfig', () => {
  it('reads the documented file', () => {
    const [github, filesystem, database] = parseMcpConfig(seed, { GITHUB_TOKEN: 'gh', DATABASE_URL: 'pg' });
    expect(github).toMatchObject({
      name: 'github',
      reach: { kind: 'stdio', command: 'npx', env: { GITHUB_TOKEN: 'gh' } },
      permissions: { allowedTools: ['get_pull_request', 'list_issues', 'create_comment'] },
      timeoutMs: 120_000,
      connectTimeoutMs: 60_000,
      disabled: false,
      missing: [],
    });
    expect(filesystem?.permissions.maxFileBytes).toBe(10 * 1024 * 1024);
    expect(database?.permissions).toEqual({
      allowedOperations: ['SELECT', 'EXPLAIN'],
      deniedOperations: ['DROP', 'TRUNCATE', 'DELETE'],
      maxRows: 1000,
    });
  });

  it('notes a variable that nobody set with the server that needs it', () => {
    const parsed = parseMcpConfig(seed, { DATABASE_URL: 'pg' });
    expect(parsed.map(({ missing }) => missing)).toEqual([['GITHUB_TOKEN'], [], []]);
  });

  it('does not take an unset address for a mistake of the file', () => {
    const [parsed] = parseMcpConfig(one({ url: '${NOWHERE}' }), {});
    expect(parsed?.missing).toEqual(['NOWHERE']);
  });

  it('reads what other clients write, and servers behind an address', () => {
    const [remote] = parseMcpConfig(
      {
        mcpServers: {
          docs: { type: 'http', url: 'https://docs.example/mcp', headers: { 'X-Key': '${KEY}' } },
        },
      },
      { KEY: 'k' },
    );
    expect(remote?.reach).toEqual({
      kind: 'http',
      url: 'https://docs.example/mcp',
      headers: { 'X-Key': 'k' },
      auth: { type: 'oauth' },
    });
  });

  it.each([
    [{ mcp_server: {} }, 'did you mean mcp_servers?'],
    [one({ comand: 'npx' }), 'mcp_servers.a.comand: unknown key; did you mean command?'],
    [one({ command: 'x', permissions: { max_row: 1 } }), 'did you mean max_rows?'],
    [one({ command: 'x', permissions: { max_file_size: 'big' } }), 'max_file_size'],
    [one({}), 'needs either command or url'],
    [one({ command: 'x', url: 'https://a.example/' }), 'needs either command or url'],
    [one({ command: 'x', headers: {} }), 'headers does not go with command'],
    [one({ url: 'ftp://a.example/' }), 'mcp_servers.a.url'],
    [one({ url: 'https://a.example/', auth: { type: 'oauth', clientid: 'x' } }), 'did you mean client_id?'],
    [one({ command: 'x', type: 'http' }), 'type http does not fit command'],
    [{ mcp_servers: { 'a b': { command: 'x' } } }, 'a name has up to 32'],
    [{ mcp_servers: { 'a-b': { command: 'x' }, A_b: { command: 'x' } } }, 'too much like a-b'],
  ])('refuses %j', (value, text) => {
    expect(problem(value)).toContain(text);
  });
});
