import { createHash } from 'node:crypto';
import { type FaultSwitch, withFaults } from '#testkit/api-faults';
import { type LoopbackAnswer, type SeenRequest, startLoopback } from '#testkit/web';
import { type ArgoApplication, ArgoRefusal } from './application.ts';
import { finish, rollback, sync } from './operations.ts';

interface ArgocdOptions {
  readonly token: string;
  readonly now?: () => number;
  /** Whether it shows manifests of resources as they are in the cluster. */
  readonly manifests?: boolean;
}

interface NewApplication {
  readonly name: string;
  readonly namespace?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The image without its tag. */
  readonly image: string;
  /** It follows its repository by itself. */
  readonly autoSync?: boolean;
}

/** Something that took effect. */
interface ArgoChange {
  readonly application: string;
  readonly what: 'rollback' | 'sync' | 'restart' | 'terminate';
  readonly body: unknown;
}

export interface ArgocdServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** What clients have set off: neither refused nor a dry run. */
  readonly changes: readonly ArgoChange[];
  addApplication(application: NewApplication): void;
  /** Somebody releases a tag: a commit, an operation and an entry of the history. Gives the commit. */
  release(
    name: string,
    tag: string,
    by?: { readonly username?: string; readonly automated?: boolean },
  ): string;
  application(name: string): ArgoApplication;
  setAutoSync(name: string, on: boolean): void;
  /** Operations that begin stay running until `finish`. */
  hold(on: boolean): void;
  finish(name: string, failure?: string): void;
  fail: FaultSwitch['fail'];
  close(): Promise<void>;
}

interface Commit {
  readonly message: string;
  readonly author: string;
  readonly date: string;
  readonly images: readonly string[];
}

interface State {
  readonly now: () => number;
  readonly apps: Map<string, ArgoApplication>;
  readonly commits: Map<string, Commit>;
  readonly images: Map<string, string>;
  readonly heads: Map<string, string>;
  readonly changes: ArgoChange[];
  readonly manifests: boolean;
  /** When the resource of an application was last restarted. */
  readonly restarts: Map<string, string>;
  version: number;
  held: boolean;
}

/** An Argo CD API server. Operations end when the application is next looked at, unless they are held. */
export async function startArgocdServer({
  token,
  now = Date.now,
  manifests = false,
}: ArgocdOptions): Promise<ArgocdServer> {
  const state: State = {
    now,
    apps: new Map(),
    commits: new Map(),
    images: new Map(),
    heads: new Map(),
    changes: [],
    manifests,
    restarts: new Map(),
    version: 100,
    held: false,
  };
  const handle = (request: SeenRequest): LoopbackAnswer => {
    try {
      const given = request.headers.authorization;
      if (!given) throw new ArgoRefusal(401, 16, 'no session information');
      if (given !== `Bearer ${token}`)
        throw new ArgoRefusal(401, 16, 'invalid session: token signature is invalid');
      return route(state, request);
    } catch (error) {
      if (error instanceof ArgoRefusal) return { status: error.status, body: error.body() };
      throw error;
    }
  };
  const faults = withFaults(handle, (status, message) => ({
    error: message,
    code: { 401: 16, 403: 7, 429: 8 }[status] ?? 13,
    message,
  }));
  const server = await startLoopback(faults.handler);
  return {
    url: server.url,
    requests: server.requests,
    changes: state.changes,
    ...stage(state),
    fail: faults.fail,
    close: () => server.close(),
  };
}

const controller = (state: State, app: ArgoApplication) => ({
  app,
  now: state.now,
  imagesOf: (revision: string) => state.commits.get(revision)?.images ?? [],
});

type Stage = Pick<
  ArgocdServer,
  'addApplication' | 'release' | 'application' | 'setAutoSync' | 'hold' | 'finish'
>;

/** What a test arranges and looks at, past the API. */
function stage(state: State): Stage {
  const known = (name: string): ArgoApplication => {
    const app = state.apps.get(name);
    if (!app) throw new Error(`there is no application ${name} in this test`);
    return app;
  };
  return {
    addApplication: (wanted) => {
      state.images.set(wanted.name, wanted.image);
      state.apps.set(wanted.name, newApplication(state, wanted));
    },
    release: (name, tag, by = { username: 'ci' }) => {
      const app = known(name);
      const revision = createHash('sha1').update(`${name} ${tag}`).digest('hex');
      const at = new Date(state.now()).toISOString();
      const images = [`${state.images.get(name)}:${tag}`];
      state.commits.set(revision, {
        message: `Release ${name} ${tag}`,
        author: 'Mona <mona@example.com>',
        date: at,
        images,
      });
      state.heads.set(name, revision);
      app.operation = { sync: { revision }, initiatedBy: { ...by } };
      app.status.operationState = { operation: app.operation, phase: 'Running', message: '', startedAt: at };
      finish(controller(state, app));
      return revision;
    },
    application: (name) => structuredClone(known(name)),
    setAutoSync: (name, on) => {
      const { spec } = known(name);
      if (on) spec.syncPolicy = { automated: { prune: false, selfHeal: false } };
      else delete spec.syncPolicy;
    },
    hold: (on) => {
      state.held = on;
    },
    finish: (name, failure) => finish(controller(state, known(name)), failure),
  };
}

