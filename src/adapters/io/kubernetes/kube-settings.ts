import { z } from 'zod';
import { SecureUrl } from '../secure-url.ts';

/** Names of the API: what cannot leave its place in a path. */
export const KubeName = z
  .string()
  .regex(/^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/, 'is not a name of Kubernetes');

export const KubeSettings = z
  .strictObject({
    api_url: SecureUrl.optional(),
    /** Instead of `api_url`: its current context, with a token or a client certificate. Programs in it are not run. */
    kubeconfig: z.string().min(1).optional(),
    token_key: z.string().default('KUBERNETES_TOKEN'),
    /** Read again for every request, because such tokens are exchanged. */
    token_file: z.string().min(1).optional(),
    ca_file: z.string().min(1).optional(),
    namespace: KubeName.optional(),
    /** Further namespaces that an action may name. */
    namespaces: z.array(KubeName).default([]),
    /** The deployment of a service, where it has another name. */
    deployments: z.record(z.string(), KubeName).default({}),
    /** `{service}` stands for the name of the deployment. */
    config_map: z.string().default('{service}-config'),
    config_maps: z.record(z.string(), KubeName).default({}),
    rate_limit_key: z.string().default('rate_limit_rps'),
    timeout_ms: z.number().int().min(10).max(300_000).default(15_000),
    settle_ms: z.number().int().min(0).max(60_000).default(2_000),
  })
  .refine(({ api_url, kubeconfig }) => (api_url === undefined) !== (kubeconfig === undefined), {
    message: 'needs either api_url or kubeconfig',
  });
export type KubeSettings = z.infer<typeof KubeSettings>;
