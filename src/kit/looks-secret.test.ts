import { describe, expect, it } from 'vitest';
import { looksPrivate, looksSecret } from './looks-secret.ts';

describe('looksSecret', () => {
  it.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'DB_PASSWORD',
    'MYSQL_PWD',
    'JIRA_PAT',
    'SLACK_WEBHOOK_URL',
    'SENTRY_AUTH',
  ])('%s', (name) => expect(looksSecret(name)).toBe(true));
  it.each(['PATH', 'HOME', 'LANG', 'EDITOR', 'PWD', 'NODE_ENV', 'PATTERN'])('not %s', (name) =>
    expect(looksSecret(name)).toBe(false),
  );
});

describe('looksPrivate', () => {
  it.each([
    '/etc/hosts',
    '~/notes.md',
    '../other/a.ts',
    'src/../../x',
    '.env',
    'config/.env.local',
    'tls/server.key',
    'a/secrets.yaml',
  ])('%s', (path) => expect(looksPrivate(path)).toBe(true));
  it.each(['src/app.ts', 'README.md', 'environment.ts', 'src/keys.ts', 'a..b/c'])('not %s', (path) =>
    expect(looksPrivate(path)).toBe(false),
  );
});
