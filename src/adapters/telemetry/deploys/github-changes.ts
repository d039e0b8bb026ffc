import { z } from 'zod';
import type { Change } from '#spec/data';
import type { AskedQuery, ChangesSource, TelemetryScope } from '#spec/ports';
import { AppError, fail, messageOf } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import { redact } from '#kit/redact';
import type { Connection, QueryParameters } from '../wire/open-connection.ts';
import { windowMs } from '../wire/time-window.ts';
import { collectChanges } from './change-collection.ts';

const Instant = z.iso.datetime({ offset: true });
const Deployment = z.object({
  id: z.number(),
  sha: z.string(),
  ref: z.string(),
  environment: z.string(),
  description: z.string().nullish(),
  created_at: Instant,
  creator: z.object({ login: z.string() }).nullish(),
  payload: z.unknown(),
});
const Status = z.object({ state: z.string(), created_at: Instant });
const Compared = z.object({
  commits: z.array(
    z.object({
      sha: z.string(),
      commit: z.object({ message: z.string(), author: z.object({ name: z.string() }).nullish() }),
    }),
  ),
  files: z.array(z.object({ filename: z.string(), patch: z.string().optional() })).optional(),
});
type Deployment = z.infer<typeof Deployment>;
type Compared = z.infer<typeof Compared>;

interface WatchedRepository {
  readonly repository: string;
  readonly service: string;
  readonly environments: readonly string[];
}

export interface GithubChangesOptions {
  readonly connection: Connection;
  readonly repositories: readonly WatchedRepository[];
}

const PAGE = 100;
const MOST_PAGES = 5;
/** Deployments that are looked at closely, the newest first: each asks for its statuses and the comparison. */
const MOST_LOOKUPS = 20;
/** So many failed ones in a row are looked past. */
const MOST_FAILED = 5;
const LONGEST_DIFF = 8_000;
const MOST_COMMITS = 30;

interface Asking {
  get<T>(schema: z.ZodType<T>, path: string, parameters: QueryParameters, signal: AbortSignal): Promise<T>;
}

/** Deployments of GitHub, with the commits that each brought. One that never became active is no change. */
export function githubChanges({ connection, repositories }: GithubChangesOptions): ChangesSource {
  const asking: Asking = {
    get: async (schema, path, parameters, signal) => {
      const read = schema.safeParse(await connection.read(path, parameters, signal));
      if (!read.success)
        throw fail(
          'backend.bad_response',
          tell(`GitHub answered ${path} in an unknown shape.`, `GitHub 对 ${path} 的应答格式未知。`),
        );
      return read.data;
    },
  };
  return {
    name: 'github',
    async changes(scope, signal) {
      const wanted = repositories.filter(({ service }) => scope.services?.includes(service) ?? true);
      const found: Change[] = [];
      const asked: AskedQuery[] = [];
      let [cut, failed] = [false, undefined as AppError | undefined];
      for (const watched of wanted) {
        const began = performance.now();
        const query = `GET /repos/${watched.repository}/deployments`;
        const link = connection.link(`/${watched.repository}/deployments`);
        const told = (count: number, problem?: Text): AskedQuery => ({
          query,
          link,
          found: count,
          ms: Math.round(performance.now() - began),
          ...(problem === undefined ? {} : { problem }),
        });
        try {
          const changes = await changesOf(asking, watched, scope, signal);
          found.push(...changes.items);
          cut ||= changes.cut;
          asked.push(told(changes.items.length));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          failed ??= error;
          asked.push(told(0, messageOf(error.record)));
        }
      }
      if (failed && asked.every(({ problem }) => problem !== undefined)) throw failed;
      return collectChanges(found, scope, asked, cut);
    },
  };
}

async function changesOf(
  asking: Asking,
  { repository, service, environments }: WatchedRepository,
  scope: TelemetryScope,
  signal: AbortSignal,
): Promise<{ items: Change[]; cut: boolean }> {
  const { from, to } = windowMs(scope.window);
  const base = `/repos/${repository}`;
  const listed = await deployments(asking, base, from, signal);
  const own = listed.filter(({ environment }) => !environments.length || environments.includes(environment));
  const inWindow = own.filter(
    ({ created_at }) => Date.parse(created_at) <= to && Date.parse(created_at) >= from - 3_600_000,
  );
  const items: Change[] = [];
  const known = new Map<number, Promise<string | undefined>>();
  const activeAt = (deployment: Deployment): Promise<string | undefined> => {
    const found = known.get(deployment.id) ?? becameActive(asking, base, deployment, signal);
    known.set(deployment.id, found);
    return found;
  };
  for (const deployment of inWindow.slice(0, MOST_LOOKUPS)) {
    const time = await activeAt(deployment);
    if (time === undefined) continue;
    const older = own.slice(own.indexOf(deployment) + 1);
    const previous = await lastActive(
      older.filter(({ environment }) => environment === deployment.environment),
      activeAt,
    );
    const compared = previous && (await compare(asking, base, previous.sha, deployment.sha, signal));
    items.push(changeOf(deployment, previous, compared, { repository, service, activeAt: time }));
  }
  return { items, cut: inWindow.length > MOST_LOOKUPS };
}

