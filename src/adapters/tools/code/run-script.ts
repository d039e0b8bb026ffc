import { randomBytes } from 'node:crypto';
import { redact } from '#kit/redact';
import type { CommandEnd, ToolContext, ToolResult } from '#spec/ports';
import { type Frame, frameReader, type Piece } from './frames.ts';
import { type Language, NO_INTERPRETER, runnerCommand } from './runner-command.ts';

interface Script {
  readonly language: Language;
  readonly code: string;
}

interface ScriptLimits {
  /** Time of the script itself; the time of the tools that it calls, and of people who are asked, does not count. */
  readonly ms: number;
  readonly calls: number;
  /** How many bytes of what it prints are kept. */
  readonly printed: number;
}

export interface ScriptRun {
  readonly printed: string;
  readonly dropped: number;
  /** The value of `result`, as JSON where it can be written so. */
  readonly result?: string;
  readonly error?: string;
  readonly calls: number;
}

type Powers = Pick<ToolContext, 'commands' | 'callTool' | 'signal' | 'update'>;

/** Beyond the script's own time: whatever happens here, the command does not stay for ever. */
const HARD_LIMIT_MS = 3_600_000;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;
const MOST_DATA_CHARS = 200_000;
/** With what is printed, a script sends less between two answers than `Commands` keeps of a process. */
const MOST_CALL_CHARS = 500_000;

/** Runs a script where commands run. Every tool that it calls is called as if the model had called it. */
export async function runScript(script: Script, limits: ScriptLimits, powers: Powers): Promise<ScriptRun> {
  const { commands, signal } = powers;
  const token = randomBytes(16).toString('hex');
  const run = scriptState(limits, powers);
  const { id } = await commands.startBackground({
    command: runnerCommand(script.language),
    input: 'open',
    timeoutMs: HARD_LIMIT_MS,
  });
  try {
    const say = (value: unknown) => commands.write(id, `${JSON.stringify(value)}\n`, false);
    await say({ token, code: script.code, keep: Math.floor(limits.printed / 2), most: MOST_CALL_CHARS });
    const pieces = frameReader(token);
    let [from, pause] = [0, FIRST_PAUSE_MS];
    for (;;) {
      const process = await commands.wait(id, pause, signal);
      const news = commands.read(id, from);
      from = news?.next ?? from;
      pause = news?.text ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      for (const piece of news?.text ? pieces(news.text) : []) await run.take(piece, say);
      if (run.over() || signal.aborted) break;
      if (!news?.text && (!process || process.end)) {
        run.endedEarly(process?.end);
        break;
      }
      if (run.late()) break;
    }
  } finally {
    await commands.kill(id);
  }
  return run.report();
}

function scriptState(limits: ScriptLimits, { callTool, update, signal }: Powers) {
  const started = performance.now();
  let [printed, dropped, calls, inTools] = ['', 0, 0, 0];
  let done: Extract<Frame, { done: true }> | undefined;
  const fail = (error: string) => {
    done ??= { done: true, error };
  };
  const keep = (text: string) => {
    // The runner holds the limit; the same again is room for what children print past it.
    const room = Math.max(0, 2 * limits.printed - printed.length);
    printed += text.slice(0, room);
    dropped += Math.max(0, text.length - room);
  };

  const answerCall = async (name: string, input: unknown) => {
    calls += 1;
    if (calls > limits.calls) return { ok: false, text: `a script may call tools ${limits.calls} times` };
    if (name === 'execute_code') return { ok: false, text: 'execute_code cannot call itself' };
    update(`call ${calls}: ${name}`);
    const before = performance.now();
    const result = await callTool(name, input);
    inTools += performance.now() - before;
    return replyOf(result);
  };

  return {
    over: () => done !== undefined,
    async take(piece: Piece, say: (value: unknown) => Promise<void>): Promise<void> {
      if (done) return;
      if ('raw' in piece) keep(piece.raw);
      else if ('broken' in piece) fail(`what the script sent could not be read: ${piece.broken}`);
      else if ('done' in piece) done = piece;
      else if ('out' in piece) {
        keep(piece.out);
        dropped += piece.dropped ?? 0;
      } else {
        const reply = await answerCall(piece.call, piece.input);
        if (!signal.aborted) await say(reply);
      }
    },
    endedEarly: (end: CommandEnd | undefined) => fail(endText(end)),
    late(): boolean {
      if (performance.now() - started - inTools <= limits.ms) return false;
      fail(`stopped: the script had ${limits.ms / 1_000} s`);
      return true;
    },
    report: (): ScriptRun => ({
      printed,
      dropped,
      calls,
      ...(done?.result === undefined ? {} : { result: done.result }),
      ...(done?.error === undefined ? {} : { error: done.error }),
    }),
  };
}

function endText(end: CommandEnd | undefined): string {
  if (!end) return 'the script is gone';
  if (end.code === NO_INTERPRETER) return 'there is no interpreter for this language where commands run';
  if (end.stopped) return `the script was stopped (${end.stopped})`;
  return `the script ended early, ${end.code === null ? `by ${end.signal ?? 'a signal'}` : `with exit code ${end.code}`}`;
}

/** What a script gets: the text that the model would see, and the data behind it with secrets taken out. */
function replyOf({ content, isError, summary, data }: ToolResult) {
  const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
  if (isError) return { ok: false, text };
  const written = data === undefined ? undefined : redact(JSON.stringify(data) ?? '');
  const sent = written && written.length <= MOST_DATA_CHARS ? { data: JSON.parse(written) as unknown } : {};
  return { ok: true, text, summary, ...sent };
}
