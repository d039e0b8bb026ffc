import { sleep } from '#kit/sleep';
import type { OnBytes } from '../containers/supervised-command.ts';
import { GRPC, type GrpcOutcome, grpcClient } from './grpc-client.ts';
import type { ModalApi } from './modal-api.ts';
import type { Field, Message } from '#kit/protobuf';
import { isSecure } from '#adapters/io/secure-url';

const SERVICE = '/modal.task_command_router.TaskCommandRouter';
const WAIT_MS = 60_000;
const CALL_MS = 60_000;
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 100;
const PASSING: ReadonlySet<number> = new Set([
  GRPC.cancelled,
  GRPC.unknown,
  GRPC.deadline,
  GRPC.internal,
  GRPC.unavailable,
  GRPC.exhausted,
]);

interface ModalExit {
  readonly code: number | null;
  readonly signal?: number;
}

/** The commands of one task: the router that Modal names runs beside it and takes a token of its own. */
export interface ModalRouter {
  start(exec: string, argv: readonly string[], signal: AbortSignal): Promise<void>;
  /** From the first byte to the last, through lines that are cut. Rejects when the task is lost. */
  read(exec: string, stream: 'stdout' | 'stderr', onBytes: OnBytes, signal: AbortSignal): Promise<void>;
  write(exec: string, offset: number, bytes: Uint8Array, isLast: boolean, signal: AbortSignal): Promise<void>;
  /** Rejects when the task is lost. */
  wait(exec: string, signal: AbortSignal): Promise<ModalExit>;
  close(): void;
}

export async function openRouter(api: ModalApi, task: string): Promise<ModalRouter> {
  const access = async () => {
    const answer = await api.ask('TaskGetCommandRouterAccess', [[1, 'string', task]], 'reach the sandbox');
    return { jwt: answer.text(1), url: answer.text(2) };
  };
  let { jwt, url } = await access();
  if (!isSecure(url))
    throw api.failure({ code: GRPC.internal, message: 'an address that is not https' }, 'reach the sandbox');
  const client = grpcClient(url);

  const once = async (
    method: string,
    fields: readonly Field[],
    signal: AbortSignal,
    onMessage: (message: Message) => void,
    timeoutMs?: number,
  ): Promise<GrpcOutcome> => {
    const call = { path: `${SERVICE}/${method}`, fields, signal, ...(timeoutMs ? { timeoutMs } : {}) };
    const outcome = await client.call({ ...call, headers: { authorization: `Bearer ${jwt}` } }, onMessage);
    if (outcome.ok || outcome.code !== GRPC.unauthenticated) return outcome;
    ({ jwt, url } = await access());
    return client.call({ ...call, headers: { authorization: `Bearer ${jwt}` } }, onMessage);
  };

  /** Tries again what may pass. `fields` is asked each time, since an offset may have moved. */
  const persist = async (
    method: string,
    fields: () => readonly Field[],
    signal: AbortSignal,
    onMessage: (message: Message) => void,
    options: { readonly doing: string; readonly timeoutMs?: number; readonly forever?: boolean },
  ): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      let moved = false;
      const hear = (message: Message) => {
        moved = true;
        onMessage(message);
      };
      const outcome = await once(method, fields(), signal, hear, options.timeoutMs);
      if (outcome.ok) return;
      if (moved) attempt = 1;
      // A call that waits for the end of a command runs out of time in the ordinary course of things.
      if (options.forever && outcome.code === GRPC.deadline) attempt = 0;
      if (signal.aborted || attempt >= ATTEMPTS || !PASSING.has(outcome.code)) {
        throw api.failure(outcome, options.doing);
      }
      await sleep(outcome.afterMs ?? FIRST_WAIT_MS * 2 ** Math.max(0, attempt - 1), signal);
    }
  };

  const named = (exec: string): readonly Field[] => [
    [1, 'string', task],
    [2, 'string', exec],
  ];
  const nothing = () => undefined;
  return {
    close: client.close,
    start: (exec, argv, signal) => {
      const words = argv.map((word): Field => [3, 'string', word]);
      // The id makes it harmless to ask twice.
      const fields = (): Field[] => [...named(exec), ...words, [4, 'uint', 1], [5, 'uint', 1]];
      return persist('TaskExecStart', fields, signal, nothing, {
        doing: 'start a command',
        timeoutMs: CALL_MS,
      });
    },
    read: async (exec, stream, onBytes, signal) => {
      let offset = 0;
      const descriptor = stream === 'stdout' ? 0 : 1;
      const fields = (): Field[] => [...named(exec), [3, 'uint', offset], [4, 'uint', descriptor]];
      const take = (message: Message) => {
        const bytes = message.bytes(1);
        offset += bytes.length;
        onBytes(stream, bytes);
      };
      await persist('TaskExecStdioRead', fields, signal, take, { doing: 'read what a command prints' });
    },
    write: (exec, offset, bytes, isLast, signal) => {
      const fields = (): Field[] => [
        ...named(exec),
        [3, 'uint', offset],
        [4, 'bytes', bytes],
        [5, 'bool', isLast],
      ];
      return persist('TaskExecStdinWrite', fields, signal, nothing, {
        doing: 'hand over input',
        timeoutMs: CALL_MS,
      });
    },
    wait: async (exec, signal) => {
      let exit: ModalExit = { code: null };
      const take = (message: Message) => {
        const by = message.int(2);
        exit = by === undefined ? { code: message.int(1) ?? 0 } : { code: null, signal: by };
      };
      const options = { doing: 'wait for a command', timeoutMs: WAIT_MS, forever: true };
      await persist('TaskExecWait', () => named(exec), signal, take, options);
      return exit;
    },
  };
}
