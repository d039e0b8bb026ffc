import { describe, expect, it } from 'vitest';
import type { AuthScheme } from '#spec/ports';
import { authorizer } from './authorize.ts';

const CREDENTIAL = { id: 'k', label: 'KEY', secret: 'the-secret' };
const REQUEST = { url: 'https://api.example/v1/x', headers: {}, body: '{}' };

describe('keys', () => {
  it.each([
    ['bearer', { authorization: 'Bearer the-secret' }],
    ['x-api-key', { 'x-api-key': 'the-secret' }],
    ['api-key', { 'api-key': 'the-secret' }],
    ['aws', { authorization: 'Bearer the-secret' }],
    ['none', {}],
  ] satisfies [AuthScheme, object][])('%s', async (scheme, headers) => {
    expect(await authorizer(scheme, CREDENTIAL, {})(REQUEST)).toEqual(headers);
  });

  it.each(['bearer', 'x-api-key', 'api-key', 'none'] as const)(
    '%s sends nothing without a key',
    async (scheme) => {
      expect(await authorizer(scheme, undefined, {})(REQUEST)).toEqual({});
    },
  );
});

const SECRET = 'wJalrXUtnFEMI-EXAMPLEKEY';

describe('the region of an AWS signature', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: SECRET };
  it.each([
    [
      'https://bedrock-runtime.ap-south-1.amazonaws.com/model/m/converse-stream',
      { AWS_REGION: 'eu-west-1' },
      'ap-south-1',
    ],
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/x', {}, 'us-gov-west-1'],
    ['https://gateway.example/x', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-1'],
    ['https://gateway.example/x', { AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-2'],
    ['https://gateway.example/x', {}, 'us-east-1'],
  ])('of %s with %j', async (url, env, region) => {
    const proof = await authorizer('aws', undefined, { ...keys, ...env })({ ...REQUEST, url });
    expect(proof.authorization).toContain(`/${region}/bedrock/aws4_request`);
  });
});
