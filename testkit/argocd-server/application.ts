/** An application as Argo CD's API gives it, as far as clients of a rollback read it. */
export interface ArgoApplication {
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: {
    project: string;
    source: ArgoSource;
    destination: { server: string; namespace: string };
    syncPolicy?: { automated?: { prune?: boolean; selfHeal?: boolean; enabled?: boolean } };
  };
  /** An operation that was asked for and has not ended. */
  operation?: ArgoOperation;
  status: {
    sync: { status: 'Synced' | 'OutOfSync' | 'Unknown'; revision: string };
    health: { status: string };
    history: ArgoDeployment[];
    operationState?: ArgoOperationState;
    summary: { images: string[]; externalURLs?: string[] };
    resources: ArgoResource[];
    reconciledAt: string;
  };
}

export interface ArgoSource {
  repoURL: string;
  path: string;
  targetRevision: string;
  kustomize?: { images?: string[] };
}

interface ArgoDeployment {
  id: number;
  revision: string;
  deployStartedAt: string;
  deployedAt: string;
  source: ArgoSource;
  initiatedBy: { username?: string; automated?: boolean };
}

export interface ArgoOperation {
  sync: { revision: string; dryRun?: boolean; prune?: boolean; source?: ArgoSource };
  initiatedBy: { username?: string; automated?: boolean };
  info?: { name: string; value: string }[];
}

interface ArgoOperationState {
  operation: ArgoOperation;
  phase: 'Running' | 'Succeeded' | 'Failed' | 'Error' | 'Terminating';
  message: string;
  startedAt: string;
  finishedAt?: string;
  syncResult?: { revision: string; source: ArgoSource; resources: object[] };
}

export interface ArgoResource {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  status: string;
  health: { status: string };
}

/** A refusal in the shape of the API: an HTTP status and a gRPC code. */
export class ArgoRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  body(): object {
    return { error: this.message, code: this.code, message: this.message };
  }
}
