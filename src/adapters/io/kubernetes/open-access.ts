import { readFile } from 'node:fs/promises';
import { fail } from '#kit/app-error';
import type { ExecutorPlace } from '#spec/ports';
import type { KubeSettings } from './kube-settings.ts';
import { type KubeAccess, readKubeconfig } from './read-kubeconfig.ts';

export async function openAccess(settings: KubeSettings, place: ExecutorPlace): Promise<KubeAccess> {
  const { api_url, kubeconfig, token_file, ca_file, namespace } = settings;
  if (api_url === undefined) {
    const access = await readKubeconfig(kubeconfig ?? '');
    return namespace === undefined ? access : { ...access, namespace };
  }
  const read = (path: string) =>
    readFile(path, 'utf8').catch((cause: unknown) => {
      throw fail('config.unreadable', `Cannot read ${path}.`, undefined, cause);
    });
  return {
    url: api_url,
    namespace: namespace ?? 'default',
    tls: { ca: ca_file === undefined ? undefined : await read(ca_file) },
    token: async () =>
      token_file === undefined ? place.key(settings.token_key) : (await read(token_file)).trim(),
  };
}
