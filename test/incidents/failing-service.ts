import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Host, openHost } from '#host';
import { DeployRegistry } from '#kit/deploy-registry';
import type { Incident } from '#spec/data';
import { type ServedHome, serveHome } from '#server';
import {
  alertmanagerPayload,
  type HomeContent,
  type IncidentApi,
  incidentApi,
  type IncidentHome,
  makeIncidentHome,
  type ShownApproval,
  startServiceFeed,
} from '#testkit/incident-home';

export const SERVICE = 'payment-service';
/** How long its new version has failed when the story begins. */
const BAD_MS = 10_000;

/** A service whose new version fails, its deploy registry, and a home that knows of both. Nothing serves it yet. */
export interface FailingService {
  readonly home: IncidentHome;
  readonly registryFile: string;
  registry(): Promise<DeployRegistry>;
  /** As somebody else would change it. */
  change(edit: (registry: DeployRegistry) => void): Promise<void>;
  /** Tells the server at this address of the service, from now on until the test is over. */
  feed(url: () => string): Promise<void>;
  /** The alert about it, as Alertmanager delivers it. */
  readonly alert: (over?: { readonly resolved?: boolean; readonly name?: string }) => object;
}

export async function failingService(content: HomeContent = {}): Promise<FailingService> {
  const since = Date.now() - BAD_MS;
  const home = await makeIncidentHome(content);
  onTestFinished(() => home.remove());
  const registryFile = join(home.folder, 'deployments.json');
  const backends = {
    telemetry: [{ type: 'json_file', path: registryFile }, ...(content.telemetry ?? [])],
    executors: [{ type: 'demo_file', state_file: registryFile }],
  };
  // JSON is YAML.
  await writeFile(join(home.folder, 'backends.yaml'), JSON.stringify(backends));
  const registry = async () => DeployRegistry.parse(JSON.parse(await readFile(registryFile, 'utf8')));
  const write = async (value: DeployRegistry) => {
    await writeFile(`${registryFile}.new`, JSON.stringify(value));
    await rename(`${registryFile}.new`, registryFile);
  };
  await write(brokenRegistry(since));
  return {
    home,
    registryFile,
    registry,
    change: async (edit) => {
      const value = await registry();
      edit(value);
      await write(value);
    },
    feed: async (url) => {
      let bad = true;
      const look = setInterval(() => {
        void registry().then(({ services }) => (bad = Boolean(services[SERVICE]?.canary)));
      }, 200);
      const services = () => [{ name: SERVICE, since, bad }];
      const feed = startServiceFeed({ url, token: home.token, services });
      onTestFinished(() => {
        clearInterval(look);
        feed.close();
      });
      await feed.push();
    },
    alert: ({ resolved = false, name = 'HighErrorRate' } = {}) =>
      alertmanagerPayload([
        { name, service: SERVICE, startsAt: since + BAD_MS, ...(resolved ? { endsAt: Date.now() } : {}) },
      ]),
  };
}

const brokenRegistry = (since: number): DeployRegistry =>
  DeployRegistry.parse({
    services: {
      [SERVICE]: { version: 'v1', previous: 'v0', canary: { version: 'v2', weight: 50 }, replicas: 2 },
    },
    history: [
      {
        id: 'dep-1',
        time: new Date(since).toISOString(),
        service: SERVICE,
        kind: 'deploy',
        summary: `${SERVICE} v2: a new client of the card gateway`,
        details: { from: 'v1', to: 'v2' },
      },
    ],
  });

export interface ServedStory extends FailingService {
  readonly host: Host;
  readonly served: ServedHome;
  readonly api: IncidentApi;
  /** The alert is in, and the request for agreement is there. */
  asked(): Promise<{ readonly incident: Incident; readonly approval: ShownApproval }>;
}

/** The same, served in this process, with telemetry coming in unless told otherwise. */
export async function servedStory(content: HomeContent = {}, fed = true): Promise<ServedStory> {
  const story = await failingService(content);
  const host = await openHost({ env: story.home.env, version: '0.0.0' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const api = incidentApi(() => served.url, story.home.token);
  if (fed) await story.feed(() => served.url);
  return { ...story, host, served, api, asked: () => askedFor(api, story.alert()) };
}

export async function askedFor(
  api: IncidentApi,
  alert: object,
): Promise<{ readonly incident: Incident; readonly approval: ShownApproval }> {
  const { status } = await api.send('POST', '/gateway/alertmanager', alert);
  if (status !== 200) throw new Error(`the alert was answered with ${status}`);
  const approval = await api.until('a request for agreement', async () => (await api.approvals())[0]);
  return { approval, incident: (await api.incident(approval.incident)).incident };
}

/** Resolves when an incident is in one of these states. */
export const reached = (api: IncidentApi, id: string, ...states: Incident['state'][]): Promise<Incident> =>
  api.until(`${id} is ${states.join(' or ')}`, async () => {
    const { incident } = await api.incident(id);
    return states.includes(incident.state) ? incident : undefined;
  });
