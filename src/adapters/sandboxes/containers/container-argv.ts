import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail } from '#kit/app-error';
import type { SandboxPlace } from '#spec/ports';
import type { ContainerOptions } from './container-options.ts';
import { isInside, WORKSPACE } from './mounts.ts';

/** A container ends by itself after a day, should nobody be left to remove it. */
const LIFETIME_SECONDS = 86_400;
const TMP_MB = 512;
const OPEN_FILES = 4_096;
const USER_PROCESSES = 4_096;
/** Process 1, its sleep, and the shells above the commands. */
const OWN_PROCESSES = 4;

/** The engine's own part of the arguments: what not all engines understand. */
export interface EngineDialect {
  readonly program: 'docker' | 'podman';
  /** Asks the engine whether it runs without root; it then says `true`, or `name=rootless` among other things. */
  readonly rootlessProbe: readonly string[];
  /** Arguments of `run` for an engine that runs without root. */
  readonly rootlessArgs: readonly string[];
}

export interface ContainerPlan {
  readonly name: string;
  readonly user: string;
  readonly options: ContainerOptions;
  readonly place: Pick<SandboxPlace, 'name' | 'workspace' | 'hidden' | 'limits'>;
  readonly rootless: boolean;
}

/** The arguments that start the container of one conversation. */
export function runArgs(dialect: EngineDialect, plan: ContainerPlan): string[] {
  const { options, place } = plan;
  const memory = `${options.memory ?? place.limits.memoryMb}m`;
  const processes = (options.pids ?? place.limits.processes) + OWN_PROCESSES;
  return [
    ...['run', '--detach', '--rm', '--name', plan.name, '--label', `hermes.sandbox=${place.name}`],
    ...['--hostname', 'hermes', '--stop-timeout', '0', '--log-driver', 'none'],
    ...['--network', options.network],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--user', plan.user, ...(plan.rootless ? dialect.rootlessArgs : [])],
    ...['--pids-limit', String(processes)],
    ...['--memory', memory, '--memory-swap', memory],
    ...(options.cpus === undefined ? [] : ['--cpus', String(options.cpus)]),
    ...['--ulimit', 'core=0:0', '--ulimit', `nofile=${OPEN_FILES}:${OPEN_FILES}`],
    ...['--ulimit', nproc(plan.rootless ? processes : USER_PROCESSES)],
    ...['--read-only', '--tmpfs', `/tmp:rw,nosuid,nodev,exec,mode=1777,size=${TMP_MB}m`],
    ...mountArgs(plan),
    ...['--workdir', WORKSPACE, '--entrypoint', 'sh'],
    ...['--env', 'HOME=/tmp', '--env', 'LANG=C.UTF-8', '--env', 'TERM=dumb'],
    ...[options.image, '-c', `sleep ${LIFETIME_SECONDS} & wait`],
  ];
}

/**
 * The kernel counts all processes of a user, in other containers too; only where the container has users of its own can
 * this be the limit. There it has to be: without root and with the first generation of control groups, the engine
 * ignores the others.
 */
const nproc = (count: number): string => `nproc=${count}:${count}`;

function mountArgs({ options, place }: ContainerPlan): string[] {
  const mounts = [
    { source: place.workspace, target: WORKSPACE, readonly: false },
    ...options.mounts.map((mount) => ({ ...mount, readonly: true })),
  ];
  for (const { source } of options.mounts) {
    const hides = place.hidden.find((hidden) => isInside(source, hidden));
    if (hides !== undefined) {
      throw fail('config.invalid', `The mount of ${source} would show ${hides}, which no command may see.`);
    }
  }
  return mounts.flatMap((mount) => [
    ...['--mount', bind(mount.source, mount.target, mount.readonly)],
    ...place.hidden
      .filter((path) => path !== mount.source && isInside(path, mount.source))
      .flatMap(mask(mount)),
  ]);
}

function bind(source: string, target: string, readonly: boolean): string {
  for (const path of [source, target]) {
    // The engines read this argument as a line of comma-separated values.
    if (/[,"\n]/.test(path)) throw fail('config.invalid', `A container cannot mount the path ${path}.`);
  }
  return `type=bind,source=${source},target=${target}${readonly ? ',readonly' : ''}`;
}

/** An empty folder, or an empty file, in the place of what must not be seen. */
const mask =
  (mount: { readonly source: string; readonly target: string }) =>
  (hidden: string): string[] => {
    if (!existsSync(hidden)) return [];
    const target = join(mount.target, relative(mount.source, hidden));
    if (!statSync(hidden).isDirectory()) return ['--mount', bind('/dev/null', target, true)];
    return ['--tmpfs', `${target}:ro,size=4k,mode=0`];
  };

/** Who commands run as: never root, unless the options say so in as many words. */
export function containerUser(options: ContainerOptions, workspace: string): string {
  if (options.user !== undefined) return options.user;
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return `${uid}:${gid}`;
  const owner = statSync(workspace);
  if (owner.uid !== 0) return `${owner.uid}:${owner.gid}`;
  throw fail(
    'config.invalid',
    `The workspace ${workspace} belongs to root, and commands in a container do not run as root.`,
    "Give the folder to an ordinary user (chown), or write user: '0:0' in the options of the backend.",
  );
}
