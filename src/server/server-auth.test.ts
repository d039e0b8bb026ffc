import { describe, expect, it } from 'vitest';
import { serverAuthFromEnv } from './server-auth.ts';

describe('serverAuthFromEnv', () => {
  it('asks for a token unless it is told otherwise', () => {
    expect(serverAuthFromEnv({})).toEqual({ enabled: true, header: 'x-runbook-token' });
    expect(serverAuthFromEnv({ RUNBOOK_API_AUTH_ENABLED: 'False' }).enabled).toBe(false);
    expect(serverAuthFromEnv({ RUNBOOK_API_AUTH_ENABLED: '1' }).enabled).toBe(true);
  });

  it('reads tokens and the name of the header', () => {
    const env = {
      RUNBOOK_API_TOKEN: ' a-token-for-writing ',
      RUNBOOK_API_READ_ONLY_TOKEN: 'a-token-for-reading',
      RUNBOOK_API_AUTH_HEADER: 'X-Team-Token',
    };
    expect(serverAuthFromEnv(env)).toEqual({
      enabled: true,
      token: 'a-token-for-writing',
      readOnlyToken: 'a-token-for-reading',
      header: 'x-team-token',
    });
  });

  it.each([
    [{ RUNBOOK_API_TOKEN: 'fifteen-letters' }, /RUNBOOK_API_TOKEN is shorter than 16/],
    [{ RUNBOOK_API_READ_ONLY_TOKEN: 'short' }, /RUNBOOK_API_READ_ONLY_TOKEN is shorter than 16/],
    [{ RUNBOOK_API_TOKEN: 'a token with blanks' }, /characters that a header cannot carry/],
    [{ RUNBOOK_API_AUTH_ENABLED: 'maybe' }, /neither true nor false/],
    [{ RUNBOOK_API_AUTH_HEADER: 'x token:' }, /not the name of a header/],
  ])('refuses %j without showing a token', (env: Record<string, string>, message) => {
    let thrown: Error | undefined;
    try {
      serverAuthFromEnv(env);
    } catch (error) {
      thrown = error as Error;
    }
    expect(thrown?.message).toMatch(message);
    expect(thrown?.message).not.toContain(env['RUNBOOK_API_TOKEN'] ?? 'no token');
  });
});
