import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import type { MachineReading } from '#spec/data';
import { newId } from '#kit/new-id';
import type { CommandRequest, Commands, CommandSpec, OutputChunk, Sandbox } from '#spec/ports';
import type { BackendLocation } from '../backend-location.ts';
import { takeReading } from '../machine/take-reading.ts';
import { thisMachine } from '../machine/this-machine.ts';
import { type Background, backgroundProcess } from './background-process.ts';

export interface CommandsOptions {
  /** The sandbox of a named backend, or of the default one; opened when it is first asked for. */
  readonly sandboxes: (name?: string) => Promise<Sandbox>;
  /** Where commands of a backend run. Absent where nobody asks. */
  readonly location?: (name?: string) => Promise<BackendLocation>;
  /** Whether this machine may be read outside of a sandbox on it. */
  readonly readsMachine?: boolean;
  /** Where a reading without a backend begins when no sandbox works; undefined where one does. */
  readonly bare?: () => Promise<string | undefined>;
  /** How long a command of a backend may run unless it is told otherwise. */
  readonly timeoutMs: (backend?: string) => number;
  /** A command that prints more is ended. */
  readonly maxOutputBytes: number;
  /** How much of the output of each background process is kept, in characters. */
  readonly backgroundChars: number;
  /** How many processes may run in the background at a time. */
  readonly maxBackground: number;
}

/** Ended processes that can still be asked about. */
const REMEMBERED = 50;
/** What runs in the background runs until it is killed or the conversation ends. */
const NO_LIMIT = 2 ** 31 - 1;

export interface OpenCommands extends Commands {
  /** Where the next command of a backend starts, once one has run there. */
  folder(backend?: string): string | undefined;
  close(): Promise<void>;
}

/** The commands of one conversation. `close` ends what still runs; the sandboxes belong to whoever opened them. */
export function openCommands(options: CommandsOptions): OpenCommands {
  const folders = new Map<string | undefined, string>();
  const background = new Map<string, Background>();
  const closing = new AbortController();
  const assertOpen = () => {
    if (closing.signal.aborted) throw fail('tool.failed', 'The conversation of these commands is over.');
  };
  const get = (id: string): Background => {
    const found = background.get(id);
    if (!found) throw fail('tool.failed', `There is no background process '${id}'.`);
    return found;
  };

  const readsBare = ({ reading, backend }: CommandRequest): boolean =>
    reading !== undefined && backend === undefined && options.readsMachine === true;
  const read = async (
    { backend, timeoutMs = options.timeoutMs(backend) }: CommandRequest,
    reading: MachineReading,
    cwd: string,
    signal: AbortSignal,
    onOutput: Parameters<Commands['run']>[2],
  ) => {
    const chunks: string[] = [];
    const spec = { cwd, timeoutMs, maxOutputBytes: options.maxOutputBytes };
    const stop = AbortSignal.any([signal, closing.signal]);
    const end = await takeReading(reading, spec, stop, (chunk) => {
      chunks.push(chunk.text);
      onOutput?.(chunk);
    });
    return { ...end, output: chunks.join(''), where: await thisMachine() };
  };

  const commands: Commands = {
    async run(request, signal, onOutput) {
      assertOpen();
      const bare = readsBare(request) ? await options.bare?.() : undefined;
      if (bare !== undefined && request.reading)
        return read(request, request.reading, bare, signal, onOutput);
      const sandbox = await options.sandboxes(request.backend);
      const spec = {
        ...specOf(request, sandbox, folders.get(request.backend)),
        timeoutMs: request.timeoutMs ?? options.timeoutMs(request.backend),
        maxOutputBytes: options.maxOutputBytes,
      };
      const location = await options.location?.(request.backend);
      const stop = AbortSignal.any([signal, closing.signal]);
      if (request.reading && location?.reads === 'outside' && options.readsMachine)
        return read(request, request.reading, spec.cwd, signal, onOutput);
      if (request.reading && location && location.reads !== 'there') throw unseen(location.where);
      const running = await sandbox.start(spec, stop);
      const output = await collect(running.output, onOutput);
      const end = await running.ended;
      // A folder for this one command is not where the conversation goes on.
      if (request.cwd === undefined) folders.set(request.backend, end.cwd);
      return { ...end, output, ...(location ? { where: location.where } : {}) };
    },
    async startBackground(request) {
      assertOpen();
      if (livingIn(background).length >= options.maxBackground) {
        throw fail(
          'tool.failed',
          `${options.maxBackground} processes run in the background already.`,
          'Kill one of them first.',
        );
      }
      const sandbox = await options.sandboxes(request.backend);
      const spec = specOf(request, sandbox, folders.get(request.backend));
      const running = await sandbox.start(
        {
          ...spec,
          timeoutMs: Math.min(request.timeoutMs ?? NO_LIMIT, NO_LIMIT),
          maxOutputBytes: Number.MAX_SAFE_INTEGER,
        },
        closing.signal,
      );
      const { command, backend } = request;
      const started = {
        id: newId('proc'),
        command,
        cwd: spec.cwd,
        ...(backend === undefined ? {} : { backend }),
      };
      const process = backgroundProcess(started, running, options.backgroundChars);
      background.set(started.id, process);
      forgetEnded(background);
      return process.state();
    },
    list: () => [...background.values()].map((process) => process.state()),
    read: (id, from) => background.get(id)?.read(from),
    async wait(id, ms, signal) {
      const process = background.get(id);
      await process?.wait(ms, signal);
      return process?.state();
    },
    async write(id, text, close) {
      const { running } = get(id);
      if (text !== '') await running.write(text);
      if (close) await running.closeInput();
    },
    async kill(id) {
      const process = background.get(id);
      await process?.kill();
      return process?.state();
    },
  };

  return {
    ...commands,
    folder: (backend) => folders.get(backend),
    async close() {
      closing.abort();
      await Promise.all([...background.values()].map((process) => process.kill()));
    },
  };
}

/** An answer from inside a box about what is outside of it would be wrong, and would look right. */
const unseen = (where: string) =>
  fail(
    'tool.refused',
    `This could not be measured: ${where} nothing of the machine is to be seen.`,
    'Switch tools.inspect_machine on, or name a backend that shows the machine.',
  );

function specOf(
  request: CommandRequest,
  sandbox: Sandbox,
  carried: string | undefined,
): Pick<CommandSpec, 'command' | 'env' | 'input'> & { readonly cwd: string } {
  const base = carried ?? sandbox.workspace;
  return {
    command: request.command,
    cwd: request.cwd === undefined ? base : posix.resolve(base, request.cwd),
    ...(request.env === undefined ? {} : { env: request.env }),
    ...(request.input === undefined ? {} : { input: request.input }),
  };
}

async function collect(
  chunks: AsyncIterable<OutputChunk>,
  onOutput: ((chunk: OutputChunk) => void) | undefined,
): Promise<string> {
  const parts: string[] = [];
  for await (const chunk of chunks) {
    parts.push(chunk.text);
    onOutput?.(chunk);
  }
  return parts.join('');
}

const livingIn = (all: ReadonlyMap<string, Background>): Background[] =>
  [...all.values()].filter((process) => process.state().end === undefined);

function forgetEnded(all: Map<string, Background>): void {
  const ended = [...all.entries()].filter(([, process]) => process.state().end !== undefined);
  for (const [id] of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) all.delete(id);
}
