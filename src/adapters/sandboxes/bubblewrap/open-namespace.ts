import { chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';
import type { Sandbox, SandboxPlace } from '#spec/ports';
import { commandEnvironment } from '../process/command-environment.ts';
import { runningCommands } from '../process/running-commands.ts';
import { checkBarriers } from './check-barriers.ts';
import { isInside } from './covered-paths.ts';
import { type Identity, identityFor } from './identity.ts';
import { BARRIERS, environmentArguments } from './launch.ts';
import { type MountPlan, mountArguments, SANDBOX_HOME } from './mount-arguments.ts';
import { namespaceFiles } from './run-in-namespace.ts';
import { type EgressProxy, openEgressProxy } from './egress-proxy.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { type Namespace, startInNamespace } from './start-in-namespace.ts';
import { holdsSystem } from './system-mounts.ts';

interface NamespaceOptions {
  readonly working_dir?: string | undefined;
  readonly network: boolean | { readonly allow: readonly string[] };
  readonly read: readonly string[];
}

/** Opens the sandbox and proves on a first command that its barriers hold; refuses where they do not. */
export async function openNamespace(options: NamespaceOptions, place: SandboxPlace): Promise<Sandbox> {
  const programs = requirePrograms(place);
  const filter = requireFilter();
  const workspace = await realpath(resolve(options.working_dir ?? place.workspace));
  // What is not there, or not for us to look up, is hidden under the name that it has.
  const hidden = await Promise.all(place.hidden.map((path) => realpath(path).catch(() => path)));
  const tooMuch = options.read.find(holdsSystem);
  if (tooMuch !== undefined)
    throw fail(
      'config.invalid',
      tell(`read: ${tooMuch} holds the system itself.`, `read:${tooMuch} 包含系统本身。`),
    );
  if (holdsSystem(workspace) || hidden.includes(workspace)) {
    throw fail(
      'tool.failed',
      tell(`${workspace} cannot be a workspace.`, `${workspace} 不能用作工作目录。`),
      tell('Start in a folder of a project.', '请在项目的目录中启动。'),
    );
  }
  const identity = await identityFor(workspace, place);
  const own = await ownFolder(identity);
  const closers: (() => Promise<unknown>)[] = [
    () => rm(own, { recursive: true, force: true, maxRetries: 3 }),
  ];
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    const proxy =
      typeof options.network === 'object'
        ? await openEgressProxy(own, { allow: options.network.allow, place })
        : undefined;
    if (proxy) closers.push(() => proxy.close());
    const env = commandEnv(place, proxy);
    const fixed = [
      ...BARRIERS,
      ...identity.options,
      ...networkOptions(options),
      ...mounts(options, place, {
        workspace,
        own,
        identity,
        hidden,
      }),
    ];
    const namespace: Namespace = {
      ...programs,
      place,
      workspace,
      identity,
      filterFile: join(own, 'filter'),
      argumentsFile: join(own, 'arguments'),
      mountedFrom: fixed.filter((word, at) => isBind(fixed[at - 1]) && isInside(word, workspace)),
      optionsFor: (more) => [...fixed, ...environmentArguments({ ...env, ...more })],
      ...(proxy ? { proxy } : {}),
    };
    await writeFile(namespace.filterFile, filter);
    await writeFile(
      namespace.argumentsFile,
      namespace
        .optionsFor({})
        .map((word) => `${word}\0`)
        .join(''),
    );
    await checkBarriers(namespace);
    return sandboxOf(namespace, options.network !== false, closeAll);
  } catch (thrown) {
    await closeAll();
    throw thrown;
  }
}

const isBind = (option: string | undefined): boolean => option === '--bind' || option === '--ro-bind';

/** With a list of hosts, the network is that of the relay. */
const networkOptions = ({ network }: NamespaceOptions): string[] =>
  network === false ? ['--unshare-net'] : [];

function mounts(
  { read, network }: NamespaceOptions,
  place: SandboxPlace,
  known: Pick<MountPlan, 'workspace' | 'own' | 'identity' | 'hidden'>,
): string[] {
  return mountArguments({
    ...known,
    read,
    userHome: place.env?.HOME,
    searchPath: place.env?.PATH ?? '',
    withResolver: network === true,
  });
}

function sandboxOf(namespace: Namespace, network: boolean, closeAll: () => Promise<void>): Sandbox {
  const { place, workspace } = namespace;
  const commands = runningCommands(place.name);
  const start: Sandbox['start'] = (spec, signal) =>
    commands.add(() => startInNamespace(namespace, spec, signal));
  return {
    name: place.name,
    workspace,
    isolation: 'process',
    network,
    start,
    ...namespaceFiles(namespace, commands.assertOpen),
    async close() {
      if (await commands.close()) await closeAll();
    },
  };
}

function requirePrograms(place: SandboxPlace): { readonly bwrap: string; readonly shell: string } {
  const bwrap = place.program('bwrap');
  if (!bwrap)
    throw fail(
      'tool.failed',
      tell('bubblewrap is not installed.', '没有安装 bubblewrap。'),
      tell('Install the package bubblewrap.', '请安装软件包 bubblewrap。'),
    );
  const shell = place.program('bash');
  if (!shell)
    throw fail(
      'tool.failed',
      tell('There is no bash on this machine.', '本机没有 bash。'),
      tell('Install bash.', '请安装 bash。'),
    );
  return { bwrap, shell };
}

/** A folder of the one whom commands run as, with what they share beside the workspace. */
async function ownFolder({ owner }: Identity): Promise<string> {
  const own = await realpath(await mkdtemp(join(tmpdir(), 'hermes-bwrap-')));
  const folders = [own, join(own, 'tmp'), join(own, 'home')];
  for (const folder of folders) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0) await chown(folder, owner.uid, owner.gid);
  }
  return own;
}

function requireFilter(): Uint8Array {
  const filter = seccompFilter(process.arch);
  if (filter) return filter;
  throw fail(
    'tool.failed',
    tell(
      `There is no system call filter for ${process.arch}.`,
      `没有适用于 ${process.arch} 的系统调用过滤器。`,
    ),
    tell('Use a container instead.', '请改用容器。'),
  );
}

function commandEnv(place: SandboxPlace, proxy: EgressProxy | undefined): Record<string, string> {
  return {
    ...commandEnvironment(place.env ?? {}),
    HOME: SANDBOX_HOME,
    TMPDIR: '/tmp',
    USER: 'hermes',
    LOGNAME: 'hermes',
    HOSTNAME: 'sandbox',
    ...proxy?.env,
  };
}
