import { describe, expect, it } from 'vitest';
import { hostOf, isLocalHost, isMetadataHost, isMixedScript } from './addresses.ts';

describe('hostOf', () => {
  it.each([
    ['https://user:pw@Example.com:8080/x?y', 'example.com'],
    ['http://[::1]:80/', '[::1]'],
    ['git@github.com:x/y.git', 'github.com'],
    ['example.com/x', 'example.com'],
  ])('%s', (word, host) => expect(hostOf(word)).toBe(host));
});

describe('isMetadataHost', () => {
  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.16689662',
    '[::ffff:a9fe:a9fe]',
    '[fe80::a9fe:a9fe%25eth0]',
    '[2002:a9fe:a9fe::1]',
    'metadata',
    'metadata.google.internal.',
    '169-254-169-254.sslip.io',
    'a9fea9fe.nip.io',
    '169。254。169。254',
  ])('%s is one', (host) => expect(isMetadataHost(host)).toBe(true));
  it.each([
    'example.com',
    '10.0.0.1',
    '169.253.1.1',
    '[::1]',
    '[2001:db8::1]',
    '1.1.1.1',
    'metadata.example.com',
    '99999999999999',
  ])('%s is none', (host) => expect(isMetadataHost(host)).toBe(false));
});

it('isLocalHost', () => {
  expect(['localhost', '127.0.0.1', '[::1]', 'x.localhost'].every(isLocalHost)).toBe(true);
  expect(['example.com', '128.0.0.1', 'localhost.example.com'].some(isLocalHost)).toBe(false);
});

it('isMixedScript', () => {
  expect(['gіthub.com', 'сurl', 'αpple.com'].every(isMixedScript)).toBe(true);
  expect(['github.com', 'münchen.de', '例え.jp'].some(isMixedScript)).toBe(false);
});
