import { randomUUID } from 'node:crypto';
import type { CommandSpec, SandboxPlace } from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { type CommandKey, commandVariables, KILL_SCRIPT, SUPERVISOR } from '../containers/command-script.ts';
import type { Exec, ExecEnd } from '../containers/supervised-command.ts';
import type { ModalRouter } from './modal-router.ts';

/** Input travels in pieces of this size. */
const PIECE_BYTES = 256 * 1024;
const SIGNALS: Readonly<Record<number, string>> = { 9: 'SIGKILL', 15: 'SIGTERM', 24: 'SIGXCPU' };

export interface ModalPlace {
  readonly router: ModalRouter;
  readonly workspace: string;
  readonly cpuSeconds: number;
  readonly place: Pick<SandboxPlace, 'name' | 'log'>;
}

/** Runs a short program to its end. Rejects when the sandbox is out of reach. */
export async function runInTask(
  router: ModalRouter,
  argv: readonly string[],
  input?: Uint8Array,
): Promise<{ readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }> {
  const exec = randomUUID();
  const { signal } = new AbortController();
  const out: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  await router.start(exec, argv, signal);
  const read = (stream: 'stdout' | 'stderr') =>
    router.read(exec, stream, (name, bytes) => void out[name].push(bytes), signal);
  // One that ends without reading its input tells why by its code.
  const written = writeAll(router, exec, input ?? new Uint8Array(), signal).catch(() => undefined);
  await Promise.all([read('stdout'), read('stderr'), written]);
  const { code } = await router.wait(exec, signal);
  return { code, stdout: Buffer.concat(out.stdout), stderr: Buffer.concat(out.stderr).toString('utf8') };
}

async function writeAll(
  router: ModalRouter,
  exec: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  for (let offset = 0; ; offset += PIECE_BYTES) {
    const isLast = offset + PIECE_BYTES >= bytes.length;
    await router.write(exec, offset, bytes.subarray(offset, offset + PIECE_BYTES), isLast, signal);
    if (isLast) return;
  }
}

/** Starts a command in the task. */
export async function startInTask(inside: ModalPlace, spec: CommandSpec, key: CommandKey): Promise<Exec> {
  const { router, workspace, cpuSeconds, place } = inside;
  const exec = randomUUID();
  const over = new AbortController();
  const variables = commandVariables(spec, key, { workspace, cpuSeconds, strays: false });
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  await router.start(exec, ['env', ...assigned, 'sh', '-c', SUPERVISOR], over.signal);
  const ended = router.wait(exec, over.signal).then(
    ({ code, signal }): ExecEnd => ({
      code,
      ...(signal ? { signal: SIGNALS[signal] ?? String(signal) } : {}),
    }),
    // Whatever the reason is, nothing more will be heard of the command.
    (thrown: unknown): ExecEnd => {
      if (over.signal.aborted) return { code: null };
      goOnWithout(place, 'waiting for the end of a command')(thrown);
      return { code: null, lost: true };
    },
  );
  let offset = 0;
  let writing: Promise<void> = Promise.resolve();
  const write = (bytes: Uint8Array, isLast: boolean): Promise<void> => {
    writing = writing.then(async () => {
      await router.write(exec, offset, bytes, isLast, over.signal);
      offset += bytes.length;
    });
    return writing;
  };
  if (spec.input !== 'open') {
    // One that ends without reading its input tells why by its code.
    writeAll(router, exec, Buffer.from(spec.input?.text ?? ''), over.signal).catch(() => undefined);
  }
  return {
    ended,
    follow: async (onBytes) => {
      const read = (stream: 'stdout' | 'stderr') =>
        // The end of the command says whether the sandbox was lost.
        router.read(exec, stream, onBytes, over.signal).catch(() => undefined);
      await Promise.all([read('stdout'), read('stderr')]);
    },
    write: (bytes) => write(bytes, false),
    closeInput: () => write(new Uint8Array(), true),
    kill: async () => {
      await runInTask(router, ['sh', '-c', KILL_SCRIPT, 'sh', key.id, 'marked']);
    },
  };
}
