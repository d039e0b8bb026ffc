import { z } from 'zod';
import type { ArgoApi } from './argo-api.ts';
import type { Resource } from '#adapters/io/argo-objects';

const Manifest = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).nullish() }).nullish(),
    }),
  }),
});

/** When a deployment was last restarted on purpose: null for never, `unknown` where it is not told. */
export async function restartedAt(
  api: ArgoApi,
  application: string,
  deployment: Resource,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const manifest = Manifest.parse(JSON.parse(await api.manifest(application, deployment, signal)));
    return manifest.spec.template.metadata?.annotations?.['kubectl.kubernetes.io/restartedAt'] ?? null;
  } catch (cause) {
    if (signal.aborted) throw cause;
    return 'unknown';
  }
}
