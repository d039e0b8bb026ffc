import { describe, expect, it } from 'vitest';
import { mcpSecrets, tokenSecrets } from './mcp-secrets.ts';
import { parseMcpConfig } from './parse-mcp-config.ts';

const secretsOf = (entry: Record<string, unknown>): string[] =>
  mcpSecrets(parseMcpConfig({ mcp_servers: { a: entry } }, {}));

describe('mcpSecrets', () => {
  it('finds what is named like a secret or looks like one in what a process is given', () => {
    const found = secretsOf({
      command: 'x',
      args: ['--api-key', 'arg-one-secret', '--token=arg-two-secret', '--port', '8080', '/srv/app'],
      env: {
        API_TOKEN: 'hunter2 hunter2',
        PLAIN: 'c2VjcmV0LXZhbHVlLWhlcmU4',
        DATABASE_URL: 'postgres://app:p%40ssword@db/x',
        NODE_ENV: 'production',
        KEY_FILE: '/etc/ssl/own.key',
        LOG_LEVEL: 'information',
      },
    });
    for (const secret of ['arg-one-secret', 'arg-two-secret', 'hunter2 hunter2', 'c2VjcmV0LXZhbHVlLWhlcmU4'])
      expect(found).toContain(secret);
    expect(found).toEqual(expect.arrayContaining(['p%40ssword', 'p@ssword', 'hunter2%20hunter2']));
    for (const plain of ['production', '8080', '/srv/app', '/etc/ssl/own.key', 'information'])
      expect(found).not.toContain(plain);
  });

  it('finds what signs in at an address', () => {
    const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0', '-----END PRIVATE KEY-----'].join(
      '\n',
    );
    const found = secretsOf({
      url: 'https://x.example/mcp?api_key=query-secret&page=somewhere',
      headers: {
        Authorization: 'Bearer header-secret',
        'X-Basic': `Basic ${Buffer.from('ada:pass-secret').toString('base64')}`,
        'X-Api-Key': 'other-secret',
        Accept: 'application/json',
      },
      auth: { type: 'client_credentials', client_id: 'ada-client', private_key: key },
    });
    expect(found).toEqual(
      expect.arrayContaining(['header-secret', 'pass-secret', 'other-secret', 'query-secret', key]),
    );
    expect(found).toContain('MIIEvQIBADANBgkqhkiG9w0');
    for (const plain of ['application/json', 'somewhere', 'ada-client', '-----BEGIN PRIVATE KEY-----'])
      expect(found).not.toContain(plain);
  });

  it('finds the secrets of a sign-in that was kept', () => {
    const stored = {
      url: 'https://x.example/mcp',
      client: { client_id: 'public-id', client_secret: 'client-secret' },
      tokens: { access_token: 'access-secret', refresh_token: 'refresh-secret', token_type: 'Bearer' },
    };
    expect(new Set(tokenSecrets(stored))).toEqual(
      new Set(['client-secret', 'access-secret', 'refresh-secret']),
    );
    expect(tokenSecrets(undefined)).toEqual([]);
  });
});
