export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface KubeMeta {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller: boolean }[];
}

/** Any object of the API, as JSON. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: KubeMeta;
  [part: string]: unknown;
}

export interface PodTemplate {
  metadata: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: { name: string; image: string; [part: string]: unknown }[]; [part: string]: unknown };
}

/** A Deployment or a ReplicaSet. */
export interface Workload extends KubeObject {
  spec: {
    replicas: number;
    selector: { matchLabels: Record<string, string> };
    template: PodTemplate;
    revisionHistoryLimit?: number;
    paused?: boolean;
  };
  status: Record<string, unknown>;
}

/** The resources that the API has, with the kind of their objects and the group they are in. */
export const RESOURCES: Readonly<Record<string, { kind: string; apiVersion: string }>> = {
  deployments: { kind: 'Deployment', apiVersion: 'apps/v1' },
  replicasets: { kind: 'ReplicaSet', apiVersion: 'apps/v1' },
  pods: { kind: 'Pod', apiVersion: 'v1' },
  configmaps: { kind: 'ConfigMap', apiVersion: 'v1' },
  events: { kind: 'Event', apiVersion: 'v1' },
};

export const REVISION = 'deployment.kubernetes.io/revision';
export const HASH_LABEL = 'pod-template-hash';

export const clone = <T>(value: T): T => structuredClone(value);
