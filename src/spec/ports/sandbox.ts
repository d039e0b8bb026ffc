import type { z } from 'zod';
import type { Logger } from './logger.ts';
import type { Missing } from './missing.ts';

/** Text that is written to a command's input and followed by its end, or an input that stays open for `write`. */
export type CommandInput = { readonly text: string } | 'open';

/** One command line for a shell, and what holds for it. */
export interface CommandSpec {
  /**
   * Run by `bash -c` (or `sh -c` where there is no bash), exactly as written. When its shell ends, so does everything
   * that it started: what shall go on runs as a command of its own.
   */
  readonly command: string;
  /**
   * Absolute, as the sandbox sees it. Without it, the workspace. Where it is gone, the command does not run: it ends
   * with a code other than 0, says so on stderr, and the next one starts in the workspace.
   */
  readonly cwd?: string;
  /** Added to the small environment that every command has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its input, which is closed afterwards; `open` leaves it open for `write`. Without it, there is none. */
  readonly input?: CommandInput;
  readonly timeoutMs: number;
  /** Output beyond this is dropped, and the command is killed. */
  readonly maxOutputBytes: number;
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** How a command came to its end. A limit that was hit is named; `lost` means that the sandbox itself went away. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal?: string;
  readonly stopped?: 'time' | 'output' | 'memory' | 'killed' | 'lost';
  /** Where its shell stood at the end; the next command of the conversation starts there. */
  readonly cwd: string;
  readonly ms: number;
}

export interface RunningCommand {
  /** What it prints, as it comes; ends when the command does. May be read once. */
  readonly output: AsyncIterable<OutputChunk>;
  /** Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Only with `input: 'open'`. */
  write(text: string): Promise<void>;
  closeInput(): Promise<void>;
  /** Ends the command and everything that it started. Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

/**
 * A place where commands run: this machine, a namespace, a container, another host, a cloud.
 * It decides nothing about what may run; the gate has done that. Environment, files and network of Hermes itself are
 * not there unless its options say so.
 */
export interface Sandbox {
  readonly name: string;
  /** The folder that the conversation works in, as the sandbox sees it. */
  readonly workspace: string;
  /** What stands between a command and this machine. */
  readonly isolation: 'none' | 'process' | 'container' | 'remote';
  /** Whether what runs there reaches a network. */
  readonly network: boolean;
  /** Rejects with `tool.failed` where it cannot start or is closed. Called off before: ends as killed, not run. */
  start(spec: CommandSpec, signal: AbortSignal): Promise<RunningCommand>;
  /** Both reject with `tool.failed`, naming the path. */
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Kills what still runs and gives back what it holds. */
  close(): Promise<void>;
}

/** What every kind of sandbox is told when it is opened. */
export interface SandboxPlace {
  readonly name: string;
  /** The folder on this machine that the conversation works in. */
  readonly workspace: string;
  /** Paths of this machine that no command may see: the home of Hermes, above all. */
  readonly hidden: readonly string[];
  /** Limits that hold for each command. */
  readonly limits: { readonly memoryMb: number; readonly processes: number; readonly cpuSeconds: number };
  /** Finds a program on this machine. */
  program(name: string): string | undefined;
  /** A secret of the profile, by the name of its variable. */
  key(name: string): string | undefined;
  /** The environment that Hermes runs in. A kind takes the few harmless names that it needs (`PATH`, `HOME`, `LANG`). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** A kind of sandbox: one file each, named for its type in `backends.yaml`. */
export interface SandboxKind<Options = unknown> {
  readonly type: string;
  /** The options of an entry in `backends.yaml`, besides those that all kinds share. Strict. */
  readonly options: z.ZodType<Options>;
  /** Whether it can work here, found out without side effects that last. */
  available(options: Options, place: SandboxPlace): Promise<Missing | undefined>;
  open(options: Options, place: SandboxPlace): Promise<Sandbox>;
}

/** Keeps the type of the options between their schema and what uses them. */
export const defineSandbox = <Options>(kind: SandboxKind<Options>): SandboxKind => kind;
