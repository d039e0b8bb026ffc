import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { hideSecrets, showsSecretObject } from './hide-secrets.ts';

describe('hideSecrets', () => {
  it.each([
    ['- name: DB_PASSWORD\n  value: hunter2', '- name: DB_PASSWORD\n  value: [redacted]'],
    ['  "name": "API_TOKEN",\n  "value": "abc"', '  "name": "API_TOKEN",\n  "value": [redacted]'],
    [
      '[{"name":"DB_PASSWORD","value":"a\\"b"},{"name":"R","value":"eu"}]',
      '[{"name":"DB_PASSWORD","value":"[redacted]"},{"name":"R","value":"eu"}]',
    ],
    ['{"a":1,"clientSecret":"x y"}', '{"a":1,"clientSecret":"[redacted]"}'],
    ['      DB_PASSWORD:  hunter2', '      DB_PASSWORD:  [redacted]'],
    ['password=hunter2', 'password=[redacted]'],
    ['url: https://x sk-abcdefghijklmnopqrst', 'url: https://x [secret:key]'],
  ])('hides in %j', (text, hidden) => {
    expect(hideSecrets(text)).toBe(hidden);
  });

  it.each([
    '- name: REGION\n  value: eu-west-1',
    "DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
    'secretName: db',
    '"secretRef": {',
    'automountServiceAccountToken: true',
    'tokenExpirationSeconds: 3600',
    'secretKeyRef:',
  ])('leaves %j', (text) => {
    expect(hideSecrets(text)).toBe(text);
  });

  it('takes linear time', () => {
    const started = cpuMs();
    for (const text of [
      '"name":"a","value":"'.repeat(50_000),
      `${' '.repeat(500_000)}x`,
      `password${' '.repeat(500_000)}`,
      '"'.repeat(500_000),
    ])
      hideSecrets(text);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });
});

describe('showsSecretObject', () => {
  it.each([
    [true, 'apiVersion: v1\ndata:\n  a: b\nkind: Secret\n'],
    [true, 'items:\n- apiVersion: v1\n  kind: Secret\n'],
    [true, '{\n    "kind": "Secret",\n}'],
    [false, 'spec:\n  valuesFrom:\n  - kind: Secret\n    name: x\n'],
    [false, 'kind: SecretStore\n'],
    [false, 'level=info kind: Secret reconciled'],
  ])('is %s for %j', (shown, text) => {
    expect(showsSecretObject(text)).toBe(shown);
  });
});
