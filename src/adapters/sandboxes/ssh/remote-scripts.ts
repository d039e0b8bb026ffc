import { quoteWord } from '../process/shell-script.ts';

/** The variable by which the processes of a command are found, whatever became of their parents. */
const MARKER = 'HERMES_COMMAND';

/** Looks at the other machine and makes a folder for our notes about running commands. */
export const greeting = (workingDir: string | undefined): string => `
cd ${workingDir === undefined ? '' : quoteWord(workingDir)} || exit 66
umask 077
run=$(mktemp -d "\${TMPDIR:-/tmp}/hermes-run.XXXXXX") || exit 73
echo "run=$run"
echo "workspace=$(pwd -P)"
echo "home=$(cd && pwd -P)"
echo "uid=$(id -u)"
echo "machine=$(uname -m)"
echo "shell=$(command -v bash || command -v sh)"
echo "bwrap=$(command -v bwrap)"
`;

interface RemoteCommand {
  /** The folder for notes. */
  readonly run: string;
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program and its words that run the command; descriptor 3 is for the working folder. */
  readonly words: readonly string[];
}

/** Ends what carries the marker and waits until none does. It sets `left` where something still lives. */
const sweepLoop = (id: string, alsoWaitFor: string): string => `
round=0
while [ $round -lt 200 ]; do
  round=$((round + 1))
  left=
  for file in $(grep -las ${quoteWord(`${MARKER}=${id}`)} /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}" 2>/dev/null
    left=1
  done
  ${alsoWaitFor}
  [ -z "$left" ] && break
  sleep 0.02
done`;

/**
 * Notes the pid first and looks for the note to stop afterwards, as the other side writes that note first and looks for
 * the pid afterwards: one of both sees the other. What the shell leaves behind would keep the channel open, so it is
 * ended here.
 */
export function commandScript({ run, id, env, words }: RemoteCommand): string {
  const note = (kind: string) => quoteWord(`${run}/${id}.${kind}`);
  const variables = Object.entries({ ...env, [MARKER]: id }).map(
    ([name, value]) => `${name}=${quoteWord(value)}`,
  );
  return [
    `echo $$ > ${note('pid')} || exit 73`,
    `[ -e ${note('stop')} ] && exit 137`,
    'export LANG="${LANG:-C.UTF-8}"',
    `env ${variables.join(' ')} ${words.map(quoteWord).join(' ')} 3> ${note('cwd')}`,
    'code=$?',
    `echo $code > ${note('code')}`,
    'exec 1>&- 2>&-',
    sweepLoop(id, ':'),
    'exit $code',
  ].join('\n');
}

/** Ends everything of a command, waits until it is gone, and tells the code that it had by itself and its last folder. */
export const endScript = (run: string, id: string): string => `
at=${quoteWord(`${run}/${id}`)}
echo "code=$(cat "$at.code" 2>/dev/null)"
: > "$at.stop" || exit 73
${sweepLoop(id, 'pid=$(cat "$at.pid" 2>/dev/null); [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && left=1')}
echo "cwd=$(tail -n 1 "$at.cwd" 2>/dev/null)"
rm -f "$at.pid" "$at.code" "$at.cwd"
`;

/** Lines of `name=value`. */
export function readFacts(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
