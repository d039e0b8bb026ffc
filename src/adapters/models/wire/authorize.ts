import { fail } from '#kit/app-error';
import type { AuthScheme, Credential } from '#spec/ports';

interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the headers that prove who sends the request. */
export type Authorize = (request: OutgoingRequest) => Promise<Readonly<Record<string, string>>>;

const KEY_HEADERS: Readonly<
  Record<Exclude<AuthScheme, 'aws' | 'none'>, (secret: string) => [string, string]>
> = {
  bearer: (secret) => ['authorization', `Bearer ${secret}`],
  'x-api-key': (secret) => ['x-api-key', secret],
  'api-key': (secret) => ['api-key', secret],
};

/**
 * `aws` takes a Bedrock API key as a bearer token when there is one, and signs the request otherwise,
 * with the keys in `env` or whatever the AWS credential chain finds (profiles, SSO, roles).
 */
export function authorizer(
  scheme: AuthScheme,
  credential: Credential | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Authorize {
  if (scheme === 'none' || (scheme !== 'aws' && !credential)) return async () => ({});
  if (scheme === 'aws' && !credential) return (request) => signAws(request, env);
  const make = KEY_HEADERS[scheme === 'aws' ? 'bearer' : scheme];
  return async () => Object.fromEntries([make((credential as Credential).secret)]);
}

async function signAws(
  request: OutgoingRequest,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const [{ AwsV4Signer }, keys] = await Promise.all([import('aws4fetch'), awsKeys(env)]);
  const signed = await new AwsV4Signer({
    method: 'POST',
    url: request.url,
    headers: { ...request.headers },
    body: request.body,
    service: 'bedrock',
    region: regionOf(request.url) ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1',
    ...keys,
  }).sign();
  return Object.fromEntries(signed.headers);
}

function regionOf(url: string): string | undefined {
  return /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com/.exec(new URL(url).hostname)?.[1];
}

interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

async function awsKeys(env: Readonly<Record<string, string | undefined>>): Promise<AwsKeys> {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  }
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  try {
    const found = await defaultProvider()();
    const token = found.sessionToken;
    return {
      accessKeyId: found.accessKeyId,
      secretAccessKey: found.secretAccessKey,
      ...(token ? { sessionToken: token } : {}),
    };
  } catch (cause) {
    throw fail(
      'model.auth',
      'no AWS credentials were found',
      'Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`.',
      cause,
    );
  }
}
