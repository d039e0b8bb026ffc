import { tell } from '#kit/text';
import { z } from 'zod';
import { AppError } from '#kit/app-error';
import type { Language } from '#kit/language';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { Backend } from './containers.ts';
import { HostName, Port } from '../endpoint.ts';
import { placed } from '../placed.ts';
import { type LineEnd, runLine } from '../run-line.ts';
import { connectionWords } from './connection-words.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer } from '../../text/answer.ts';

const input = z.strictObject({
  host: HostName,
  port: Port,
  timeout: z.number().positive().max(60).default(5).describe('seconds'),
  backend: Backend,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'tcp_check',
  toolset: 'actions',
  description:
    'Whether a TCP port takes connections, from where web requests are made, or from a named backend.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  deed: (asked) =>
    asked.backend === undefined
      ? { sendsTo: [asked.host] }
      : { command: { text: lineOf(asked), backend: asked.backend } },
  run: (asked, context) =>
    asked.backend === undefined ? reach(asked, context) : fromBackend(asked, context),
});

/** Where HTTP checks run too, with the same rules about addresses. */
async function reach(asked: Input, { web, signal, language = 'en' }: ToolContext): Promise<ToolResult> {
  const begun = performance.now();
  try {
    const { ms } = await web.reach(asked.host, asked.port, asked.timeout * 1_000, signal);
    return told(asked, 'up', Math.round(ms), '');
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    const message = connectionWords(error.record, `${asked.host}:${asked.port}`, language);
    const ms = Math.round(performance.now() - begun);
    // A refusal of ours says nothing about the service.
    if (error.record.code === 'tool.refused') return told(asked, 'unknown', ms, message);
    return told(asked, 'down', ms, message);
  }
}

/** A port that cannot be reached from a place without a network says nothing: its devices are told along. */
const lineOf = ({ host, port, timeout }: Input): string =>
  `${commandLine(['nc', '-z', '-w', String(Math.ceil(timeout)), host, String(port)])} || { code=$?; cat /proc/net/dev; exit $code; }`;

const NOT_FOUND = 127;

async function fromBackend(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { timeout, backend } = asked;
  const end = await runLine(lineOf(asked), { timeoutS: timeout + 5, backend }, context);
  return placed(judged(asked, end, context.language ?? 'en'), end.place);
}

function judged(asked: Input, end: LineEnd, language: Language): ToolResult {
  if (end.code === 0) return told(asked, 'up', end.ms, '');
  if (end.code === NOT_FOUND)
    return told(asked, 'unknown', end.ms, tell('There is no nc there.', '那里没有安装 nc。')[language]);
  const why = complaint(end, asked.timeout, language);
  if (onlyLoopback(end.stdout) || /unreachable|name resolution|could not resolve/i.test(end.stderr))
    return told(
      asked,
      'unknown',
      end.ms,
      `${why} ${tell('Commands may have no network there: see backends.yaml.', '那里执行的命令可能没有网络：见 backends.yaml。')[language]}`,
    );
  return told(asked, 'down', end.ms, why);
}

const complaint = ({ stderr, stopped }: LineEnd, timeout: number, language: Language): string =>
  stopped ??
  (stderr.trim().split('\n').at(-1)?.slice(0, 200) ||
    tell(`no connection within ${timeout} s`, `${timeout} 秒内没有连上`)[language]);

/** A list of network devices that names nothing but the machine itself. */
function onlyLoopback(devices: string): boolean {
  const names = [...devices.matchAll(/^\s*([\w.@-]+):\s+\d/gm)].map(([, name]) => name);
  return names.length > 0 && names.every((name) => name === 'lo');
}

function told(
  { host, port }: Input,
  state: 'up' | 'down' | 'unknown',
  ms: number,
  message: string,
): ToolResult {
  const text = `${host}:${port} is ${state}${message ? `: ${message}` : ` (${ms} ms)`}`;
  return answer(text, text.slice(0, 160), { host, port, state, open: state === 'up', ms, message });
}
