import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandSpec, RunningCommand, SandboxPlace } from '#spec/ports';
import { cpuTime } from '../process/cpu-time.ts';
import { descendants, type ProcessEntry, processTable } from '../process/process-table.ts';
import { killProcess } from '../process/process-tree.ts';
import { readTail } from '../process/read-tail.ts';
import { CWD_PIPE, shellScript, toldFolder } from '../process/shell-script.ts';
import { calledOff, type ProcessPlan, startProcess } from '../process/start-process.ts';
import { watchLimits } from '../process/watch-limits.ts';
import type { EgressProxy } from './egress-proxy.ts';
import type { Identity } from './identity.ts';
import { boundProcesses } from './bound-processes.ts';
import { DESCRIPTORS, endRelay, firstProcess, sendArguments } from './launch.ts';
import { refuseLinks } from './refuse-links.ts';
import { relayPrefix } from './relay.ts';

/** All that is the same for every command of a sandbox. */
export interface Namespace {
  readonly bwrap: string;
  readonly shell: string;
  readonly place: SandboxPlace;
  readonly workspace: string;
  readonly identity: Identity;
  /** The filter of system calls. */
  readonly filterFile: string;
  /** The options of a `bwrap` for file operations, as `--args` takes them. */
  readonly argumentsFile: string;
  /** What is mounted from within the workspace, where another sandbox might have put a link by now. */
  readonly mountedFrom: readonly string[];
  optionsFor(env: Readonly<Record<string, string>>): string[];
  readonly proxy?: EgressProxy;
}

/** The command line of a `bwrap` that takes its options from a descriptor. */
export function commandLine(
  { identity, bwrap, shell, proxy }: Namespace,
  words: readonly string[],
  connected: boolean,
): string[] {
  const relay = connected && proxy ? relayPrefix(bwrap, shell, proxy.socket, DESCRIPTORS.relay) : [];
  const info = connected ? ['--info-fd', String(DESCRIPTORS.info)] : [];
  const options = ['--args', String(DESCRIPTORS.arguments), ...info];
  return [...identity.launcher, ...relay, bwrap, ...options, '--', ...words];
}

export async function startInNamespace(
  namespace: Namespace,
  spec: CommandSpec,
  signal: AbortSignal,
): Promise<RunningCommand> {
  if (signal.aborted) return calledOff(spec.cwd ?? namespace.workspace);
  refuseLinks(namespace.mountedFrom);
  const filter = await open(namespace.filterFile, 'r');
  try {
    return await startProcess(planFor(namespace, spec, filter.fd), spec, signal);
  } finally {
    await filter.close();
  }
}

function planFor(namespace: Namespace, spec: CommandSpec, filter: number): ProcessPlan {
  const { workspace, place, proxy } = namespace;
  const cwd = spec.cwd ?? workspace;
  const script = shellScript(spec.command, {
    shell: 'bash',
    cwd,
    fallback: workspace,
    limits: place.limits,
    ulimits: ['cpu', 'memory', 'processes'],
  });
  const [file = '', ...args] = commandLine(namespace, [namespace.shell, '-c', script], true);
  let told = () => '';
  let first: Promise<ProcessEntry | undefined> | undefined;
  let watch: { stop(): void } | undefined;
  let bound: { release(): void } | undefined;
  return {
    file,
    args,
    env: {},
    cwd: '/',
    descriptors: ['pipe', 'pipe', 'pipe', filter, ...(proxy ? (['pipe'] as const) : [])],
    started(child, stop) {
      told = readTail(child, CWD_PIPE);
      // It waits for its options: whatever comes from it will be within the bound.
      bound = boundProcesses(child.pid, place.limits.processes);
      sendArguments(child, namespace.optionsFor(spec.env ?? {}));
      first = firstProcess(child).then((pid) => processTable().find((entry) => entry.pid === pid));
      void first.then((entry) => {
        if (!entry || child.exitCode !== null) return;
        const now = () => descendants(processTable(), entry.pid);
        watch = watchLimits(now, place.limits, () => stop('memory'));
      });
    },
    async sweep(child) {
      await endNamespace(child, first);
      watch?.stop();
      endRelay(child);
      bound?.release();
    },
    conclude: async (raw) => ({ ...raw, ...cpuTime(raw), cwd: toldFolder(told()) ?? cwd }),
  };
}

const STOPPING_ROUNDS = 100;

/**
 * A `bwrap` that is killed while it makes its first process may leave that one behind, before it has learned to die with
 * its parent. So everything is stopped first: what is stopped starts nothing, and what it has started can be found.
 */
async function endLaunch(pid: number): Promise<void> {
  let found = descendants(processTable(), pid);
  for (let round = 0; round < STOPPING_ROUNDS && found.some(({ stopped }) => !stopped); round++) {
    for (const entry of found) if (!entry.stopped) killProcess(entry.pid, 'SIGSTOP');
    await delay(1);
    found = descendants(processTable(), pid);
  }
  for (const entry of found) killProcess(entry.pid);
  killProcess(pid);
}

/** The kernel ends a namespace with its first process; that one is gone only after all the others are. */
async function endNamespace(
  child: ChildProcess,
  first: Promise<ProcessEntry | undefined> | undefined,
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.pid) await endLaunch(child.pid);
  const root = await first;
  if (!root) return;
  const isSame = (entry: ProcessEntry) => entry.pid === root.pid && entry.startedAt === root.startedAt;
  while (processTable().some((entry) => isSame(entry) && !entry.dead)) {
    killProcess(root.pid);
    await delay(5);
  }
}