function newApplication(state: State, wanted: NewApplication): ArgoApplication {
  const { name, namespace = 'prod', project = 'default', labels, autoSync } = wanted;
  const at = `${new Date(state.now()).toISOString().slice(0, 19)}Z`;
  return {
    metadata: {
      name,
      namespace: 'argocd',
      uid: `uid-${name}`,
      resourceVersion: String(state.version),
      creationTimestamp: at,
      ...(labels ? { labels: { ...labels } } : {}),
    },
    spec: {
      project,
      source: { repoURL: 'https://git.example.com/shop/deploy.git', path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace },
      ...(autoSync ? { syncPolicy: { automated: { prune: false, selfHeal: false } } } : {}),
    },
    status: {
      sync: { status: 'Synced', revision: '' },
      health: { status: 'Healthy' },
      history: [],
      summary: { images: [] },
      resources: [
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace,
          name,
          status: 'Synced',
          health: { status: 'Healthy' },
        },
      ],
      reconciledAt: at,
    },
  };
}

const PATH = /^\/api\/v1\/applications(?:\/([^/]+)(?:\/(.+))?)?$/;

function route(state: State, request: SeenRequest): LoopbackAnswer {
  if (request.path === '/api/version') return { body: { Version: 'v2.13.1+af54ef8' } };
  const [whole, name, part] = PATH.exec(request.path) ?? [];
  if (whole === undefined)
    return { status: 404, body: { error: 'Not Found', code: 5, message: 'Not Found' } };
  if (name === undefined) return { body: list(state, request.query) };
  const app = state.apps.get(decodeURIComponent(name));
  // Without the project, an application that is not there looks like one that must not be seen.
  if (!app) {
    if (!request.query.has('project')) throw new ArgoRefusal(403, 7, 'permission denied');
    throw new ArgoRefusal(404, 5, `applications.argoproj.io "${name}" not found`);
  }
  if (!state.held) finish(controller(state, app));
  const answer = act(state, app, request, part);
  state.version += 1;
  if (request.method !== 'GET') app.metadata.resourceVersion = String(state.version);
  return answer;
}

function list(state: State, query: URLSearchParams): object {
  const projects = query.getAll('projects');
  const wanted = (query.get('selector') ?? '')
    .split(',')
    .filter(Boolean)
    .map((term) => term.split(/==?/));
  const items = [...state.apps.values()].filter(
    ({ metadata, spec }) =>
      (query.get('name') ?? metadata.name) === metadata.name &&
      (!projects.length || projects.includes(spec.project)) &&
      wanted.every(([key = '', value]) => metadata.labels?.[key] === value),
  );
  for (const app of items) if (!state.held) finish(controller(state, app));
  return { metadata: { resourceVersion: String(state.version) }, items };
}

function act(
  state: State,
  app: ArgoApplication,
  request: SeenRequest,
  part: string | undefined,
): LoopbackAnswer {
  const { method } = request;
  const { name } = app.metadata;
  const changed = (what: ArgoChange['what'], body: unknown): void => {
    if (!(body as { dryRun?: boolean }).dryRun) state.changes.push({ application: name, what, body });
  };
  const revision = /^revisions\/([^/]+)\/metadata$/.exec(part ?? '')?.[1];
  if (method === 'GET' && part === undefined) return { body: app };
  if (method === 'GET' && revision) return { body: revisionMetadata(state, revision) };
  if (method === 'GET' && part === 'resource' && state.manifests) return { body: manifestOf(state, app) };
  if (method === 'GET' && part === 'resource/actions') return { body: { actions: [{ name: 'restart' }] } };
  if (method === 'POST' && part === 'rollback') {
    const body = sent(request);
    rollback(controller(state, app), body, 'hermes');
    changed('rollback', body);
    return { body: app };
  }
  if (method === 'POST' && part === 'sync') {
    const body = sent(request);
    sync(controller(state, app), body, 'hermes', state.heads.get(name) ?? '');
    changed('sync', body);
    return { body: app };
  }
  if (method === 'POST' && (part === 'resource/actions' || part === 'resource/actions/v2')) {
    const body = part.endsWith('v2')
      ? sent(request)
      : { action: request.json(), ...Object.fromEntries(request.query) };
    if ((body as { action?: unknown }).action !== 'restart')
      throw new ArgoRefusal(400, 3, 'the action is not available for this resource');
    state.restarts.set(name, new Date(state.now()).toISOString());
    changed('restart', body);
    return { body: {} };
  }
  if (method === 'DELETE' && part === 'operation') {
    if (!app.operation)
      throw new ArgoRefusal(400, 3, 'Unable to terminate operation. No operation is in progress');
    finish(controller(state, app), 'Operation terminated');
    changed('terminate', {});
    return { body: {} };
  }
  return { status: 405, body: { error: 'Method Not Allowed', code: 12, message: 'Method Not Allowed' } };
}

/** As JSON inside of JSON. */
function manifestOf(state: State, { metadata, status, spec }: ArgoApplication): object {
  const restartedAt = state.restarts.get(metadata.name);
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: metadata.name, namespace: spec.destination.namespace },
    spec: {
      template: {
        metadata: restartedAt ? { annotations: { 'kubectl.kubernetes.io/restartedAt': restartedAt } } : {},
        spec: { containers: [{ name: 'app', image: status.summary.images[0] }] },
      },
    },
  };
  return { manifest: JSON.stringify(manifest) };
}

function revisionMetadata(state: State, revision: string): object {
  const commit = state.commits.get(revision);
  if (!commit) throw new ArgoRefusal(404, 5, `revision ${revision} not found`);
  return { author: commit.author, date: commit.date, message: commit.message };
}

function sent(request: SeenRequest): Record<string, never> {
  try {
    return request.json() as Record<string, never>;
  } catch (cause) {
    throw new ArgoRefusal(400, 3, (cause as Error).message);
  }
}
