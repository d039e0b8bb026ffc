import type { CommandEnd, CommandResult } from '#spec/ports';

/** Programs that answer a question with 1: nothing was found, or two things differ. */
const ASKING = /^\s*(?:grep|egrep|fgrep|rg|diff|cmp|test|\[|pgrep|git\s+diff|git\s+grep)\s[^|&;<>\n]*$/;

/** Whether a code that is not 0 is an answer rather than a failure. */
export const isQuietAnswer = (command: string, code: number | null): boolean =>
  code === 1 && ASKING.test(command);

/** What stopped a command before its own end. */
export function stoppedText({ stopped }: CommandEnd, limitS: number): string | undefined {
  switch (stopped) {
    case undefined:
      return undefined;
    case 'time':
      return `stopped after ${limitS} s: its time was over`;
    case 'output':
      return 'stopped: it printed more than may be kept';
    case 'memory':
      return 'stopped: it took more memory than it may';
    case 'killed':
      return 'killed';
    case 'lost':
      return 'lost: the place where it ran went away';
  }
}

type Hint = readonly [applies: (command: string, result: CommandResult) => boolean, hint: string];

const says =
  (pattern: RegExp) =>
  (_: string, { output }: CommandResult): boolean =>
    pattern.test(output.slice(-4_000));

/** The first that applies is told. */
const HINTS: readonly Hint[] = [
  [
    (_, { stopped }) => stopped === 'time',
    'a longer timeout_s (at most 600) gives it more time; background: true lets it run on',
  ],
  [(_, { stopped }) => stopped === 'output', 'send the output into a file, or through head, tail or grep'],
  [
    (_, { stopped }) => stopped === 'lost',
    'what it had done so far may have happened: look before trying again',
  ],
  [(_, { code }) => code === 127, 'a program was not found: `command -v` tells what there is'],
  [(_, { code }) => code === 126, 'it may not be executed: see its mode, or run it with its interpreter'],
  [
    (_, { code, signal }) => code === 137 || signal === 'SIGKILL',
    'it was killed from outside, most often because memory ran out',
  ],
  [
    says(/Read-only file system|Operation not permitted/),
    'only the working folder and /tmp can be written to from here',
  ],
  [
    says(/Could not resolve host|Temporary failure in name resolution|Network is unreachable/),
    'commands have no network here unless backends.yaml gives them one; the web tools do',
  ],
  [
    says(/a terminal is required|no tty present|not a terminal|not a tty/i),
    'there is no terminal: use options that ask nothing',
  ],
  [says(/No such file or directory/), 'a path does not exist: see where the shell stands'],
];

/** Programs that tell about the machine they run on. */
const INSPECTS =
  /(?:^|[|;&(]\s*)(?:sudo\s+)?(?:df|free|uptime|vmstat|iostat|top|ps|ss|netstat|lsof|systemctl|journalctl|dmesg|timedatectl|mount|findmnt)(?=\s|$)/;

/** What is seen inside of a sandbox is no answer about the machine around it. */
export const sandboxHint = (command: string, where: string | undefined): string | undefined =>
  where?.startsWith('in the ') && where.includes('sandbox') && INSPECTS.test(command)
    ? 'this is what is to be seen in the sandbox; disk_usage, process_top, service_status, journal_tail and machine_report read the machine itself'
    : undefined;

/** What to do about a failure, where that is known. */
export function failureHint(command: string, result: CommandResult): string | undefined {
  if (result.code === 0 && result.stopped === undefined) return undefined;
  return HINTS.find(([applies]) => applies(command, result))?.[1];
}
