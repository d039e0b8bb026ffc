import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { NOT_FOUND, textOf } from '../actions-support/call-shell.ts';
import { HostName, Port } from '../actions-support/endpoint.ts';
import { numberIn } from '../actions-support/loose.ts';
import { type LineEnd, runLine } from '../actions-support/run-line.ts';
import { commandLine } from '../ops-support/command-line.ts';
import { answer } from '../text/answer.ts';

const input = z.strictObject({
  host: HostName,
  port: Port,
  timeout: z.number().positive().max(60).default(5).describe('seconds'),
  backend: z.string().min(1).optional().describe('a named place of backends.yaml'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'tcp_check',
  toolset: 'actions',
  description: 'Whether a TCP port takes connections, from where commands run.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  deed: (asked) => ({
    command: { text: lineOf(asked), ...(asked.backend === undefined ? {} : { backend: asked.backend }) },
  }),
  run: check,
});

/** A port that cannot be reached from a place without a network says nothing: its devices are told along. */
const lineOf = ({ host, port, timeout }: Input): string =>
  `${commandLine(['nc', '-z', '-w', String(Math.ceil(timeout)), host, String(port)])} || { code=$?; cat /proc/net/dev; exit $code; }`;

async function check(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { host, port, timeout, backend } = asked;
  const end = await runLine(lineOf(asked), { timeoutS: timeout + 5, backend }, context);
  if (end.code === 0) return told(asked, 'up', end.ms, '');
  const why = complaint(end, timeout);
  if (onlyLoopback(end.stdout) || /unreachable|name resolution|could not resolve/i.test(end.stderr))
    return told(asked, 'unknown', end.ms, `${why} Commands may have no network here: see backends.yaml.`);
  if (end.code !== NOT_FOUND) return told(asked, 'down', end.ms, why);
  return withoutNetcat({ host, port, timeout, backend }, context);
}

/** Bash can connect by itself, which the gate asks about; so it goes there as a command of its own. */
async function withoutNetcat(asked: Input, { callTool }: ToolContext): Promise<ToolResult> {
  const { host, port, timeout, backend } = asked;
  if (host.includes(':')) return told(asked, 'unknown', 0, 'There is no nc where commands run.');
  const command = commandLine([
    'timeout',
    String(Math.ceil(timeout)),
    'bash',
    '-c',
    `: < /dev/tcp/${host}/${port}`,
  ]);
  const begun = performance.now();
  const result = await callTool('terminal', {
    command,
    timeout_s: Math.ceil(timeout) + 5,
    ...(backend === undefined ? {} : { backend }),
  });
  const ms = Math.round(numberIn(result.data, 'ms') ?? performance.now() - begun);
  const code = numberIn(result.data, 'code');
  if (code === 0) return told(asked, 'up', ms, '');
  const said = textOf(result).split('\n', 1)[0]?.slice(0, 200) ?? '';
  if (code === undefined) return told(asked, 'unknown', ms, `There is no nc where commands run. ${said}`);
  return told(asked, 'down', ms, code === 124 ? `no answer within ${timeout} s` : `refused: ${said}`);
}

const complaint = ({ stderr, stopped }: LineEnd, timeout: number): string =>
  stopped ?? (stderr.trim().split('\n').at(-1)?.slice(0, 200) || `no connection within ${timeout} s`);

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
