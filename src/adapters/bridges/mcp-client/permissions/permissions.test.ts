import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpPermissions } from '../mcp-server-config.ts';
import { judgeCall } from './judge-call.ts';
import { cutRows, limitQuery } from './limit-rows.ts';

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-mcp-paths-')));
  mkdirSync(join(root, 'open/deep'), { recursive: true });
  mkdirSync(join(root, 'closed'));
  mkdirSync(join(root, 'open-too'));
  symlinkSync(join(root, 'closed'), join(root, 'open/door'));
  symlinkSync(join(root, 'closed/not-yet'), join(root, 'open/dangling'));
  symlinkSync(join(root, 'open/loop'), join(root, 'open/loop'));
  writeFileSync(join(root, 'open/big.txt'), 'x'.repeat(2_000));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function refusal(
  tool: string,
  input: unknown,
  permissions: McpPermissions,
  local = true,
): string | undefined {
  return judgeCall(tool, input, permissions, { local, cwd: local ? join(root, 'open') : '/srv' }).refuse;
}

describe('judgeCall: tools', () => {
  const permissions: McpPermissions = {
    allowedTools: ['get_*', 'create_comment'],
    deniedTools: ['get_secret', 'delete_repository'],
    requireConfirmation: ['merge_pull_request'],
  };

  it('allows what is named, denies the rest, and deny wins', () => {
    expect(refusal('get_pull_request', {}, permissions)).toBeUndefined();
    expect(refusal('get_secret', {}, permissions)).toContain('denied_tools');
    expect(refusal('push_files', {}, permissions)).toContain('not among allowed_tools');
    expect(refusal('GET_SECRET', {}, permissions)).toContain('denied_tools');
  });

  it('asks for what needs confirmation, which allows it', () => {
    const judged = judgeCall('merge_pull_request', {}, permissions, { local: true, cwd: root });
    expect(judged).toEqual({ confirm: 'mcp_config.json asks for confirmation of merge_pull_request' });
  });
});

describe('judgeCall: paths', () => {
  const permissions = (): McpPermissions => ({
    allowedPaths: [join(root, 'open')],
    deniedPaths: [join(root, 'open/deep'), '/etc'],
    maxFileBytes: 1_000,
  });

  it('lets paths inside pass, also new and relative ones', () => {
    expect(refusal('read', { path: join(root, 'open/new/file.txt') }, permissions())).toBeUndefined();
    expect(refusal('read', { path: 'notes.txt' }, permissions())).toBeUndefined();
    expect(
      refusal('read', { profile: '~x', options: { mode: 'a' } }, { allowedPaths: ['/nowhere'] }),
    ).toBeDefined();
    expect(
      refusal('read', { profile: 'default', location: 'Rome' }, { allowedPaths: ['/nowhere'] }),
    ).toBeUndefined();
    expect(refusal('write', { path: 'a.txt', content: '/etc/passwd ../..' }, permissions())).toBeUndefined();
  });

  it.each([
    ['another folder', () => ({ path: '/etc/passwd' })],
    ['a neighbour with the same beginning', () => ({ path: join(root, 'open-too/x') })],
    ['a way out', () => ({ path: join(root, 'open/../closed/x') })],
    ['a relative way out', () => ({ path: '../closed/x' })],
    ['a link', () => ({ path: join(root, 'open/door/x') })],
    ['a link to what is not there yet', () => ({ path: join(root, 'open/dangling') })],
    ['a loop of links', () => ({ path: join(root, 'open/loop') })],
    ['a denied folder inside', () => ({ path: join(root, 'open/deep/x') })],
    ['one of many', () => ({ paths: [join(root, 'open/a'), '/etc/shadow'] })],
    ['a file address', () => ({ uri: 'file:///etc/passwd' })],
    ['an escaped file address', () => ({ uri: `file://${root}/open/%2e%2e/closed/x` })],
    ['the home folder', () => ({ path: '~/.ssh/id_rsa' })],
    ['a home of someone else', () => ({ path: '~root/x' })],
    ['a path under a name that nobody knows', () => ({ options: { where: '/etc/passwd' } })],
    ['a path in camel case', () => ({ outputFile: '../x' })],
    ['a move', () => ({ source: join(root, 'open/a'), destination: '/tmp/a' })],
    ['a NUL', () => ({ path: 'a\0b' })],
  ])('refuses %s', (_, input) => {
    expect(refusal('read', input(), permissions())).toBeDefined();
  });

  it('refuses files that are too big to read and texts that are too big to write', () => {
    expect(refusal('read', { path: 'big.txt' }, permissions())).toContain('2000 bytes');
    expect(refusal('write', { path: 'a', content: 'x'.repeat(1_001) }, permissions())).toContain(
      '1001 bytes',
    );
  });

  it('goes by names alone where the files are elsewhere', () => {
    const remote: McpPermissions = { allowedPaths: ['/srv'] };
    expect(refusal('read', { path: '/srv/a' }, remote, false)).toBeUndefined();
    expect(refusal('read', { path: '/srv/../etc' }, remote, false)).toBeDefined();
    expect(refusal('read', { path: '..\\etc' }, remote, false)).toBeDefined();
    expect(refusal('read', { path: `${homedir()}/x` }, remote, false)).toBeDefined();
  });
});

