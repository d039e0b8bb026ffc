import { type FaultSwitch, withFaults } from '#testkit/api-faults';
import { type LoopbackAnswer, type SeenRequest, startLoopback } from '#testkit/web';

interface Status {
  readonly id: number;
  readonly state: string;
  readonly created_at: string;
}

interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly environment: string;
  readonly task: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly creator: { readonly login: string };
  readonly payload: object;
}

interface NewGithubDeployment {
  readonly sha: string;
  readonly at: string;
  readonly ref?: string;
  readonly environment?: string;
}

export interface GithubDeployments {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Gives its id. */
  deploy(repository: string, deployment: NewGithubDeployment): number;
  status(repository: string, deployment: number, state: string, at: string): void;
  fail: FaultSwitch['fail'];
  close(): Promise<void>;
}

const PATH = /^\/repos\/([^/]+\/[^/]+)\/(?:deployments(?:\/(\d+)\/statuses)?|compare\/(.+)\.\.\.(.+))$/;

/** Compared commits have one commit and one file between them. */
export async function startGithubDeployments(token: string): Promise<GithubDeployments> {
  const deployments = new Map<string, Deployment[]>();
  const statuses = new Map<number, Status[]>();
  let next = 1;

  const handle = (request: SeenRequest): LoopbackAnswer => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: 'Bad credentials', status: '401' } };
    if (request.path === '/rate_limit')
      return { body: { resources: { core: { limit: 5_000, remaining: 4_990, reset: 0, used: 10 } } } };
    const [, repository = '', id, from, to] = PATH.exec(request.path) ?? [];
    const known = deployments.get(repository);
    if (request.method !== 'GET' || !known)
      return { status: 404, body: { message: 'Not Found', status: '404' } };
    if (from !== undefined && to !== undefined) return { body: comparison(from, to) };
    return {
      body: paged<object>(id === undefined ? known : (statuses.get(Number(id)) ?? []), request.query),
    };
  };
  const faults = withFaults(handle, (status, message) => ({ message, status: String(status) }));
  const server = await startLoopback(faults.handler);
  return {
    url: server.url,
    requests: server.requests,
    deploy: (repository, { sha, at, ref = 'main', environment = 'production' }) => {
      const id = next++;
      const creator = { login: 'mona' };
      const deployment = {
        id,
        sha,
        ref,
        environment,
        task: 'deploy',
        description: null,
        created_at: at,
        creator,
        payload: {},
      };
      const all = [...(deployments.get(repository) ?? []), deployment];
      // The newest first, as GitHub lists them.
      deployments.set(
        repository,
        all.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)),
      );
      return id;
    },
    status: (_, deployment, state, at) => {
      statuses.set(deployment, [{ id: next++, state, created_at: at }, ...(statuses.get(deployment) ?? [])]);
    },
    fail: faults.fail,
    close: () => server.close(),
  };
}

function paged<T>(list: readonly T[], query: URLSearchParams): T[] {
  const size = Number(query.get('per_page') ?? 30);
  const page = Number(query.get('page') ?? 1);
  return list.slice((page - 1) * size, page * size);
}

const comparison = (from: string, to: string): object => ({
  status: 'ahead',
  ahead_by: 1,
  base_commit: { sha: from },
  commits: [
    {
      sha: to,
      commit: {
        message: 'Shrink the pool\n\nIt was too large.',
        author: { name: 'Mona', date: '2026-05-01T09:00:00Z' },
      },
    },
  ],
  files: [
    {
      filename: 'src/pool.ts',
      status: 'modified',
      patch: '@@ -1 +1 @@\n-const POOL = 20;\n+const POOL = 2; // key sk-abcdefghijklmnop1234',
    },
  ],
});
