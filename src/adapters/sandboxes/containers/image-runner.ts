import { existsSync } from 'node:fs';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';
import {
  type CommandSpec,
  defineSandbox,
  type Sandbox,
  type SandboxKind,
  type SandboxPlace,
} from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { processTree } from '../process/process-tree.ts';
import { runningCommands } from '../process/running-commands.ts';
import { calledOff } from '../process/start-process.ts';
import { commandMark, commandVariables, newCommandKey, SUPERVISOR } from './command-script.ts';
import { engineCli } from './engine-cli.ts';
import { readScript, writeScript } from './file-scripts.ts';
import { isInside, WORKSPACE } from './mounts.ts';
import { superviseCommand } from './supervised-command.ts';

const AbsolutePath = z.string().startsWith('/', 'must be an absolute path');

/** The options of `singularity` and `apptainer` in `backends.yaml`. */
const ImageOptions = z.strictObject({
  /** A file, or an address such as `docker://debian:stable-slim`. */
  image: z.string().min(1),
  network: z.enum(['none', 'host']).default('none'),
  /** Needs control groups of the second generation, or root. */
  memory: z.string().optional(),
  cpus: z.number().positive().optional(),
  pids: z.number().int().min(16).optional(),
  mounts: z.array(z.strictObject({ source: AbsolutePath, target: AbsolutePath })).default([]),
});
type ImageOptions = z.infer<typeof ImageOptions>;

const PROBE_MS = 10_000;
const CALL_MS = 60_000;

/** The arguments of one `exec`: everything of this machine is left out but what is bound. */
function imageArgs(options: ImageOptions, place: Pick<SandboxPlace, 'workspace' | 'hidden'>): string[] {
  for (const { source } of options.mounts) {
    const hides = place.hidden.find((path) => isInside(source, path) || isInside(path, source));
    if (hides !== undefined) throw fail('config.invalid', `The mount of ${source} would show ${hides}.`);
  }
  const within = place.hidden.find((path) => path !== place.workspace && isInside(path, place.workspace));
  if (within !== undefined) {
    throw fail(
      'config.invalid',
      `The workspace ${place.workspace} would show ${within}, which no command may see.`,
    );
  }
  const binds = [
    `${place.workspace}:${WORKSPACE}`,
    ...options.mounts.map(({ source, target }) => `${source}:${target}:ro`),
  ];
  const odd = binds.find((bind) => bind.includes(',') || bind.split(':').length > 3);
  if (odd !== undefined) throw fail('config.invalid', `A container cannot mount ${odd}.`);
  return [
    ...['exec', '--containall', '--cleanenv', '--no-home', '--no-privs'],
    ...(options.network === 'none' ? ['--net', '--network', 'none'] : []),
    ...(options.memory === undefined ? [] : ['--memory', options.memory]),
    ...(options.cpus === undefined ? [] : ['--cpus', String(options.cpus)]),
    ...(options.pids === undefined ? [] : ['--pids-limit', String(options.pids)]),
    ...binds.flatMap((bind) => ['--bind', bind]),
    ...['--pwd', WORKSPACE, options.image],
  ];
}

/** Each command has a container of its own here, whose processes end with it. */
async function openImage(
  program: string,
  prefix: string,
  options: ImageOptions,
  place: SandboxPlace,
): Promise<Sandbox> {
  const path = place.program(program);
  if (path === undefined) throw fail('tool.failed', `The program ${program} is not installed.`);
  const cli = engineCli(path);
  const args = imageArgs(options, place);
  const commands = runningCommands(place.name);
  const carried = (variables: Record<string, string>) =>
    Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${prefix}${name}`, value]));

  const start = async (spec: CommandSpec, signal: AbortSignal) => {
    if (signal.aborted) return calledOff(spec.cwd ?? WORKSPACE);
    const key = newCommandKey();
    const { cpuSeconds, memoryMb } = place.limits;
    const limits = [`ulimit -c 0; ulimit -d ${memoryMb * 1024}`];
    const variables = commandVariables(spec, key, {
      workspace: WORKSPACE,
      cpuSeconds,
      strays: false,
      limits,
    });
    const exec = await cli.start({
      args: [...args, 'sh', '-c', SUPERVISOR],
      env: carried(variables),
      input: spec.input,
      conclude: (end) => Promise.resolve(end),
      kill: async ({ pid }) => {
        if (pid !== undefined)
          await processTree(pid, { variable: `HERMES_COMMAND=${commandMark(key.id)}` }).kill();
      },
    });
    return superviseCommand(exec, spec, signal, { token: key.token, workspace: WORKSPACE, place });
  };
  const transfer = async (script: string, target: string, input?: Uint8Array): Promise<Uint8Array> => {
    commands.assertOpen();
    const answer = await cli.run([...args, 'sh', '-c', script, 'sh', target], {
      timeoutMs: CALL_MS,
      ...(input ? { input } : {}),
    });
    if (answer.code !== 0) throw fail('tool.failed', `${target}: ${answer.stderr.trim()}`);
    return answer.stdout;
  };
  return {
    name: place.name,
    workspace: WORKSPACE,
    isolation: 'container',
    network: options.network !== 'none',
    start: (spec, signal) => commands.add(() => start(spec, signal)),
    readFile: (target) => transfer(readScript, target),
    writeFile: async (target, bytes) => {
      await transfer(writeScript, target, bytes);
    },
    close: async () => {
      await commands.close();
    },
  };
}

/** A kind of sandbox that runs an image file with the command line of Singularity. */
export function imageKind(program: 'singularity' | 'apptainer'): SandboxKind {
  const prefix = `${program.toUpperCase()}ENV_`;
  return defineSandbox<ImageOptions>({
    type: program,
    options: ImageOptions,
    available: async ({ image }, place) => {
      const path = place.program(program);
      if (path === undefined) {
        return {
          what: tell(`The program ${program} is not installed.`, `没有安装程序 ${program}。`),
          fix: tell(`Install ${program}.`, `请安装 ${program}。`),
        };
      }
      if (image.startsWith('/') && !existsSync(image)) {
        return {
          what: tell(`There is no image ${image}.`, `没有镜像 ${image}。`),
          fix: tell(
            `Build it with: ${program} build ${image} docker://debian`,
            `用这条命令构建:${program} build ${image} docker://debian`,
          ),
        };
      }
      const answer = await engineCli(path)
        .run(['--version'], { timeoutMs: PROBE_MS })
        .catch(goOnWithout(place, `asking whether ${program} answers`));
      if (answer?.code === 0) return undefined;
      return {
        what: tell(`${program} does not run here.`, `${program} 在这里不能运行。`),
        fix: tell(`See what '${program} --version' says.`, `请看看 '${program} --version' 输出什么。`),
      };
    },
    open: (options, place) => openImage(program, prefix, options, place),
  });
}
