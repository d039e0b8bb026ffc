import { describe, expect, it } from 'vitest';
import { hideSecrets } from './hide-secrets.ts';

describe('hideSecrets', () => {
  it('hides values by the name they stand under, and tells two of them apart', () => {
    const env = (value: string) => ({
      env: [
        { name: 'DB_PASSWORD', value },
        { name: 'POOL', value: '20' },
      ],
    });
    const shown = JSON.stringify(hideSecrets(env('hunter2')));
    expect(shown).not.toContain('hunter2');
    expect(shown).toContain('{"name":"POOL","value":"20"}');
    expect(shown).not.toBe(JSON.stringify(hideSecrets(env('hunter3'))));
    expect(hideSecrets({ api_token: 'abc', replicas: 2, key_count: 3 })).toMatchObject({
      api_token: expect.stringMatching(/^\[hidden \w{8}\]$/),
      replicas: 2,
      key_count: 3,
    });
  });

  it('hides them in arguments, files of settings and addresses', () => {
    const args = ['--db-password=hunter2', '--port=80', 'postgres://app:hunter2@db/prod'];
    const file = 'pool=20\ndb.password=hunter2\nsession_token: hunter2\n';
    const shown = JSON.stringify(hideSecrets({ args, data: { 'app.properties': file } }));
    expect(shown).not.toContain('hunter2');
    expect(shown).toMatch(/--port=80.*pool=20/);
    expect(hideSecrets({ image: 'shop/payment-auth:v3' })).toEqual({ image: 'shop/payment-auth:v3' });
    expect(hideSecrets({ image: 'payment-auth:v3' })).toEqual({ image: 'payment-auth:v3' });
  });
});
