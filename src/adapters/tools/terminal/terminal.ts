import { z } from 'zod';
import { showHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import {
  type CommandRequest,
  type CommandResult,
  defineTool,
  type OutputChunk,
  type ToolResult,
} from '#spec/ports';
import { failureHint, isQuietAnswer, sandboxHint, stoppedText } from '../running/failure-hint.ts';
import { answer } from '../text/answer.ts';

const DEFAULT_S = 180;
const MOST_S = 600;
const LINE_CHARS = 200;

const input = z.strictObject({
  command: z.string().min(1).describe('for bash; the working folder carries over'),
  cwd: z.string().min(1).optional(),
  background: z.boolean().optional().describe('keep it running; see the process tool'),
  timeout_s: z.int().min(1).max(MOST_S).optional().describe(`default ${DEFAULT_S}`),
  backend: z.string().min(1).optional().describe('a named place of backends.yaml'),
  input: z.string().optional().describe('what it reads from its standard input'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'terminal',
  toolset: 'terminal',
  description: 'Run a shell command. Files are better read, searched and changed with the file tools.',
  input,
  // The gate judges the command itself and takes the higher of the two levels.
  effect: () => 0,
  footprint: () => undefined,
  deed: ({ command, cwd, backend, background, input: typed }) => ({
    command: {
      text: command,
      ...(cwd === undefined ? {} : { cwd }),
      ...(backend === undefined ? {} : { backend }),
      ...(background === undefined ? {} : { background }),
      ...(typed === undefined ? {} : { input: line(typed) }),
    },
  }),
  maxChars: 30_000,
  async run(given, { commands, signal, update }) {
    if (given.background) {
      const started = await commands.startBackground(requestOf(given));
      if (given.input !== undefined) await commands.write(started.id, line(given.input), false);
      const text = `Started in the background as ${started.id}. The process tool polls, waits for, writes to and kills it.`;
      return answer(text, `${started.id} in the background`, { id: started.id });
    }
    const result = await commands.run(requestOf(given), signal, progress(update));
    return report(given, result);
  },
});

function requestOf({ command, cwd, background, timeout_s, backend, input: typed }: Input): CommandRequest {
  const reads = background ? 'open' : typed === undefined ? undefined : { text: line(typed) };
  return {
    command,
    ...(cwd === undefined ? {} : { cwd }),
    ...(backend === undefined ? {} : { backend }),
    ...(timeout_s === undefined ? {} : { timeoutMs: timeout_s * 1_000 }),
    ...(reads === undefined ? {} : { input: reads }),
  };
}

/** Programs read lines: the last one is completed. */
const line = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Shows the newest full line of what comes. */
function progress(update: (text: string) => void): (chunk: OutputChunk) => void {
  let open = '';
  return ({ text }) => {
    const lines = (open + text).split(/[\r\n]+/);
    open = (lines.pop() ?? '').slice(-4_096);
    const newest = lines.findLast((candidate) => candidate.trim() !== '');
    if (newest !== undefined) update(redact(showHidden(newest)).slice(0, LINE_CHARS));
  };
}

function report(given: Input, result: CommandResult): ToolResult {
  const { code, signal, cwd, ms, output, where } = result;
  const stopped = stoppedText(result, given.timeout_s ?? DEFAULT_S);
  const end = stopped ?? (code === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${code}`);
  const shown = output.trimEnd() === '' ? '[no output]' : output.trimEnd();
  const hint = sandboxHint(given.command, where) ?? failureHint(given.command, result);
  const text = [
    shown,
    `[${end}; ${seconds(ms)}; now in ${cwd}${where ? `; ran ${where}` : ''}]`,
    ...(hint ? [`[${hint}]`] : []),
  ].join('\n');
  const failed = stopped !== undefined || (code !== 0 && !isQuietAnswer(given.command, code));
  return {
    ...answer(text, `${end}, ${seconds(ms)}`, {
      code,
      cwd,
      ms,
      stopped: result.stopped,
      ...(where ? { place: where } : {}),
    }),
    ...(failed ? { isError: true } : {}),
  };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
