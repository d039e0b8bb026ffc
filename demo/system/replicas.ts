import type { ServiceName } from './service-names.ts';

export type NodeName = 'node-1' | 'node-2' | 'node-3';

/** One replica of a service, and the machine that it runs on. The process of a service plays all of its replicas. */
export interface Replica {
  readonly pod: string;
  readonly node: NodeName;
}

/** The machines of each service, which its replicas take in turn. Any two services share one machine and not the other. */
const NODES: Readonly<Record<ServiceName, readonly [NodeName, NodeName]>> = {
  'payment-service': ['node-1', 'node-2'],
  'order-service': ['node-2', 'node-3'],
  'coupon-service': ['node-3', 'node-1'],
};

const replica = (service: ServiceName, at: number): Replica => ({
  pod: `${service}-${at}`,
  node: NODES[service][at % 2 === 0 ? 0 : 1],
});

export const replicasOf = (service: ServiceName, count: number): Replica[] =>
  Array.from({ length: Math.max(1, count) }, (_, at) => replica(service, at));

/** The replica that serves the next request: each its share. */
export const pickReplica = (service: ServiceName, count: number): Replica =>
  replica(service, Math.floor(Math.random() * Math.max(1, count)));
