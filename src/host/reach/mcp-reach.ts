import type { McpClients, McpServerStatus } from '#adapters/bridges';
import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import type { Probed } from '#spec/data';
import type { Host } from '../open-host.ts';
import type { AskingManner, PartReachable } from '#app/status';

type Needs = Pick<Host, 'log' | 'mcp'>;

/** The servers of `mcp_config.json`. A file that cannot be read is told of where files are. */
export async function mcpReach(host: Needs, manner: AskingManner): Promise<PartReachable[]> {
  const clients = await host.mcp(process.cwd()).catch((thrown: unknown) => {
    host.log.warn('part.failed', { part: 'mcp_config.json', thrown });
    return undefined;
  });
  if (!clients) return [];
  return (await clients.status()).map(({ server, state, error }) => {
    if (state === 'off')
      return {
        name: server,
        missing: { what: 'It is switched off.', fix: 'mcp_config.json: disabled: false' },
      };
    if (error?.startsWith('not set:'))
      return { name: server, missing: { what: `A variable is ${error}.`, fix: 'Put it into .env.' } };
    return { name: server, probe: (signal) => probeServer(clients, server, manner, signal) };
  });
}

/** A program is only started for somebody who waits for the answer; one that runs is looked at. */
async function probeServer(
  clients: McpClients,
  server: string,
  { onDemand }: AskingManner,
  signal: AbortSignal,
): Promise<Probed> {
  const now = await statusOf(clients, server);
  if (now?.state === 'ready') return { state: 'reached', detail: `${now.tools} tools` };
  if (!onDemand) {
    if (now?.state === 'failed') throw fail('backend.unreachable', now.error ?? 'It does not start.');
    return { state: 'not_probed', because: tell('It is started when it is needed.', '需要时才启动。') };
  }
  await clients.refresh(server, signal);
  return { state: 'reached', detail: `${(await statusOf(clients, server))?.tools ?? 0} tools` };
}

const statusOf = async (clients: McpClients, server: string): Promise<McpServerStatus | undefined> =>
  (await clients.status()).find((one) => one.server === server);
