import * as disk from './machine-readings/disk-topics.ts';
import * as kernel from './machine-readings/kernel-topics.ts';
import * as network from './machine-readings/network-topics.ts';
import * as outside from './machine-readings/outside-topics.ts';
import * as people from './machine-readings/people-topics.ts';
import * as process from './machine-readings/process-topics.ts';
import * as service from './machine-readings/service-topics.ts';
import * as system from './machine-readings/system-topics.ts';
import type { MachineTopic, Slots } from './machine-readings/topic.ts';

export type { MachineTopic, Slots };

/** What can be asked about this machine, by the id of `# reading ID` in `phrases/readings.txt`. */
export const MACHINE_TOPICS: Readonly<Record<string, MachineTopic>> = {
  memory: system.memory,
  load: system.load,
  uptime: system.uptime,
  os: system.os,
  cpu: kernel.cpu,
  time: system.time,
  temperature: kernel.temperature,
  gpu: kernel.gpu,
  limits: system.limits,
  'open-files': system.openFiles,
  'access-control': kernel.accessControl,
  updates: system.updates,
  package: system.packageVersion,
  'io-wait': system.ioWait,
  'disk-space': disk.diskSpace,
  inodes: disk.inodes,
  mounts: disk.mounts,
  'largest-folders': disk.largestFolders,
  'large-files': disk.largeFiles,
  'deleted-files': disk.deletedFiles,
  'block-devices': disk.blockDevices,
  'top-cpu': process.topCpu,
  'top-memory': process.topMemory,
  service: process.service,
  process: process.processByPid,
  zombies: process.zombies,
  containers: process.containers,
  'failed-units': service.failedUnits,
  services: service.services,
  schedule: service.schedule,
  errors: service.errors,
  'kernel-log': service.kernelLog,
  oom: service.oom,
  'unit-log': service.unitLog,
  'log-file': service.logFile,
  ports: network.ports,
  port: network.port,
  connections: network.connections,
  addresses: network.addresses,
  routes: network.routes,
  'dns-config': network.dnsConfig,
  interfaces: network.interfaces,
  firewall: network.firewall,
  resolve: outside.resolve,
  reach: outside.reach,
  http: outside.http,
  certificate: outside.certificate,
  sessions: people.sessions,
  logins: people.logins,
  users: people.users,
};
