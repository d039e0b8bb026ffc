import { connect } from 'node:net';
import type { WorkflowDeps } from '#engines/skills';
import type { ToolPowers } from '#spec/ports';

type WorldCheck = Parameters<WorkflowDeps['check']>[0];
type Found = Awaited<ReturnType<WorkflowDeps['check']>>;

const PROBE_MS = 2_000;
const MOST_BYTES = 64 * 1024;

/** What a workflow asks for before and after its steps, looked at from this machine. */
export async function checkWorld(
  check: WorldCheck,
  {
    powers,
    env,
  }: { readonly powers: ToolPowers; readonly env: Readonly<Record<string, string | undefined>> },
  signal: AbortSignal,
): Promise<Found> {
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
      return { holds: await listens(check.host, Number(check.port), signal) };
    case 'http_ok': {
      const { status } = await powers.web.fetch(
        { url: check.url, maxBytes: MOST_BYTES, timeoutMs: 10_000 },
        signal,
      );
      return { holds: status >= 200 && status < 300, detail: `HTTP ${status}` };
    }
    case 'container_running':
      // Asking an engine for containers is a command, which only a step may run.
      return undefined;
  }
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
