import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { findCredential } from './find-credential.ts';

describe('findCredential', () => {
  it.each([
    ['PGPASSWORD=hunter2secret psql -h db', 'password'],
    ['mysql -uroot -pS3cretPw9 shop', 'password'],
    ['curl -u admin:S3cretPw9 https://x.example', 'password'],
    ['postgres://app:s3cr3tpw@db/payments', 'url-password'],
    ['https://x.example/reset?token=ZXhhbXBsZXRva2Vu1234', 'token'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'authorization'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'private-key'],
  ])('%s', (text, what) => {
    expect(findCredential(text)).toBe(what);
  });

  it.each([
    'mysql -p asks for the password',
    'docker run -p 8080:80 web',
    'curl -u $USER:$PASS https://x.example',
    'the token bucket is 500',
    'password: see vault:payment/db',
  ])('finds none in: %s', (text) => {
    expect(findCredential(text)).toBeUndefined();
  });

  it('takes time in proportion to the text', () => {
    const began = cpuMs();
    for (const word of ['mysql ', 'curl -u ', 'password', 'redis-cli -', 'a_'])
      findCredential(word.repeat(20_000));
    expect(cpuMs() - began).toBeLessThan(2_000);
  });
});
