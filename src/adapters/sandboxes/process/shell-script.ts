import type { SandboxPlace } from '#spec/ports';

/** A word that a POSIX shell takes as it stands. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Beyond what scripts use themselves; `sh` knows descriptors of one digit only. */
const CWD_DESCRIPTOR = { bash: 97, sh: 8 } as const;

/** The descriptor on which a command tells where its shell stood; a pipe of whoever starts it. */
export const CWD_PIPE = 3;

interface ScriptOptions {
  readonly shell: 'bash' | 'sh';
  readonly cwd: string;
  /** Where the next command starts when `cwd` is gone. */
  readonly fallback: string;
  readonly limits: SandboxPlace['limits'];
  /** Which limits are set for the shell itself. `processes` counts all processes of the user, so not everywhere. */
  readonly ulimits: readonly ('cpu' | 'memory' | 'processes')[];
  /** A line that comes before everything else. */
  readonly first?: string;
}

/**
 * The command, unchanged, after one line that goes to its folder, sets its limits, and tells on `CWD_PIPE` where the
 * shell stands when it ends, however it ends.
 */
export function shellScript(command: string, options: ScriptOptions): string {
  const { shell, cwd, fallback } = options;
  const to = CWD_DESCRIPTOR[shell];
  const gone = `{ echo ${quoteWord(fallback)} >&${to}; exit 126; }`;
  return [
    ...(options.first === undefined ? [] : [options.first]),
    `exec ${to}>&${CWD_PIPE} ${CWD_PIPE}>&-`,
    `cd ${quoteWord(cwd)} || ${gone}`,
    ...ulimits(options),
    `trap 'pwd >&${to}' EXIT\n${command}`,
  ].join('; ');
}

function ulimits({ limits, ulimits: which }: ScriptOptions): string[] {
  const lines = ['ulimit -c 0'];
  if (which.includes('cpu')) lines.push(`ulimit -t ${Math.max(1, Math.ceil(limits.cpuSeconds))}`);
  // Data, not address space: runtimes reserve far more addresses than they ever use.
  if (which.includes('memory')) lines.push(`ulimit -d ${Math.ceil(limits.memoryMb) * 1024}`);
  if (which.includes('processes')) lines.push(`ulimit -u ${limits.processes}`);
  return lines;
}

/** The folder that a command told last, if it told one. */
export function toldFolder(said: string): string | undefined {
  const last = said.trimEnd().split('\n').at(-1);
  return last?.startsWith('/') ? last : undefined;
}
