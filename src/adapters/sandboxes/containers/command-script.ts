import { randomBytes } from 'node:crypto';
import type { CommandSpec } from '#spec/ports';
import { quoteWord } from '../process/shell-script.ts';
import { REAP_SCRIPT } from './reap-script.ts';

/** Stands around what the sandbox itself says on the error stream; see `splitMarks`. */
export const MARK = '\x1e';

/** What a command is known by inside the sandbox. */
export interface CommandKey {
  /** In the environment of everything it starts. */
  readonly id: string;
  /** Opens each mark of this command; other programs do not know it. */
  readonly token: string;
}

export const newCommandKey = (): CommandKey => ({
  id: randomBytes(8).toString('hex'),
  token: randomBytes(12).toString('hex'),
});

export interface ScriptPlace {
  readonly workspace: string;
  readonly cpuSeconds: number;
  /** Whether the sandbox is a process namespace of ours alone; see `REAP_SCRIPT`. */
  readonly strays: boolean;
  /** More lines of `ulimit`, where nothing outside holds the limits. */
  readonly limits?: readonly string[];
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names that a shell would not take are left out: no program could be told of them either. */
function exports(env: Readonly<Record<string, string>> | undefined): string {
  const lines = Object.entries(env ?? {}).filter(([name]) => VARIABLE.test(name));
  return lines.map(([name, value]) => `export ${name}=${quoteWord(value)}`).join('\n');
}

/**
 * The shell of the command: it tells its folder when it exits. A command that replaces its shell or the trap is taken to
 * have stayed where it began.
 */
function shellText(command: string, token: string): string {
  const tell = `printf "\\036${token} cwd %s\\036\\n" "$PWD" >&2`;
  return `trap '{ hermes_code=$?; set +x; } 2>/dev/null; ${tell}; exit $hermes_code' EXIT\n${command}`;
}

/** What everything that a command starts has in its environment. */
export const commandMark = (id: string): string => `${id}.`;

/** The variables that carry a command into `SUPERVISOR`, which removes them before the command begins. */
export function commandVariables(
  spec: CommandSpec,
  key: CommandKey,
  place: ScriptPlace,
): Record<string, string> {
  const setUp = [exports(spec.env), `ulimit -t ${place.cpuSeconds}`, ...(place.limits ?? [])];
  return {
    HERMES_ID: key.id,
    HERMES_TOKEN: key.token,
    HERMES_SETUP: setUp.join('\n'),
    HERMES_TEXT: shellText(spec.command, key.token),
    HERMES_CWD: spec.cwd ?? place.workspace,
    HERMES_WORKSPACE: place.workspace,
    HERMES_REAP: place.strays ? 'strays' : 'marked',
  };
}

/**
 * Runs one command in its own shell, then ends what it left behind. `start` and `end` frame its life: without an `end`
 * somebody killed this shell, and the reaping has to be done from outside.
 */
export const SUPERVISOR = `${REAP_SCRIPT}
id=$HERMES_ID token=$HERMES_TOKEN how=$HERMES_REAP command_text=$HERMES_TEXT setup=$HERMES_SETUP
home=$HERMES_WORKSPACE folder=$HERMES_CWD
HERMES_COMMAND=$id.
export HERMES_COMMAND
unset HERMES_ID HERMES_TOKEN HERMES_REAP HERMES_TEXT HERMES_SETUP HERMES_WORKSPACE HERMES_CWD
printf '\\036%s start %s\\036\\n' "$token" "$$" >&2
if ! cd "$folder"; then
  printf '\\036%s cwd %s\\036\\n\\036%s end\\036\\n' "$token" "$home" "$token" >&2
  exit 1
fi
shell=$(command -v bash) || shell=$(command -v sh)
(eval "$setup"; exec "$shell" -c "$command_text")
code=$?
reap "$id" "$$" "$how"
printf '\\036%s end\\036\\n' "$token" >&2
exit "$code"
`;

/** Ends a command from outside of it, with the shell above it. */
export const KILL_SCRIPT = `${REAP_SCRIPT}
reap "$1" "$$" "$2"
`;
