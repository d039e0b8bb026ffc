import { tell } from '#kit/text';
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
          what: tell(
            `Neither the key ${token_key} nor a token_file is set.`,
            `密钥 ${token_key} 与 token_file 均未设置。`,
          ),
          fix: tell(
            `Put the token of a service account into ${token_key}, or name a token_file or a kubeconfig.`,
            `将服务账号的令牌写入 ${token_key},或指定 token_file 或 kubeconfig。`,
          ),
        },
  open: kubernetesExecutor,
});
