import type { McpClients, McpServerStatus } from '#adapters/bridges';
import { tell, type Text } from '#kit/text';
import { fail } from '#kit/app-error';
import type { Probed } from '#spec/data';
import type { Host } from '../open-host.ts';
import type { AskingManner, PartReachable } from '#app/status';

type Needs = Pick<Host, 'log' | 'mcp'>;

/** How the error of a server begins that lacks variables. */
const NOT_SET = 'not set:';

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
        missing: { what: tell('It is switched off.', '已关闭。'), fix: 'mcp_config.json: disabled: false' },
      };
    if (error?.startsWith(NOT_SET))
      return {
        name: server,
        missing: {
          what: tell(`A variable is ${error}.`, `有变量未设置：${error.slice(NOT_SET.length).trim()}。`),
          fix: tell('Put it into .env.', '写入 .env。'),
        },
      };
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
  if (now?.state === 'ready') return { state: 'reached', detail: toolsOf(now) };
  if (!onDemand) {
    if (now?.state === 'failed')
      throw fail('backend.unreachable', now.error ?? tell('It does not start.', '无法启动。'));
    return { state: 'not_probed', because: tell('It is started when it is needed.', '需要时才启动。') };
  }
  await clients.refresh(server, signal);
  return { state: 'reached', detail: toolsOf(await statusOf(clients, server)) };
}

const toolsOf = (status: McpServerStatus | undefined): Text =>
  tell(`${status?.tools ?? 0} tools`, `${status?.tools ?? 0} 个工具`);

const statusOf = async (clients: McpClients, server: string): Promise<McpServerStatus | undefined> =>
  (await clients.status()).find((one) => one.server === server);
