import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  alertmanagerPayload,
  type IncidentApi,
  incidentApi,
  makeIncidentHome,
  type ServingProcess,
  startServiceFeed,
  startServing,
} from '#testkit/incident-home';
import { startReleasePlatform } from '#testkit/release-platform';

const TOKEN = 'token-of-the-release-platform-1';
const BAD_MS = 10_000;
const BYSTANDERS = Array.from({ length: 40 }, (_, n) => `bystander-${n}`);
/** How long the platform works on an order: some are still at work when the next process asks what became of them. */
const workMs = (): number => (Math.random() < 0.3 ? 2_500 : Math.random() * 400);

export interface CrashWorld {
  readonly api: IncidentApi;
  /** Keys of what was carried out, as the platform has counted it. */
  readonly effects: readonly string[];
  /** Orders that came with a key which the platform knew: it answers them and does nothing. */
  repeated(): number;
  /** What the platform has seen of a service so far. */
  seen(service: string): { readonly rehearsals: number; readonly orders: number; readonly done: boolean };
  /** Services that a bad release has just hit, with their history told and their alerts delivered. */
  hit(services: readonly string[]): Promise<void>;
  /** `kill -9`, and a new process at once. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A home that is served by a process of its own, services whose new release fails, and the platform that can take it back:
 * everything but the process lives here, and goes on when that one is killed.
 */
export async function openCrashWorld(names: readonly string[]): Promise<CrashWorld> {
  const platform = await startReleasePlatform({ token: TOKEN });
  platform.acceptOnly(true);
  const home = await makeIncidentHome({
    // No service calls another one: each bad release is an incident of its own. Where there are many services, only those
    // nearby are looked at; the bystanders see to it that there are.
    services: [...names, ...BYSTANDERS].map((service) => ({ service, dependencies: [`${service}-db`] })),
    env: { ACTION_EXECUTION_API_TOKEN: TOKEN },
    incidents: { settle_seconds: 1.5, check_seconds: 0.5, most_checks: 60 },
  });
  const changesFile = join(home.folder, 'changes.json');
  await writeFile(changesFile, '[]');
  const telemetry = [{ type: 'json_file', path: changesFile }];
  const executors = [{ type: 'custom_http', base_url: platform.url, settle_ms: 300 }];
  await writeFile(join(home.folder, 'backends.yaml'), JSON.stringify({ telemetry, executors }));

  let serving: ServingProcess = await startServing(home);
  const api = incidentApi(() => serving.url, home.token);
  const changes: object[] = [];
  const since = new Map<string, number>();
  const feed = startServiceFeed({
    url: () => serving.url,
    token: home.token,
    services: () =>
      [...since].map(([name, at]) => ({
        name,
        since: at,
        bad: platform.service(name).version === 'v2',
      })),
  });
  const orders = () =>
    platform.requests.filter(({ method, path }) => method === 'POST' && path === '/actions').map(orderIn);
  let looked = 0;
  const begun = new Set<string>();
  const worker = setInterval(() => {
    const all = orders();
    for (const { key } of all.slice(looked)) {
      if (!key || begun.has(key)) continue;
      begun.add(key);
      setTimeout(() => platform.finish(key), workMs());
    }
    looked = all.length;
  }, 10);

  return {
    api,
    effects: platform.effects,
    repeated: () => platform.duplicates(),
    seen: (service) => {
      const own = orders().filter((order) => order.service === service);
      return {
        rehearsals: own.filter(({ dry_run }) => dry_run).length,
        orders: own.filter(({ dry_run }) => !dry_run).length,
        done: platform.service(service).version === 'v1',
      };
    },
    hit: async (services) => {
      const at = Date.now() - BAD_MS;
      for (const name of services) {
        platform.add(name, { version: 'v2', previous: 'v1', replicas: 2, config: {} });
        since.set(name, at);
        changes.push({
          id: `deploy-${name}`,
          kind: 'deploy',
          service: name,
          time: new Date(at).toISOString(),
          summary: `${name} v2: a new client of the ledger`,
          details: { from: 'v1', to: 'v2' },
        });
      }
      await writeFile(changesFile, JSON.stringify(changes));
      await feed.push();
      for (const name of services) await delivered(api, name);
    },
    kill: async () => {
      await serving.kill();
      serving = await startServing(home);
    },
    close: async () => {
      clearInterval(worker);
      feed.close();
      await serving.kill();
      await platform.close();
      await home.remove();
    },
  };
}

interface Order {
  readonly service: string;
  readonly key?: string;
  readonly dry_run: boolean;
}
const orderIn = (request: { json(): unknown }): Order => request.json() as Order;

/** Alertmanager sends until it is acknowledged. */
async function delivered(api: IncidentApi, service: string): Promise<void> {
  const alert = alertmanagerPayload([{ name: 'HighErrorRate', service, startsAt: Date.now() }]);
  await api.until('an acknowledgement', async () => {
    const answer = await api.send('POST', '/gateway/alertmanager', alert).catch(() => undefined);
    return answer?.status === 200 || undefined;
  });
}