/** What ran before: the newest that became active, of the few before. */
async function lastActive(
  older: readonly Deployment[],
  activeAt: (deployment: Deployment) => Promise<string | undefined>,
): Promise<Deployment | undefined> {
  for (const deployment of older.slice(0, MOST_FAILED)) {
    if ((await activeAt(deployment)) !== undefined) return deployment;
  }
  return undefined;
}

/** The newest first, down to the first one before the window, and the page that it is on. */
async function deployments(
  asking: Asking,
  base: string,
  fromMs: number,
  signal: AbortSignal,
): Promise<Deployment[]> {
  const found: Deployment[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const some = await asking.get(
      z.array(Deployment),
      `${base}/deployments`,
      { per_page: PAGE, page },
      signal,
    );
    found.push(...some);
    const last = some.at(-1);
    if (some.length < PAGE || !last || Date.parse(last.created_at) < fromMs - 7 * 86_400_000) break;
  }
  return found;
}

/** When it went live. Undefined: it never did. Without any status, its making counts. */
async function becameActive(
  asking: Asking,
  base: string,
  { id, created_at }: Deployment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const statuses = await asking.get(
    z.array(Status),
    `${base}/deployments/${id}/statuses`,
    { per_page: PAGE },
    signal,
  );
  if (!statuses.length) return created_at;
  // The newest first; `inactive` is said of one that another has replaced.
  const live = statuses.findLast(({ state }) => state === 'success');
  if (live) return live.created_at;
  const isUnderWay = statuses.some(({ state }) => state === 'in_progress');
  const hasFailed = statuses.some(({ state }) => state === 'failure' || state === 'error');
  return isUnderWay && !hasFailed
    ? statuses.findLast(({ state }) => state === 'in_progress')?.created_at
    : undefined;
}

/** What lies between two commits; undefined where GitHub cannot tell, as after a forced push. */
async function compare(
  asking: Asking,
  base: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Compared | undefined> {
  const path = `${base}/compare/${encodeURIComponent(from)}...${encodeURIComponent(to)}`;
  try {
    return await asking.get(Compared, path, { per_page: MOST_COMMITS }, signal);
  } catch (error) {
    if (error instanceof AppError && error.record.code === 'backend.bad_response') return undefined;
    throw error;
  }
}

function changeOf(
  { id, sha, ref, environment, description, creator }: Deployment,
  previous: Deployment | undefined,
  compared: Compared | undefined,
  { repository, service, activeAt }: { repository: string; service: string; activeAt: string },
): Change {
  const name = ({ ref: label, sha: commit }: Pick<Deployment, 'ref' | 'sha'>): string =>
    /^v?\d/.test(label) ? label : commit.slice(0, 8);
  const to = name({ ref, sha });
  const from = previous && name(previous);
  const commits = (compared?.commits ?? []).slice(-MOST_COMMITS);
  const titles = commits.map(({ commit }) => commit.message.split('\n', 1)[0] ?? '');
  const files = compared?.files ?? [];
  const diff = files.map(({ filename, patch }) => `+++ ${filename}\n${patch ?? ''}`).join('\n');
  const about = titles.at(-1) ?? description ?? '';
  return {
    id: `github/${repository}/${id}`,
    kind: 'deploy',
    service,
    time: activeAt,
    summary: `Deployed ${repository} ${to} to ${environment}${from === undefined ? '' : ` from ${from}`}${about ? `: ${about}` : ''}`,
    details: {
      repository,
      environment,
      ref,
      to,
      version: to,
      commit: sha,
      ...(from === undefined ? {} : { from }),
      ...(creator ? { by: creator.login } : {}),
      ...(commits.length
        ? {
            commits: commits.map(({ sha: one, commit }, at) => ({
              sha: one,
              title: titles[at],
              author: commit.author?.name,
            })),
          }
        : {}),
      ...(files.length
        ? {
            files: files.map(({ filename }) => filename).slice(0, 100),
            diff: redact(diff).slice(0, LONGEST_DIFF),
          }
        : {}),
    },
  };
}
