import { MCP_SCOPES, mcpServer } from '#adapters/bridges';
import { mcpServed } from '#app/agent-api';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import type { Host } from '../open-host.ts';

type Needs = Pick<Host, 'database' | 'gate' | 'loaded' | 'version'>;

export interface ServeMcpOptions {
  /** Over HTTP on this port of the loopback address; without it, over standard input and output. */
  readonly port?: number | undefined;
  readonly scopes: readonly string[];
  readonly log: (text: string) => void;
  readonly signal: AbortSignal;
}

const TOKEN = 'HERMES_MCP_TOKEN';

/** Serves until the client leaves or the signal comes. Deciding about approvals has to be asked for by its scope. */
export async function serveMcp(host: Needs, options: ServeMcpOptions): Promise<void> {
  for (const scope of options.scopes) checkScope(scope);
  const server = mcpServer({
    version: host.version,
    served: mcpServed(host),
    scopes: options.scopes,
    log: options.log,
  });
  const stopped = new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve();
    else options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (options.port === undefined) {
    const open = await server.stdio();
    await Promise.race([open.closed, stopped]);
    await open.close();
    return;
  }
  const token = host.loaded.env[TOKEN];
  if (!token) throw fail('config.invalid', `${TOKEN} is not set: nobody could be let in`, `Put it into .env`);
  const open = await server.http({ port: options.port, token });
  options.log(open.url);
  await stopped;
  await open.close();
}

function checkScope(scope: string): void {
  const known: readonly string[] = MCP_SCOPES;
  if (known.includes(scope)) return;
  const meant = nearest(scope, known);
  throw fail(
    'input.invalid',
    `there is no scope '${scope}'`,
    meant ? `Did you mean '${meant}'?` : known.join(', '),
  );
}
