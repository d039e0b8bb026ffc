import { describe, expect, it } from 'vitest';
import { looksSecret } from '#kit/looks-secret';
import { commandEnvironment } from './command-environment.ts';

describe('commandEnvironment', () => {
  it('passes a few names and those that were listed', () => {
    const env = {
      PATH: '/bin',
      LC_TIME: 'de',
      OPENAI_API_KEY: 'x',
      EDITOR: 'vi',
      FOO: 'bar',
      LD_PRELOAD: '/x.so',
    };
    expect(commandEnvironment(env, ['FOO'])).toMatchObject({ PATH: '/bin', LC_TIME: 'de', FOO: 'bar' });
    for (const name of ['OPENAI_API_KEY', 'EDITOR', 'LD_PRELOAD']) {
      expect(commandEnvironment(env, ['FOO'])).not.toHaveProperty(name);
    }
  });

  it.each([
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'DB_PASS',
    'SENTRY_DSN',
    'SLACK_WEBHOOK_URL',
  ])('never passes %s', (name) => {
    expect(looksSecret(name)).toBe(true);
    expect(commandEnvironment({ [name]: 'x' }, [name])).not.toHaveProperty(name);
  });
});
