import { randomBytes } from 'node:crypto';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';
import {
  type CommandSpec,
  defineSandbox,
  type RunningCommand,
  type Sandbox,
  type SandboxKind,
  type SandboxPlace,
} from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { runningCommands } from '../process/running-commands.ts';
import { calledOff } from '../process/start-process.ts';
import { commandMark, commandVariables, KILL_SCRIPT, newCommandKey, SUPERVISOR } from './command-script.ts';
import { containerUser, type EngineDialect, runArgs } from './container-argv.ts';
import { ContainerOptions } from './container-options.ts';
import { type EngineCli, engineCli, settles } from './engine-cli.ts';
import { readScript, writeScript } from './file-scripts.ts';
import { WORKSPACE } from './mounts.ts';
import { type ExecEnd, superviseCommand } from './supervised-command.ts';

const PROBE_MS = 10_000;
/** A first start may have to fetch the image. */
const START_MS = 300_000;
const CALL_MS = 60_000;
const KILL_ROUNDS = 20;
const KILL_ROUND_MS = 500;
const KILLED_CODE = 137;

/** The long-lived container of one conversation. It is made anew when it went away. */
interface Container {
  readonly cli: EngineCli;
  readonly place: Pick<SandboxPlace, 'name' | 'log'>;
  name(): Promise<string>;
  /** Removes it; whatever runs in it ends. */
  drop(): Promise<void>;
  /** How many processes the kernel has ended in it for want of memory. */
  memoryKills: number;
}

function container(
  cli: EngineCli,
  place: Container['place'],
  makeArgs: (name: string) => string[],
): Container {
  let made: Promise<string> | undefined;
  const make = async (): Promise<string> => {
    const name = `hermes-${randomBytes(6).toString('hex')}`;
    const { code, stderr } = await cli.run(makeArgs(name), { timeoutMs: START_MS });
    if (code === 0) return name;
    await cli.run(['rm', '--force', name], { timeoutMs: CALL_MS });
    throw fail('tool.failed', `The container could not be started: ${lastLine(stderr)}`);
  };
  const self: Container = {
    cli,
    place,
    memoryKills: 0,
    name: async () => {
      self.memoryKills = made ? self.memoryKills : 0;
      const making = (made ??= make());
      making.catch(() => {
        if (made === making) made = undefined;
      });
      return making;
    },
    drop: async () => {
      // One that was never made was told of where it was wanted.
      const old = await made?.catch(() => undefined);
      made = undefined;
      if (old !== undefined) await cli.run(['rm', '--force', old], { timeoutMs: CALL_MS });
    },
  };
  return self;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

async function startCommand(
  box: Container,
  spec: CommandSpec,
  signal: AbortSignal,
  limits: { readonly cpuSeconds: number; readonly memoryMb?: number },
): Promise<RunningCommand> {
  if (signal.aborted) return calledOff(spec.cwd ?? WORKSPACE);
  const name = await box.name();
  const key = newCommandKey();
  const carried = commandVariables(spec, key, {
    workspace: WORKSPACE,
    cpuSeconds: limits.cpuSeconds,
    strays: true,
    // Data, not address space: runtimes reserve far more addresses than they ever use.
    limits: limits.memoryMb === undefined ? [] : [`ulimit -d ${limits.memoryMb * 1024}`],
  });
  // Also the shell above the command, which stands for it among the roots.
  const variables = { ...carried, HERMES_COMMAND: commandMark(key.id) };
  let killed = false;
  const exec = await box.cli.start({
    args: [
      'exec',
      ...(spec.input === undefined ? [] : ['--interactive']),
      ...Object.keys(variables).flatMap((variable) => ['--env', variable]),
      ...[name, 'sh', '-c', SUPERVISOR],
    ],
    env: variables,
    input: spec.input,
    conclude: async (end) => (killed ? end : conclude(box, name, end)),
    kill: (_client, ended) => {
      killed = true;
      return killCommand(box, name, key.id, ended);
    },
  });
  return superviseCommand(exec, spec, signal, { token: key.token, workspace: WORKSPACE, place: box.place });
}

/** Asks the container itself what an unusual end means. */
async function conclude(box: Container, name: string, end: ExecEnd): Promise<ExecEnd> {
  if (end.code === 0 || (end.code !== null && end.code < 125)) return end;
  const look = 'cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null; true';
  const answer = await box.cli
    .run(['exec', name, 'sh', '-c', look], { timeoutMs: CALL_MS })
    .catch(goOnWithout(box.place, 'asking the container how a command ended'));
  if (answer?.code !== 0) {
    await box.drop();
    return { ...end, lost: true };
  }
  const kills = Number(/^oom_kill (\d+)$/m.exec(answer.stdout.toString('utf8'))?.[1] ?? 0);
  const memory = kills > box.memoryKills && end.code === KILLED_CODE;
  box.memoryKills = Math.max(kills, box.memoryKills);
  return { ...end, ...(memory ? { memory } : {}) };
}

/**
 * Ends a command by a second one, again and again until the first is seen to be over: it may only just be starting. A
 * container in which nothing can be started any more is removed as a whole.
 */
async function killCommand(box: Container, name: string, id: string, ended: Promise<unknown>): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const args = [
      'exec',
      '--env',
      `HERMES_COMMAND=${commandMark(`kill${id}`)}`,
      name,
      'sh',
      '-c',
      KILL_SCRIPT,
      'sh',
      id,
      'strays',
    ];
    const done = await box.cli
      .run(args, { timeoutMs: CALL_MS })
      .catch(goOnWithout(box.place, 'ending a command; its container is removed'));
    if (done?.code !== 0) break;
    if (await settles(ended, KILL_ROUND_MS)) return;
  }
  await box.drop();
  await settles(ended, KILL_ROUND_MS);
}

