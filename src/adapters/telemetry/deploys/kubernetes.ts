import { z } from 'zod';
import { defineTelemetry } from '#spec/ports';
import { kubernetesChanges } from './kubernetes-changes.ts';
import { serviceNames } from './service-names.ts';
import { openTarget } from '#adapters/io/http/open-target';
import { SecureUrl } from '#adapters/io/secure-url';
import { KubeName, KubeSettings } from '#adapters/io/kubernetes/kube-settings';
import { openAccess } from '#adapters/io/kubernetes/open-access';
import { probeNamespace } from '#adapters/io/kubernetes/probe-namespace';
import { missingKey } from '../wire/connection-settings.ts';

const Settings = z
  .strictObject({
    api_url: SecureUrl.optional(),
    /** Instead of `api_url`: its current context, with a token or a client certificate. Programs in it are not run. */
    kubeconfig: z.string().min(1).optional(),
    token_key: z.string().min(1).default('KUBERNETES_TOKEN'),
    token_file: z.string().min(1).optional(),
    ca_file: z.string().min(1).optional(),
    /** That of the context, or `default`, unless told. */
    namespaces: z.array(KubeName).default([]),
    /** The deployment of a service, where it has another name. */
    services: z.record(z.string().min(1), KubeName).default({}),
    timeout_seconds: z.number().positive().max(300).default(15),
  })
  .refine(({ api_url, kubeconfig }) => (api_url === undefined) !== (kubeconfig === undefined), {
    message: 'needs either api_url or kubeconfig',
  });

/** Revisions of Deployments in Kubernetes. */
export const telemetry = defineTelemetry({
  name: 'kubernetes',
  settings: Settings,
  missing: ({ api_url, token_key, token_file }, place) =>
    api_url === undefined || token_file !== undefined ? undefined : missingKey({ token_key }, place),
  async open(settings, place) {
    const { namespaces, services, timeout_seconds, ...where } = settings;
    const access = await openAccess(KubeSettings.parse(where), place);
    const target = openTarget({
      name: 'Kubernetes',
      baseUrl: access.url,
      token: access.token,
      tls: access.tls,
      timeoutMs: timeout_seconds * 1_000,
      credential: settings.kubeconfig ?? settings.token_file ?? settings.token_key,
    });
    const looked = namespaces.length ? namespaces : [access.namespace];
    return {
      changes: kubernetesChanges({ target, namespaces: looked, names: serviceNames(services) }),
      probe: async (signal) => {
        await Promise.all(looked.map((namespace) => probeNamespace(target, namespace, signal)));
        return { state: 'reached' };
      },
      close: () => Promise.resolve(),
    };
  },
});
