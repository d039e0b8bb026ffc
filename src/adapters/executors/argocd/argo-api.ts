import { z } from 'zod';
import type { ExecutionOrder } from '#spec/ports';
import { openTarget } from '#adapters/io/http/open-target';
import { Application, type Resource } from '#adapters/io/argo-objects';

export interface ArgoSettings {
  readonly base_url: string;
  readonly token_key: string;
  readonly application: string;
  readonly applications: Readonly<Record<string, string>>;
  readonly project?: string | undefined;
  readonly timeout_ms: number;
  readonly wait_ms: number;
  readonly settle_ms: number;
}

const Metadata = z.looseObject({ message: z.string().default(''), tags: z.array(z.string()).nullish() });
const Listed = z.looseObject({ items: z.array(z.unknown()).nullish(), metadata: z.unknown() });
export type RevisionMetadata = z.infer<typeof Metadata>;

export interface ArgoApi {
  application(name: string, signal: AbortSignal): Promise<Application>;
  /** What the repository says of a revision. */
  metadata(name: string, revision: string, signal: AbortSignal): Promise<RevisionMetadata>;
  /** The manifest of a resource as it is in the cluster, as JSON text. */
  manifest(name: string, resource: Resource, signal: AbortSignal): Promise<string>;
  /** Whether the applications may be listed. */
  reach(signal: AbortSignal): Promise<void>;
  rollback(name: string, id: number, order: ExecutionOrder): Promise<void>;
  restart(name: string, resource: Resource, order: ExecutionOrder): Promise<void>;
}

export function argoApi(settings: ArgoSettings, token: string): ArgoApi {
  const target = openTarget({
    name: 'Argo CD',
    baseUrl: settings.base_url,
    token: () => Promise.resolve(token),
    timeoutMs: settings.timeout_ms,
    credential: settings.token_key,
  });
  const project: Record<string, string> = settings.project === undefined ? {} : { project: settings.project };
  const path = (name: string, rest = '', more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...project, ...more }).toString();
    return `/api/v1/applications/${encodeURIComponent(name)}${rest}${query ? `?${query}` : ''}`;
  };
  const about = ({ namespace = '', name, version = 'v1', group = '', kind }: Resource) => ({
    namespace,
    resourceName: name,
    version,
    group,
    kind,
  });
  return {
    application: (name, signal) => target.read(Application, { method: 'GET', path: path(name) }, signal),
    metadata: (name, revision, signal) =>
      target.read(
        Metadata,
        { method: 'GET', path: path(name, `/revisions/${encodeURIComponent(revision)}/metadata`) },
        signal,
      ),
    manifest: async (name, resource, signal) => {
      const call = { method: 'GET', path: path(name, '/resource', about(resource)) } as const;
      return (await target.read(z.looseObject({ manifest: z.string() }), call, signal)).manifest;
    },
    reach: async (signal) => {
      const query = new URLSearchParams({ ...project, fields: 'items.metadata.name' });
      await target.read(Listed, { method: 'GET', path: `/api/v1/applications?${query}` }, signal);
    },
    rollback: async (name, id, order) => {
      const body = { id, dryRun: false, prune: false, ...project };
      await target.act(Application, { method: 'POST', path: path(name, '/rollback'), body }, order);
    },
    restart: async (name, resource, order) => {
      const call = {
        method: 'POST',
        path: path(name, '/resource/actions', about(resource)),
        body: 'restart',
      } as const;
      await target.act(z.unknown(), call, order);
    },
  };
}

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
