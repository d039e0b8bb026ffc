import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';
import type { CommandSpec, RunningCommand, Sandbox, SandboxPlace } from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { cpuTime } from '../process/cpu-time.ts';
import { type BytesAnswer, runBytes } from '../process/run-bytes.ts';
import { runningCommands } from '../process/running-commands.ts';
import { quoteWord, shellScript, toldFolder } from '../process/shell-script.ts';
import { type ProcessPlan, startProcess } from '../process/start-process.ts';
import { type Connection, connect } from './connection.ts';
import type { RemoteOptions } from './remote-options.ts';
import { type RemoteFacts, remoteBarrier } from './remote-sandbox.ts';
import { commandScript, endScript, greeting, readFacts } from './remote-scripts.ts';

const HELPER_MS = 30_000;
const MAX_FILE_BYTES = 64 * 2 ** 20;

interface Remote {
  readonly connection: Connection;
  readonly facts: RemoteFacts;
  readonly place: SandboxPlace;
  /** What stands before the words of every command there. */
  readonly barrier: readonly string[];
  readonly network: boolean;
}

export async function openRemote(options: RemoteOptions, place: SandboxPlace): Promise<Sandbox> {
  const connection = await connect(options, place);
  let run: string | undefined;
  try {
    const facts = await greet(connection, options);
    run = facts.run;
    const barrier = options.sandbox ? await raiseBarrier(connection, facts, options) : [];
    return sandboxOf({ connection, facts, place, barrier, network: !options.sandbox || options.network });
  } catch (thrown) {
    await leave(connection, run, place);
    throw thrown;
  }
}

/** A machine that cannot be reached any more keeps our notes; they are small and lie among its temporary files. */
async function leave(connection: Connection, run: string | undefined, place: SandboxPlace): Promise<void> {
  if (run !== undefined) {
    await ask(connection, `rm -rf ${quoteWord(run)}`).catch(goOnWithout(place, `removing ${run} there`));
  }
  await connection.close();
}

function sandboxOf(remote: Remote): Sandbox {
  const { connection, facts, place } = remote;
  const commands = runningCommands(place.name);
  const file = async (script: string, path: string, input?: Uint8Array) => {
    commands.assertOpen();
    const target = posix.resolve(facts.workspace, path);
    const words = [...remote.barrier, 'sh', '-c', script, 'file', target, posix.dirname(target)];
    const { code, stdout, stderr } = await ask(connection, words.map(quoteWord).join(' '), input);
    if (code === 0) return stdout;
    throw fail('tool.failed', `${path}: ${stderr.trim().split(': ').at(-1) || `code ${code}`}`);
  };
  return {
    name: place.name,
    workspace: facts.workspace,
    isolation: 'remote',
    network: remote.network,
    start: (spec, signal) => commands.add(() => start(remote, spec, signal)),
    readFile: (path) => file('exec cat < "$1"', path),
    async writeFile(path, bytes) {
      await file('mkdir -p "$2" && exec cat > "$1"', path, bytes);
    },
    async close() {
      if (await commands.close()) await leave(connection, facts.run, place);
    },
  };
}

async function start(remote: Remote, spec: CommandSpec, signal: AbortSignal): Promise<RunningCommand> {
  const { connection, facts, place, barrier } = remote;
  await connection.ensure();
  const id = randomUUID();
  const cwd = spec.cwd ?? facts.workspace;
  const script = shellScript(spec.command, {
    shell: facts.shell.endsWith('bash') ? 'bash' : 'sh',
    cwd,
    fallback: facts.workspace,
    limits: place.limits,
    ulimits: ['cpu', 'memory'],
  });
  const words = [...barrier, facts.shell, '-c', script];
  const [file = '', ...args] = connection.words(
    commandScript({ run: facts.run, id, env: spec.env ?? {}, words }),
  );
  let told: ReadonlyMap<string, string> | undefined;
  const plan: ProcessPlan = {
    file,
    args,
    env: connection.env,
    cwd: '/',
    async sweep(child) {
      const answer = await ask(connection, endScript(facts.run, id)).catch(
        goOnWithout(place, 'ending a command there'),
      );
      if (answer?.code === 0) told = readFacts(answer.stdout.toString('utf8'));
      child.kill('SIGKILL');
    },
    async conclude(raw) {
      const { signal: _, ...end } = raw;
      if (!told) return { ...end, code: null, stopped: raw.stopped ?? 'lost', cwd };
      const at = toldFolder(told.get('cwd') ?? '') ?? cwd;
      const code = told.get('code');
      // The other side noted no code of its own: it was ended from here, or the connection went away under it.
      if (!code) return { ...end, code: null, stopped: raw.stopped ?? 'lost', cwd: at };
      const known = { ...end, code: Number(code) };
      return { ...known, ...cpuTime(known), cwd: at };
    },
  };
  return startProcess(plan, spec, signal);
}

function ask(connection: Connection, script: string, input?: Uint8Array): Promise<BytesAnswer> {
  const [file = '', ...args] = connection.words(script);
  return runBytes({
    file,
    args,
    env: connection.env,
    timeoutMs: HELPER_MS,
    maxBytes: MAX_FILE_BYTES,
    ...(input ? { input } : {}),
  });
}

async function greet(connection: Connection, { working_dir, host }: RemoteOptions): Promise<RemoteFacts> {
  const { code, stdout, stderr } = await ask(connection, greeting(working_dir));
  if (code !== 0) {
    const hint =
      code === 66
        ? tell(
            `The folder ${working_dir ?? 'of the home'} must exist there.`,
            `那台机器上必须有目录 ${working_dir ?? '(主目录)'}。`,
          )
        : undefined;
    throw fail(
      'tool.failed',
      tell(
        `${host} is not ready: ${stderr.trim() || `code ${code}`}`,
        `${host} 尚未就绪:${stderr.trim() || `退出码 ${code}`}`,
      ),
      hint,
    );
  }
  const facts = readFacts(stdout.toString('utf8'));
  const fact = (name: string) => facts.get(name) ?? '';
  return {
    run: fact('run'),
    workspace: fact('workspace'),
    home: fact('home'),
    uid: fact('uid'),
    machine: fact('machine'),
    shell: fact('shell'),
    bwrap: fact('bwrap'),
  };
}

async function raiseBarrier(
  connection: Connection,
  facts: RemoteFacts,
  { network, host }: RemoteOptions,
): Promise<readonly string[]> {
  const { filter, words } = remoteBarrier(facts, network);
  await ask(connection, `cat > ${quoteWord(`${facts.run}/filter`)}`, filter);
  const { code, stderr } = await ask(connection, [...words, 'true'].map(quoteWord).join(' '));
  if (code === 0) return words;
  throw fail(
    'tool.failed',
    tell(
      `bubblewrap does not work on ${host}: ${stderr.trim()}`,
      `bubblewrap 在 ${host} 上不能工作:${stderr.trim()}`,
    ),
  );
}
