import { connect } from 'node:net';
import type { WorkflowDeps } from '#engines/skills';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { ToolPowers, ToolResult } from '#spec/ports';

type WorldCheck = Parameters<WorkflowDeps['check']>[0];
type Found = Awaited<ReturnType<WorkflowDeps['check']>>;

export interface CheckPlace {
  readonly powers: Pick<ToolPowers, 'files' | 'program' | 'web'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls a tool through the gate, for the run that is checked. */
  readonly callTool: (name: string, input: unknown) => Promise<ToolResult>;
}

const PROBE_MS = 2_000;
const HTTP_S = 10;
const MOST_BYTES = 64 * 1024;

/**
 * What a workflow asks for before and after its steps, looked at from this machine. An address elsewhere is told
 * something by being asked: that is a call like any other, and passes the gate.
 */
export async function checkWorld(check: WorldCheck, place: CheckPlace, signal: AbortSignal): Promise<Found> {
  const { powers, env } = place;
  switch (check.type) {
    case 'file_exists':
      return { holds: (await powers.files.stat(check.path)) !== undefined };
    case 'command_available':
      return { holds: powers.program(check.command) !== undefined };
    case 'env_set':
      return { holds: Boolean(env[check.name]) };
    case 'port_available':
      return { holds: !(await listens('127.0.0.1', Number(check.port), signal)) };
    case 'port_open':
      if (isHere(check.host)) return { holds: await listens(check.host, Number(check.port), signal) };
      return portElsewhere(check, place);
    case 'http_ok':
      return statusHolds(await statusOf(check.url, place, signal));
    case 'container_running':
      // Asking an engine for containers is a command, which only a step may run.
      return undefined;
  }
}

/** This machine by its usual names. A name that only leads here has to be asked for, which others hear. */
const isHere = (host: string): boolean => /^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(host);

async function statusOf(
  url: string,
  { powers, callTool }: CheckPlace,
  signal: AbortSignal,
): Promise<unknown> {
  if (isHere(URL.parse(url)?.hostname ?? '')) {
    const asked = { url, maxBytes: MOST_BYTES, timeoutMs: HTTP_S * 1_000 };
    return (await powers.web.fetch(asked, signal)).status;
  }
  return dataOf(await callTool('http_request', { url, timeout: HTTP_S })).status;
}

const statusHolds = (status: unknown): Found => ({
  holds: typeof status === 'number' && status >= 200 && status < 300,
  detail: typeof status === 'number' ? `HTTP ${status}` : 'no answer',
});

async function portElsewhere(
  { host, port }: Extract<WorldCheck, { type: 'port_open' }>,
  { callTool }: CheckPlace,
): Promise<Found> {
  const { state, message } = dataOf(await callTool('tcp_check', { host, port: Number(port) }));
  if (state !== 'up' && state !== 'down') return undefined;
  return { holds: state === 'up', ...(typeof message === 'string' && message ? { detail: message } : {}) };
}

/** What a call found. One that was not allowed has found nothing. */
function dataOf({ data, content, summary }: ToolResult): Readonly<Record<string, unknown>> {
  const [first] = content;
  if (first?.type === 'text' && first.text.startsWith('Not allowed: '))
    throw fail('tool.refused', summary || first.text);
  return isRecord(data) ? data : {};
}

function listens(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
