import { sleep } from '#kit/sleep';
import type { CommandSpec } from '#spec/ports';
import { type CommandKey, commandVariables, KILL_SCRIPT, SUPERVISOR } from '../containers/command-script.ts';
import type { Exec, ExecEnd, OnBytes } from '../containers/supervised-command.ts';
import { quoteWord } from '../process/shell-script.ts';
import { isGone } from './cloud-failure.ts';
import type { DaytonaToolbox } from './daytona-api.ts';
import { followLog } from './follow-log.ts';
import { labelledLog } from './labelled-log.ts';

const POLL_MS = 2_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** How often in a row the log may fail to bring anything new before the sandbox counts as lost. */
const PATIENCE = 8;
const KILL_SECONDS = 20;

export interface DaytonaPlace {
  readonly toolbox: DaytonaToolbox;
  readonly headers: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly cpuSeconds: number;
}

/**
 * The service hands over input line by line and never ends it. So lines come in base64, and a single dot closes the pipe
 * that the command reads.
 */
const LINE_INPUT = `
pipe=$(mktemp -d) && mkfifo "$pipe/in" || exit 1
exec 3<&0
{ while IFS= read -r line; do [ "$line" != . ] || break; printf %s "$line" | base64 -d; done <&3 > "$pipe/in"; } &
reader=$!
"$@" < "$pipe/in" 3<&-
code=$?
kill "$reader" 2>/dev/null
rm -rf "$pipe"
exit "$code"
`;

/** The line for the shell of the session. It starts a process of its own, so that nothing can end the session's shell. */
function commandLine(spec: CommandSpec, key: CommandKey, place: DaytonaPlace, inputFile: string): string {
  const { workspace, cpuSeconds } = place;
  const variables = commandVariables(spec, key, { workspace, cpuSeconds, strays: false });
  const assigned = Object.entries(variables).map(([name, value]) => quoteWord(`${name}=${value}`));
  const words = ['env', ...assigned, 'sh', '-c', quoteWord(SUPERVISOR)].join(' ');
  if (spec.input === 'open') return `sh -c ${quoteWord(LINE_INPUT)} sh ${words}`;
  return `${words} < ${quoteWord(spec.input === undefined ? '/dev/null' : inputFile)}`;
}

/** Starts a command in a session of its own, which is closed when the command has ended. */
export async function startInSession(place: DaytonaPlace, spec: CommandSpec, key: CommandKey): Promise<Exec> {
  const { toolbox } = place;
  const session = `hermes-${key.id}`;
  const inputFile = `/tmp/${session}.in`;
  await toolbox.openSession(session);
  const text = typeof spec.input === 'object' ? spec.input.text : undefined;
  if (text !== undefined) await toolbox.upload(inputFile, Buffer.from(text));
  const cmd = await toolbox.startCommand(session, commandLine(spec, key, place, inputFile));
  const over = new AbortController();
  const end = Promise.withResolvers<ExecEnd>();
  let sending: Promise<void> = Promise.resolve();
  const send = (line: string): Promise<void> => {
    sending = sending.then(() => toolbox.sendInput(session, cmd, `${line}\n`));
    return sending;
  };
  const tidy = async (): Promise<void> => {
    await toolbox.closeSession(session).catch(ignoreGone);
    if (text !== undefined) await toolbox.execute(`rm -f ${inputFile}`, KILL_SECONDS).catch(ignoreGone);
  };
  return {
    ended: end.promise,
    follow: async (onBytes) => {
      const last = await watch(place, session, cmd, onBytes, over.signal);
      end.resolve(last);
      if (!last.lost) await tidy();
    },
    write: (bytes) => send(Buffer.from(bytes).toString('base64')),
    closeInput: () => send('.'),
    kill: async () => {
      await toolbox.execute(`set -- ${key.id} marked\n${KILL_SCRIPT}`, KILL_SECONDS).catch(ignoreGone);
      await toolbox.closeSession(session).catch(ignoreGone);
      over.abort();
      end.resolve({ code: null });
    },
  };
}

/** When a sandbox is gone or out of reach, nothing in it can be tidied up; the end of the command tells of it. */
function ignoreGone(): undefined {
  return undefined;
}

/** Follows the log to the end of the command, through lines that are cut. */
async function watch(
  { toolbox, headers }: DaytonaPlace,
  session: string,
  cmd: string,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<ExecEnd> {
  const log = labelledLog(onBytes);
  const url = toolbox.logUrl(session, cmd);
  let seen = 0;
  let code: number | 'gone' | undefined;
  for (let failures = 0; failures < PATIENCE && !signal.aborted && code !== 'gone'; ) {
    const before = seen;
    let passed = 0;
    const quiet = await withPoll(toolbox, session, cmd, signal, (line) =>
      followLog({ url, headers, signal: line }, (bytes) => {
        const fresh = bytes.subarray(Math.min(bytes.length, Math.max(0, seen - passed)));
        passed += bytes.length;
        seen += fresh.length;
        if (fresh.length > 0) log.take(fresh);
      }),
    );
    code = await exitCode(toolbox, session, cmd);
    if (typeof code === 'number' && quiet) break;
    failures = seen > before ? 1 : failures + 1;
    await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
  }
  log.end();
  if (signal.aborted) return { code: null };
  return typeof code === 'number' ? { code } : { code: null, lost: true };
}

/**
 * Follows the log for as long as it lasts, and no longer than a while after the command has ended: some logs stay open.
 * False when the line was cut before that.
 */
async function withPoll(
  toolbox: DaytonaToolbox,
  session: string,
  cmd: string,
  signal: AbortSignal,
  follow: (line: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const line = new AbortController();
  const stop = AbortSignal.any([signal, line.signal]);
  let late = false;
  const poll = async () => {
    while (await sleep(POLL_MS, stop)) {
      if ((await exitCode(toolbox, session, cmd)) === undefined) continue;
      late = await sleep(POLL_MS, stop);
      line.abort();
    }
  };
  const polling = poll();
  const orderly = await follow(stop);
  line.abort();
  await polling;
  return orderly || late;
}

/** Undefined while it runs, or while nobody can tell. */
async function exitCode(
  toolbox: DaytonaToolbox,
  session: string,
  cmd: string,
): Promise<number | 'gone' | undefined> {
  try {
    return await toolbox.exitCode(session, cmd);
  } catch (thrown) {
    return isGone(thrown) ? 'gone' : undefined;
  }
}