it('refuses more than it can check', () => {
  const input = { list: Array.from({ length: 10_001 }, () => 'x') };
  expect(refusal('any', input, {})).toContain('more arguments');
});

describe('judgeCall: operations', () => {
  const permissions: McpPermissions = {
    allowedOperations: ['SELECT', 'EXPLAIN'],
    deniedOperations: ['DROP', 'TRUNCATE', 'DELETE'],
    maxRows: 10,
  };

  it.each([
    ['query', { sql: 'SELECT 1' }],
    ['query', { sql: 'EXPLAIN SELECT 1' }],
    ['describe_table', { table: 'orders' }],
  ])('lets %s %j pass', (tool, input) => {
    expect(refusal(tool, input, permissions)).toBeUndefined();
  });

  it.each([
    ['query', { sql: 'INSERT INTO a VALUES (1)' }],
    ['query', { sql: 'SELECT 1; DROP TABLE a' }],
    ['query', { sql: '' }],
    ['query', { sql: 'nonsense' }],
    ['query', { anything: 'delete from orders' }],
    ['query', { batch: [{ q: 'SELECT 1' }, { q: 'UPDATE a SET b = 1' }] }],
    ['query', { sql: "SELECT pg_read_file('/etc/passwd')" }],
    ['query', { sql: 'EXPLAIN ANALYZE DELETE FROM a' }],
    ['drop_table', { table: 'orders' }],
    ['deleteRows', { table: 'orders' }],
    ['query', { sql: 'SELECT 1', limit: 5_000 }],
  ])('refuses %s %j', (tool, input) => {
    expect(refusal(tool, input, permissions)).toBeDefined();
  });

  it('denies alone too', () => {
    const denied: McpPermissions = { deniedOperations: ['DROP'] };
    expect(refusal('query', { sql: 'UPDATE a SET b = 1' }, denied)).toBeUndefined();
    expect(refusal('query', { sql: 'select 1; drop table a' }, denied)).toBeDefined();
  });
});

describe('limitQuery', () => {
  it('puts a limit behind one plain query, and leaves everything else alone', () => {
    expect(limitQuery({ sql: 'SELECT * FROM a; ' }, 5)).toEqual({ sql: 'SELECT * FROM a\nLIMIT 5' });
    expect(limitQuery({ sql: 'SELECT * FROM a -- x' }, 5)).toEqual({ sql: 'SELECT * FROM a -- x\nLIMIT 5' });
    for (const sql of ['SELECT * FROM a LIMIT 2', 'UPDATE a SET b = 1', 'SELECT 1; SELECT 2'])
      expect(limitQuery({ sql }, 5)).toEqual({ sql });
  });
});

describe('cutRows', () => {
  it('cuts lists, lists inside of objects, and lines', () => {
    const rows = Array.from({ length: 20 }, (_, id) => ({ id }));
    expect(cutRows(JSON.stringify(rows), 5)).toContain('[15 of 20 rows left out');
    expect(cutRows(JSON.stringify({ rows }), 5).match(/"id"/g)).toHaveLength(5);
    expect(cutRows(rows.map(({ id }) => `row ${id}`).join('\n'), 5)).not.toContain('row 12');
    expect(cutRows('[1,2]', 5)).toBe('[1,2]');
  });
});
