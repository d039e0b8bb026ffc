import type { LevelInstrument } from './instrument.ts';

/** `pod` is read as the name of what it belongs to: Deployment, StatefulSet, DaemonSet. */
const CONTAINERS = ['pod', 'container_label_com_docker_compose_service', 'container', 'name'];
const WORKLOADS = ['deployment', 'pod'];
const MACHINES = ['node', 'nodename', 'instance'];
/** Not the sums over a pod and over the machine, and not the container that only holds the network open. */
const REAL = 'container!="POD",image!=""';

const level = (
  metric: string,
  family: string,
  more: Partial<LevelInstrument> & Pick<LevelInstrument, 'as' | 'fold'>,
): LevelInstrument => ({ kind: 'level', metric, family, ...more });

const CADVISOR: readonly LevelInstrument[] = [
  level('cpu_usage', 'container_cpu_usage_seconds_total', {
    as: 'rate',
    fold: 'sum',
    where: REAL,
    services: CONTAINERS,
  }),
  level('cpu_throttled_ratio', 'container_cpu_cfs_throttled_periods_total', {
    as: 'rate',
    fold: 'sum',
    per: ['container_cpu_cfs_periods_total'],
    services: CONTAINERS,
  }),
  level('memory_bytes', 'container_memory_working_set_bytes', {
    as: 'gauge',
    fold: 'sum',
    where: REAL,
    services: CONTAINERS,
  }),
  level('memory_limit_ratio', 'container_memory_working_set_bytes', {
    as: 'gauge',
    fold: 'sum',
    per: ['container_spec_memory_limit_bytes'],
    where: REAL,
    services: CONTAINERS,
  }),
  level('network_receive_bytes_per_second', 'container_network_receive_bytes_total', {
    as: 'rate',
    fold: 'sum',
    services: CONTAINERS,
  }),
  level('network_transmit_bytes_per_second', 'container_network_transmit_bytes_total', {
    as: 'rate',
    fold: 'sum',
    services: CONTAINERS,
  }),
  level('network_packets_dropped_per_second', 'container_network_receive_packets_dropped_total', {
    as: 'rate',
    fold: 'sum',
    services: CONTAINERS,
  }),
  level('disk_read_bytes_per_second', 'container_fs_reads_bytes_total', {
    as: 'rate',
    fold: 'sum',
    services: CONTAINERS,
  }),
  level('disk_write_bytes_per_second', 'container_fs_writes_bytes_total', {
    as: 'rate',
    fold: 'sum',
    services: CONTAINERS,
  }),
];

const KUBERNETES: readonly LevelInstrument[] = [
  level('restarts', 'kube_pod_container_status_restarts_total', {
    as: 'increase',
    fold: 'sum',
    services: WORKLOADS,
  }),
  level('oom_killed', 'kube_pod_container_status_last_terminated_reason', {
    as: 'gauge',
    fold: 'sum',
    where: 'reason="OOMKilled"',
    services: WORKLOADS,
  }),
  level('crash_loop_containers', 'kube_pod_container_status_waiting_reason', {
    as: 'gauge',
    fold: 'sum',
    where: 'reason="CrashLoopBackOff"',
    services: WORKLOADS,
  }),
  level('ready_replicas', 'kube_deployment_status_replicas_ready', {
    as: 'gauge',
    fold: 'sum',
    services: WORKLOADS,
  }),
  level('replicas_missing', 'kube_deployment_status_replicas_unavailable', {
    as: 'gauge',
    fold: 'sum',
    services: WORKLOADS,
  }),
  level('deployment_generation', 'kube_deployment_metadata_generation', {
    as: 'gauge',
    fold: 'max',
    services: WORKLOADS,
  }),
];

const NODES: readonly LevelInstrument[] = [
  level('node_cpu_usage', 'node_cpu_seconds_total', {
    as: 'rate',
    fold: 'sum',
    where: 'mode!="idle",mode!="iowait"',
    services: MACHINES,
  }),
  level('node_load1', 'node_load1', { as: 'gauge', fold: 'max', services: MACHINES }),
  level('node_memory_bytes', 'node_memory_Active_bytes', {
    as: 'gauge',
    fold: 'sum',
    services: MACHINES,
  }),
  level('node_disk_free_share', 'node_filesystem_avail_bytes', {
    as: 'gauge',
    fold: 'min',
    per: ['node_filesystem_size_bytes'],
    where: 'fstype!~"tmpfs|overlay|squashfs"',
    services: MACHINES,
  }),
  level('certificate_seconds_until_expiry', 'probe_ssl_earliest_cert_expiry', {
    as: 'until',
    fold: 'min',
    services: ['service', 'app', 'instance'],
  }),
];

export const PLATFORM_INSTRUMENTS: readonly LevelInstrument[] = [...CADVISOR, ...KUBERNETES, ...NODES];
