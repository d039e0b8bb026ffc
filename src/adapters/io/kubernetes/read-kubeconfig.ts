import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { TlsFiles } from '../http/exchange.ts';
import { SecureUrl } from '../secure-url.ts';

const Named = <T extends z.ZodType>(key: string, of: T) =>
  z.array(z.looseObject({ name: z.string(), [key]: of })).default([]);

const Cluster = z.looseObject({
  server: z.string(),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
});
const User = z.looseObject({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
});
const Context = z.looseObject({ cluster: z.string(), user: z.string(), namespace: z.string().optional() });
const Kubeconfig = z.looseObject({
  'current-context': z.string(),
  contexts: Named('context', Context),
  clusters: Named('cluster', Cluster),
  users: Named('user', User),
});

export interface KubeAccess {
  readonly url: string;
  readonly namespace: string;
  readonly tls: TlsFiles;
  readonly token: () => Promise<string | undefined>;
}

/** The current context of a kubeconfig. What it would run, or would not check, is refused by name. */
export async function readKubeconfig(file: string): Promise<KubeAccess> {
  const config = await readConfig(file);
  const context = pick(config.contexts, 'context', config['current-context'], file) as z.infer<
    typeof Context
  >;
  const cluster = pick(config.clusters, 'cluster', context.cluster, file) as z.infer<typeof Cluster>;
  const user = pick(config.users, 'user', context.user, file) as z.infer<typeof User>;
  refuseUnsupported(cluster, user, file);
  const near = (path: string) => readFile(resolve(dirname(file), path), 'utf8').catch(unreadable(path));
  const part = async (of: Record<string, unknown>, name: string): Promise<string | undefined> => {
    const data = of[`${name}-data`];
    if (typeof data === 'string') return Buffer.from(data, 'base64').toString('utf8');
    const path = of[name];
    return typeof path === 'string' ? near(path) : undefined;
  };
  const url = SecureUrl.safeParse(cluster.server);
  if (!url.success) throw fail('config.invalid', `The server of ${file} must be an https address.`);
  const { token, tokenFile } = user;
  return {
    url: url.data,
    namespace: context.namespace ?? 'default',
    tls: {
      ca: await part(cluster, 'certificate-authority'),
      cert: await part(user, 'client-certificate'),
      key: await part(user, 'client-key'),
    },
    token: async () => (tokenFile === undefined ? token : (await near(tokenFile)).trim()),
  };
}

async function readConfig(file: string): Promise<z.infer<typeof Kubeconfig>> {
  const text = await readFile(file, 'utf8').catch(unreadable(file));
  try {
    return Kubeconfig.parse(parse(text));
  } catch {
    // What went wrong may quote the file, and the file holds credentials.
    throw fail('config.invalid', `${file} is not a kubeconfig with a current context.`);
  }
}

function pick(list: readonly Record<string, unknown>[], kind: string, name: string, file: string): unknown {
  const found = list.find((entry) => entry.name === name)?.[kind];
  if (found === undefined) throw fail('config.invalid', `${file} has no ${kind} '${name}'.`);
  return found;
}

function refuseUnsupported(cluster: z.infer<typeof Cluster>, user: z.infer<typeof User>, file: string): void {
  const refuse = (what: string, hint: string): never => {
    throw fail('config.invalid', `${file} ${what}, which is not supported.`, hint);
  };
  const instead = 'Use a service account with a token, through api_url, token_file and ca_file.';
  if (cluster['insecure-skip-tls-verify'])
    refuse('skips the check of the server', 'Name the certificate authority.');
  if ('proxy-url' in cluster) refuse('names a proxy', instead);
  if ('exec' in user) refuse('logs in through a program (exec)', instead);
  if ('auth-provider' in user) refuse('logs in through an auth-provider', instead);
  if ('username' in user) refuse('logs in with a password', instead);
}

const unreadable = (path: string) => (cause: unknown) => {
  throw fail('config.unreadable', `Cannot read ${path}.`, undefined, cause);
};
