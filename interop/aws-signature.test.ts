import { createHash, createHmac } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocol } from '../src/adapters/models/protocols/bedrock-converse.ts';
import { authorizer } from '../src/adapters/models/wire/authorize.ts';
import { asked, modelInfo } from '../testkit/sample-messages/sample-messages.ts';

interface Seen {
  readonly method: string;
  /** As it stood on the wire. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const seen: Seen[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
  response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"no"}');
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const SECRET = 'wJalrXUtnFEMI-EXAMPLEKEY';
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signature Version 4 as AWS describes it, worked out from what arrived alone. */
function expectedSignature({ method, path, headers, body }: Seen): { sent: string; expected: string } {
  const parse = /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, scope = '', names = '', sent = ''] = parse.exec(headers.authorization ?? '') ?? [];
  const canonicalPath = path.split('/').map(encodeURIComponent).join('/');
  const lines = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`);
  const canonical = [method, canonicalPath, '', lines.join(''), names, hash(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${SECRET}`);
  return { sent, expected: hmac(key, toSign).toString('hex') };
}

interface SdkRequest extends Omit<Seen, 'headers'> {
  readonly hostname: string;
  readonly port?: number;
  readonly headers: Record<string, string>;
}

/** The official client speaks HTTP/2 to this service unless told otherwise. */
const overHttp1 = {
  handle: ({ method, hostname, port, path, headers, body }: SdkRequest) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ method, hostname, port, path, headers }, (got: IncomingMessage) =>
        resolve({ response: { statusCode: got.statusCode, headers: got.headers, body: got } }),
      );
      sent.on('error', reject).end(body);
    }),
} as unknown as NonNullable<BedrockRuntimeClientConfig['requestHandler']>;

const MODELS = [
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/ab12cd34ef56',
];
const TOKENS = [undefined, 'FwoGZXIvYXdzE/session+token=='];
const CASES = MODELS.flatMap((model) => TOKENS.map((token) => ({ model, token })));

describe.each(CASES)('an AWS signature for $model with token $token', ({ model, token }) => {
  it('is what the official client would send, by the same reckoning', async () => {
    const client = new BedrockRuntimeClient({
      region: 'eu-west-1',
      endpoint: origin,
      maxAttempts: 1,
      requestHandler: overHttp1,
      credentials: {
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey: SECRET,
        ...(token ? { sessionToken: token } : {}),
      },
    });
    const messages = [{ role: 'user' as const, content: [{ text: '你好' }] }];
    await expect(client.send(new ConverseStreamCommand({ modelId: model, messages }))).rejects.toThrow('no');
    const official = seen.at(-1) as Seen;
    const reckoned = expectedSignature(official);
    expect(reckoned.sent).toMatch(/^[0-9a-f]{64}$/);
    expect(reckoned.expected).toBe(reckoned.sent);

    const info = modelInfo({ model, protocol: 'bedrock_converse' });
    const { path, body } = protocol.encode(asked(), { info, dialect: {} });
    const request = {
      url: `${origin}${path}`,
      headers: { 'content-type': 'application/json', accept: 'application/vnd.amazon.eventstream' },
      body: JSON.stringify(body),
    };
    const env = {
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: SECRET,
      AWS_SESSION_TOKEN: token,
      AWS_REGION: 'eu-west-1',
    };
    const proof = await authorizer('aws', undefined, env)(request);
    await fetch(request.url, {
      method: 'POST',
      headers: { ...request.headers, ...proof },
      body: request.body,
    });
    const ours = seen.at(-1) as Seen;
    expect(ours.path).toBe(official.path);
    const { sent, expected } = expectedSignature(ours);
    expect(sent).toBe(expected);
    expect(ours.headers['x-amz-security-token']).toBe(token);
    expect(ours.headers.authorization).toContain('/eu-west-1/bedrock/aws4_request');
    expect(official.headers.authorization).toContain('/eu-west-1/bedrock/aws4_request');
  });
});
