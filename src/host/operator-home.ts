import { join } from 'node:path';
import { type OperatorHome, type OwnFacts, routeByRules as route } from '#app/operator';
import type { OperatorPlan, RouteMessage } from '#spec/ports';
import { lastLines, LOG_FILES } from '#adapters/log';
import { ConfigSchema, listConfigValues } from '#config';
import { modelsAtHand } from './models/list-known.ts';
import type { Host } from './open-host.ts';
import { packageFolder } from './shipped.ts';
import { viewPlugins } from './home-plugins.ts';
import { openOwnReach } from './reach/open-reach.ts';
import { readUsers } from './served/home-users.ts';

type Needs = Omit<OperatorHome, 'own'> &
  Pick<Host, 'home' | 'loaded' | 'log' | 'mcp' | 'models' | 'onClose' | 'plugins'>;

/** What the built-in operator is to say and do about a message in this home. */
export const routeByRules = (
  host: Needs,
  ...said: Parameters<RouteMessage>
): Promise<OperatorPlan | undefined> => route(operatorHome(host), ...said);

const operatorHome = (host: Needs): OperatorHome => ({ ...host, own: ownFacts(host) });

/** Of a line of the log, what belongs to nobody: who asked, and in which conversation, is told to no other. */
const loggedLine = (record: Readonly<Record<string, unknown>>): string =>
  ['at', 'level', 'event', 'method', 'route', 'status', 'part', 'code', 'error']
    .flatMap((name) =>
      typeof record[name] === 'string' || typeof record[name] === 'number' ? [String(record[name])] : [],
    )
    .join('  ');

const ownFacts = (host: Needs): OwnFacts => ({
  root: host.home.root,
  logs: host.home.dir('logs'),
  lastLogged: async (lines) => {
    const paths = LOG_FILES.map((name) => join(host.home.dir('logs'), name));
    return (await lastLines(paths, lines))?.flatMap(({ record }) => (record ? [loggedLine(record)] : []));
  },
  shipped: packageFolder,
  settingsFile: host.loaded.path,
  changedSettings: () => {
    const usual = new Map(
      listConfigValues(ConfigSchema.parse({})).map(({ path, value }) => [path, JSON.stringify(value)]),
    );
    return listConfigValues(host.loaded.config).filter(
      ({ path, value }) => usual.get(path) !== JSON.stringify(value),
    );
  },
  reach: () => openOwnReach(host),
  modelsAtHand: () => modelsAtHand(host.loaded),
  users: () => readUsers(host),
  mcpServers: async () => (await (await host.mcp(process.cwd()))?.status()) ?? [],
  pluginStates: (language) => viewPlugins(host, language),
});
