import { z } from 'zod';
import {
  type BackgroundProcess,
  type Commands,
  defineTool,
  type ToolContext,
  type ToolResult,
} from '#spec/ports';
import { stoppedText } from '../running/failure-hint.ts';
import { answer, count, refusal } from '../text/answer.ts';

const ACTIONS = ['list', 'poll', 'log', 'wait', 'kill', 'write', 'close'] as const;
const LOG_LINES = 100;
const WAIT_S = 60;

const input = z.strictObject({
  action: z
    .enum(ACTIONS)
    .describe('poll: what is new; log: its last lines; wait: for its end; close: end its input'),
  id: z.string().min(1).optional().describe('for all but list'),
  text: z.string().optional().describe('write: sent as a line'),
  lines: z.int().min(1).max(2_000).optional().describe(`log: default ${LOG_LINES}`),
  timeout_s: z.int().min(1).max(600).optional().describe(`wait: default ${WAIT_S}`),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'process',
  toolset: 'terminal',
  description: 'See and steer what the terminal tool left running in the background.',
  input,
  effect: ({ action }) => (action === 'write' ? 2 : action === 'kill' || action === 'close' ? 1 : 0),
  footprint: ({ action }) => (action === 'list' || action === 'log' ? {} : undefined),
  // Whatever reads its input may be a shell: what is written to it is as much code as a command is.
  deed: ({ action, id = '', text = '' }) =>
    action === 'write' ? { feeds: { process: id, text: line(text) } } : {},
  maxChars: 30_000,
  async run(given, context) {
    const { commands } = context;
    if (given.action === 'list') return listing(commands.list());
    const process = commands.list().find(({ id }) => id === given.id);
    if (!process) return unknown(given, commands);
    return ACTS[given.action](process, given, context);
  },
});

type Act = (process: BackgroundProcess, given: Input, context: ToolContext) => Promise<ToolResult>;

const ACTS: Readonly<Record<Exclude<Input['action'], 'list'>, Act>> = {
  poll: async (process, _, context) => news(process, context),
  wait: async (process, { timeout_s = WAIT_S }, context) => {
    const after = await context.commands.wait(process.id, timeout_s * 1_000, context.signal);
    return news(after ?? process, context);
  },
  log: async (process, { lines = LOG_LINES }, { commands }) => {
    const all = (commands.read(process.id, 0)?.text ?? '').trimEnd().split('\n');
    const shown = all.slice(-lines);
    const note =
      shown.length < all.length ? `[the last ${shown.length} of ${count(all.length, 'line')}]\n` : '';
    return told(process, note + shown.join('\n'));
  },
  kill: async (process, _, context) => news((await context.commands.kill(process.id)) ?? process, context),
  write: async (process, { text }, { commands }) => {
    if (text === undefined) return refusal('`write` needs `text`.');
    if (process.end) return refusal(`${process.id} has ended: ${state(process)}.`);
    await commands.write(process.id, line(text), false);
    return answer(`Written to ${process.id}. Poll it for what it says.`, `wrote to ${process.id}`);
  },
  close: async (process, _, { commands }) => {
    if (process.end) return refusal(`${process.id} has ended: ${state(process)}.`);
    await commands.write(process.id, '', true);
    return answer(`The input of ${process.id} is closed.`, `closed the input of ${process.id}`);
  },
};

/** Programs read lines: the last one is completed. */
const line = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** How far each process has been shown in this conversation. */
interface Positions {
  readonly shown: Map<string, number>;
  close(): Promise<void>;
}

const openPositions = async (): Promise<Positions> => ({ shown: new Map(), close: async () => undefined });

async function news(process: BackgroundProcess, { commands, hold }: ToolContext): Promise<ToolResult> {
  const { shown } = await hold('process-positions', openPositions);
  const read = commands.read(process.id, shown.get(process.id) ?? 0);
  if (read) shown.set(process.id, read.next);
  return told(process, read?.text.trimEnd() || '[nothing new]');
}

function told(process: BackgroundProcess, text: string): ToolResult {
  const how = state(process);
  const end = process.end;
  return answer(`${text}\n[${process.id}: ${how}]`, `${process.id}: ${how}`, {
    id: process.id,
    running: end === undefined,
    ...(end ? { code: end.code } : {}),
  });
}

function state({ startedAt, end }: BackgroundProcess): string {
  if (!end) return `running since ${new Date(startedAt).toISOString()}`;
  return (
    stoppedText(end, Math.round(end.ms / 1_000)) ??
    (end.code === null ? `ended by ${end.signal}` : `exit code ${end.code}`)
  );
}

function listing(processes: readonly BackgroundProcess[]): ToolResult {
  if (processes.length === 0) return answer('Nothing runs in the background.', 'none');
  const lines = processes.map((process) => `${process.id}  ${state(process)}  ${firstLine(process.command)}`);
  return answer(lines.join('\n'), count(processes.length, 'process', 'processes'));
}

function firstLine(command: string): string {
  const first = command.trimStart().split('\n', 1)[0] ?? '';
  return first.length > 120 || first.length < command.trim().length ? `${first.slice(0, 120)} …` : first;
}

function unknown({ action, id }: Input, commands: Commands): ToolResult {
  const ids = commands.list().map((process) => process.id);
  const known = ids.length > 0 ? `There are: ${ids.join(', ')}.` : 'Nothing runs in the background.';
  return refusal(
    id === undefined ? `\`${action}\` needs \`id\`. ${known}` : `There is no process ${id}. ${known}`,
  );
}