async function openContainer(
  dialect: EngineDialect,
  options: ContainerOptions,
  place: SandboxPlace,
): Promise<Sandbox> {
  const program = place.program(dialect.program);
  if (program === undefined) throw fail('tool.failed', `The program ${dialect.program} is not installed.`);
  const user = containerUser(options, place.workspace);
  const cli = engineCli(program);
  const rootless = await isRootless(cli, dialect);
  const box = container(cli, place, (name) => runArgs(dialect, { name, user, options, place, rootless }));
  await box.name();
  const commands = runningCommands(place.name);
  const { cpuSeconds, memoryMb } = place.limits;
  // An engine without root may be unable to hold the memory of the container; each process is held then.
  const limits = { cpuSeconds, ...(rootless ? { memoryMb: options.memory ?? memoryMb } : {}) };
  const transfer = async (script: string, path: string, input?: Uint8Array): Promise<Uint8Array> => {
    commands.assertOpen();
    const args = [
      'exec',
      ...(input ? ['--interactive'] : []),
      await box.name(),
      'sh',
      '-c',
      script,
      'sh',
      path,
    ];
    const { code, stdout, stderr } = await box.cli.run(args, {
      timeoutMs: CALL_MS,
      ...(input ? { input } : {}),
    });
    if (code !== 0) throw fail('tool.failed', `${path}: ${lastLine(stderr)}`);
    return stdout;
  };
  return {
    name: place.name,
    workspace: WORKSPACE,
    isolation: 'container',
    network: options.network !== 'none',
    start: (spec, signal) => commands.add(() => startCommand(box, spec, signal, limits)),
    readFile: (path) => transfer(readScript, path),
    writeFile: async (path, bytes) => {
      await transfer(writeScript, path, bytes);
    },
    close: async () => {
      if (await commands.close()) await box.drop();
    },
  };
}

async function isRootless(cli: EngineCli, { rootlessProbe }: EngineDialect): Promise<boolean> {
  const { code, stdout, stderr } = await cli.run(rootlessProbe, { timeoutMs: PROBE_MS });
  if (code !== 0) throw fail('tool.failed', lastLine(stderr));
  return /\btrue\b|name=rootless/.test(stdout.toString('utf8'));
}

/** A kind of sandbox that is a container of an engine with the command line of Docker. */
export function containerKind(dialect: EngineDialect): SandboxKind {
  const { program } = dialect;
  return defineSandbox<ContainerOptions>({
    type: program,
    options: ContainerOptions,
    available: async (_options, place) => {
      const path = place.program(program);
      if (path === undefined) {
        return {
          what: tell(`The program ${program} is not installed.`, `没有安装程序 ${program}。`),
          fix: tell(`Install ${program}.`, `请安装 ${program}。`),
        };
      }
      const probe = engineCli(path).run(['ps', '--quiet', '--last', '1'], { timeoutMs: PROBE_MS });
      const answer = await probe.catch(goOnWithout(place, `asking whether ${program} answers`));
      if (answer?.code === 0) return undefined;
      const why = lastLine(answer?.stderr ?? '');
      return {
        what: why || tell(`${program} did not answer.`, `${program} 没有应答。`),
        fix: tell(
          `Start the service of ${program}, or let this user reach it.`,
          `请启动 ${program} 的服务,或让该用户能够访问它。`,
        ),
      };
    },
    open: (options, place) => openContainer(dialect, options, place),
  });
}
