/** How OpenTelemetry, Kubernetes and Prometheus call the machine that something runs on, the surest first. */
const MACHINE_KEYS = [
  'k8s.node.name',
  'host.name',
  'node',
  'nodename',
  'kubernetes_node',
  'hostname',
  'host',
  'instance',
];

const REPLICA_KEYS = ['k8s.pod.name', 'pod'];

const isOf = (keys: readonly string[], key: string): boolean =>
  keys.some((known) => key === known || key === known.replaceAll('.', '_'));

/** Whether an attribute or a label names a machine. */
export const namesMachine = (key: string): boolean => isOf(MACHINE_KEYS, key);

/** Whether it names one of the replicas of a service. */
export const namesReplica = (key: string): boolean => isOf(REPLICA_KEYS, key);

/** The machine that attributes or labels name, without the port of whoever listens on it. */
export function machineName(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const [found] = MACHINE_KEYS.flatMap((key) => {
    const value = attributes[key] ?? attributes[key.replaceAll('.', '_')];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return found?.replace(/:\d+$/, '');
}
