import { existsSync } from 'node:fs';
import { alertSources } from '#adapters/alerts';
import type { Language } from '#kit/language';
import { formatProblem } from '#config';
import { findUnread } from '../config/find-unread.ts';
import type { HomeFile } from '../home.ts';
import { readGateway } from '../incidents/alert-routes.ts';
import { readIncidentFile } from '../incidents/incident-file.ts';
import { mcpSecretValues } from '../mcp/host-mcp.ts';
import type { Host } from '../open-host.ts';
import { readUsers } from '../served/home-users.ts';
import { readBackends } from '../tools/home-backends.ts';
import type { Finding } from '#app/doctor';

type Needs = Pick<Host, 'home' | 'loaded' | 'plugins' | 'skills'>;

/** How each file that people write is read. Reading throws an `AppError` with file, line and column. */
const READERS: readonly (readonly [HomeFile, (host: Needs) => Promise<unknown>])[] = [
  ['backends.yaml', async (host) => readBackends(host.home, host.loaded, (await host.plugins()).sandboxes)],
  ['mcp_config.json', ({ home, loaded }) => mcpSecretValues(home, loaded)],
  [
    'gateway.yaml',
    async ({ home }) =>
      readGateway(
        home,
        (await alertSources()).map(({ name }) => name),
      ),
  ],
  ['incidents.yaml', ({ home }) => readIncidentFile(home)],
  ['users.yaml', readUsers],
];

/** A look at every file that is there, under its own name. */
export const fileLooks = (host: Needs): readonly (readonly [name: string, look: () => Promise<Finding>])[] =>
  READERS.filter(([name]) => existsSync(host.home.file(name))).map(([name, read]) => [
    name,
    async () => {
      await read(host);
      return { state: 'good', detail: host.home.file(name) };
    },
  ]);

/** What is configured and read by nothing. */
export async function lookForUnread(host: Needs, language: Language): Promise<Finding> {
  const unread = await findUnread(host);
  if (unread.length === 0) return { state: 'good', detail: '–' };
  const lines = unread.map((problem) => formatProblem(problem, language));
  return { state: 'warn', detail: lines.join('\n') };
}
