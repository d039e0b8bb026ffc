import { defineExecutor } from '#spec/ports';
import { KubeSettings } from '#adapters/io/kubernetes/kube-settings';
import { kubernetesExecutor } from './kubernetes-executor.ts';

/** Carries actions out on Deployments and ConfigMaps, through the API server. */
export const executor = defineExecutor<KubeSettings>({
  name: 'kubernetes',
  settings: KubeSettings,
  missing: ({ api_url, token_file, token_key }, place) =>
    api_url === undefined || token_file !== undefined || place.key(token_key)
      ? undefined
      : {
          what: `Neither the key ${token_key} nor a token_file is set.`,
          fix: `Put the token of a service account into ${token_key}, or name a token_file or a kubeconfig.`,
        },
  open: kubernetesExecutor,
});
