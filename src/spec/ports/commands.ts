import type { MachineReading } from '#spec/data';
import type { CommandEnd, CommandInput, OutputChunk } from './sandbox.ts';

/** A command that was left running, as the `process` tool sees it. */
export interface BackgroundProcess {
  readonly id: string;
  readonly command: string;
  readonly startedAt: number;
  /** The backend that was named for it; without one, the default. */
  readonly backend?: string;
  /** Absolute; where it was started. */
  readonly cwd?: string;
  readonly end?: CommandEnd;
}

export interface CommandRequest {
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** A named backend of `backends.yaml`; without it, the default one. */
  readonly backend?: string;
  readonly input?: CommandInput;
  /**
   * The command is this reading of a machine. A sandbox on this machine shows nothing of it: there the reading is taken
   * outside, and `command` is not run.
   */
  readonly reading?: MachineReading;
}

export interface CommandResult extends CommandEnd {
  /** Standard output and standard error in the order of their coming. */
  readonly output: string;
  /** Where it ran, for people: `on this machine`, `in the bubblewrap sandbox`, `on ssh host web-1`. */
  readonly where?: string;
}

/** The commands of one conversation: one working folder that carries over, and what runs in the background. */
export interface Commands {
  run(
    request: CommandRequest,
    signal: AbortSignal,
    onOutput?: (chunk: OutputChunk) => void,
  ): Promise<CommandResult>;
  startBackground(request: CommandRequest): Promise<BackgroundProcess>;
  list(): readonly BackgroundProcess[];
  /** What a process has printed after a position, and the position to go on from. */
  read(id: string, from: number): { readonly text: string; readonly next: number } | undefined;
  /** Waits for its end, or for as long as `ms`. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<BackgroundProcess | undefined>;
  write(id: string, text: string, close: boolean): Promise<void>;
  kill(id: string): Promise<BackgroundProcess | undefined>;
}
