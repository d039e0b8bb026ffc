import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import { MARK_VARIABLE, markLine, newMark } from '#kit/command-mark';
import { tell } from '#kit/text';
import { type CommandSpec, defineSandbox, type RunningCommand, type SandboxPlace } from '#spec/ports';
import { commandEnvironment } from './process/command-environment.ts';
import { cpuTime } from './process/cpu-time.ts';
import { type DeathWatch, openDeathWatch } from './process/death-watch.ts';
import { type ProcessTree, processTree } from './process/process-tree.ts';
import { readTail } from './process/read-tail.ts';
import { runningCommands } from './process/running-commands.ts';
import { CWD_PIPE, shellScript, toldFolder } from './process/shell-script.ts';
import { type ProcessPlan, startProcess } from './process/start-process.ts';
import { watchLimits } from './process/watch-limits.ts';

const Options = z.strictObject({
  working_dir: z.string().startsWith('/').optional(),
  /** More variables of the environment of Hermes that commands see. Names that look like keys never pass. */
  env: z.array(z.string()).default([]),
  /** Lets commands become somebody else, as `sudo` does. What becomes root can take off the mark of commands. */
  new_privileges: z.boolean().default(false),
});
type Options = z.infer<typeof Options>;

/** Commands as plain processes of this user. Nothing stands between them and this machine but the gate. */
export const sandbox = defineSandbox<Options>({
  type: 'local',
  options: Options,
  async available(_, place) {
    if (findShell(place)) return undefined;
    return {
      what: tell('There is no shell on this machine.', '本机没有 shell。'),
      fix: tell('Install bash.', '请安装 bash。'),
    };
  },
  async open(options, place) {
    const shell = findShell(place);
    if (!shell) throw fail('tool.failed', 'There is no shell on this machine.', 'Install bash.');
    const workspace = resolve(options.working_dir ?? place.workspace);
    const env = commandEnvironment(place.env ?? {}, options.env);
    const launcher = options.new_privileges ? [] : launcherIn(place);
    const commands = runningCommands(place.name);
    const watch = openDeathWatch(shell.path);
    return {
      name: place.name,
      workspace,
      isolation: 'none',
      network: true,
      start: (spec, signal) =>
        commands.add(() => start({ shell, launcher, workspace, env, place, deaths: watch }, spec, signal)),
      async readFile(path) {
        commands.assertOpen();
        return orFail(path, readFile(resolve(workspace, path)));
      },
      async writeFile(path, bytes) {
        commands.assertOpen();
        const target = resolve(workspace, path);
        await orFail(
          path,
          mkdir(dirname(target), { recursive: true }).then(() => writeFile(target, bytes)),
        );
      },
      async close() {
        await commands.close();
        watch.close();
      },
    };
  },
});

interface Here {
  readonly shell: { readonly name: 'bash' | 'sh'; readonly path: string };
  /** What stands before the shell. */
  readonly launcher: readonly string[];
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly place: SandboxPlace;
  readonly deaths: DeathWatch;
}

function start(here: Here, spec: CommandSpec, signal: AbortSignal): Promise<RunningCommand> {
  const { shell, workspace, place } = here;
  const marker = { name: MARK_VARIABLE, value: randomUUID() };
  const mark = newMark();
  const cwd = spec.cwd ?? workspace;
  const script = shellScript(spec.command, {
    shell: shell.name,
    cwd,
    fallback: workspace,
    limits: place.limits,
    ulimits: ['cpu', 'memory'],
    first: markLine(mark),
  });
  const [file, ...args] = [...here.launcher, shell.path, '-c', script];
  let tree: ProcessTree | undefined;
  let watch: { stop(): void } | undefined;
  let told = () => '';
  const plan: ProcessPlan = {
    file,
    args,
    env: { ...here.env, ...spec.env, [marker.name]: marker.value },
    cwd: '/',
    descriptors: ['pipe'],
    started(child, stop) {
      told = readTail(child, CWD_PIPE);
      tree = processTree(child.pid ?? -1, { variable: `${marker.name}=${marker.value}`, mark });
      watch = watchLimits(tree.now, place.limits, () => stop('memory'));
    },
    async sweep() {
      watch?.stop();
      await tree?.kill();
      here.deaths.remove(mark);
    },
    conclude: async (raw) => ({ ...raw, ...cpuTime(raw), cwd: toldFolder(told()) ?? cwd }),
  };
  here.deaths.add(mark);
  return startProcess(plan, spec, signal).catch((thrown: unknown) => {
    here.deaths.remove(mark);
    throw thrown;
  });
}

/**
 * Keeps commands from becoming anybody else, and takes from root's the power to lift limits: the mark on them stays.
 * Without `setpriv` that holds for ordinary users alone.
 */
function launcherIn(place: SandboxPlace): string[] {
  const setpriv = process.platform === 'linux' ? place.program('setpriv') : undefined;
  if (!setpriv) return [];
  const shed = ['--bounding-set=-sys_resource', '--inh-caps=-sys_resource'];
  // The shell itself dies with Hermes even before the mark is on it.
  const bound = ['--pdeathsig', 'KILL'];
  return [setpriv, '--no-new-privs', ...bound, ...(process.getuid?.() === 0 ? shed : []), '--'];
}

function findShell(place: SandboxPlace): Here['shell'] | undefined {
  for (const name of ['bash', 'sh'] as const) {
    const path = place.program(name);
    if (path) return { name, path };
  }
  return undefined;
}

async function orFail<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw fail('tool.failed', `${path}: ${why}`, undefined, thrown);
  }
}
