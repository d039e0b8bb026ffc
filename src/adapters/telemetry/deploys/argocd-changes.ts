import { z } from 'zod';
import type { Change } from '#spec/data';
import type { AskedQuery, ChangesSource, TelemetryScope } from '#spec/ports';
import { AppError, fail, messageOf } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import { revisionOf } from '#adapters/io/argo-objects';
import type { Connection } from '../wire/open-connection.ts';
import { windowMs } from '../wire/time-window.ts';
import { collectChanges } from './change-collection.ts';
import { versionOfImages } from './image-version.ts';
import type { ServiceNames } from './service-names.ts';

const HistoryEntry = z.object({
  id: z.coerce.number().default(0),
  revision: z.string().optional(),
  revisions: z.array(z.string()).optional(),
  deployedAt: z.iso.datetime({ offset: true }),
  initiatedBy: z.object({ username: z.string().optional(), automated: z.boolean().optional() }).optional(),
});
const Application = z.object({
  metadata: z.object({ name: z.string() }),
  status: z.object({
    history: z.array(HistoryEntry).nullish(),
    summary: z.object({ images: z.array(z.string()).nullish() }).nullish(),
  }),
});
const Applications = z.object({ items: z.array(Application).nullable() });
const Metadata = z.object({ author: z.string().optional(), message: z.string().optional() });
type Application = z.infer<typeof Application>;
type HistoryEntry = z.infer<typeof HistoryEntry>;

export interface ArgocdChangesOptions {
  readonly connection: Connection;
  readonly names: ServiceNames;
  readonly projects: readonly string[];
  readonly selector?: string | undefined;
}

/** Commits are looked up for so many deploys at most. */
const MOST_LOOKUPS = 20;

/** Every entry of an application's history is a deploy of its service. */
export function argocdChanges({
  connection,
  names,
  projects,
  selector,
}: ArgocdChangesOptions): ChangesSource {
  const applications = async (signal: AbortSignal): Promise<Application[]> => {
    const answer = await connection.read('/api/v1/applications', { projects, selector }, signal);
    const read = Applications.safeParse(answer);
    if (!read.success)
      throw fail(
        'backend.bad_response',
        tell('Argo CD gave a list of applications of an unknown shape.', 'Argo CD 给出的应用列表格式未知。'),
      );
    return read.data.items ?? [];
  };
  const told = async (
    name: string,
    revision: string,
    signal: AbortSignal,
  ): Promise<z.infer<typeof Metadata>> => {
    const path = `/api/v1/applications/${encodeURIComponent(name)}/revisions/${encodeURIComponent(revision)}/metadata`;
    return Metadata.parse(await connection.read(path, {}, signal));
  };

  return {
    name: 'argocd',
    async changes(scope, signal) {
      const began = performance.now();
      const query = new URLSearchParams(projects.map((project): [string, string] => ['projects', project]));
      if (selector) query.set('selector', selector);
      const all = await applications(signal);
      const own = all.filter(({ metadata }) => scope.services?.includes(names.ours(metadata.name)) ?? true);
      const deploys = own.flatMap((application) => deploysOf(application, names, scope));
      const shown = collectChanges(
        deploys.map(({ change }) => change),
        scope,
        [],
      );
      const kept = new Set(shown.items.map(({ id }) => id));
      const asked: AskedQuery[] = [
        {
          query: `GET /api/v1/applications${query.size ? `?${query}` : ''}`,
          link: connection.link('/applications'),
          found: shown.items.length,
          ms: Math.round(performance.now() - began),
        },
      ];
      const withCommits = new Map<string, Change>();
      for (const { application, revision, change } of deploys
        .filter((one) => kept.has(one.change.id))
        .slice(-MOST_LOOKUPS)) {
        const { problem, ...commit } = await lookUp(() => told(application, revision, signal));
        if (problem)
          asked.push({
            query: `GET …/${application}/revisions/${revision}/metadata`,
            found: 0,
            ms: 0,
            problem,
          });
        withCommits.set(change.id, { ...change, details: { ...change.details, ...commit } });
        // One refusal is enough: the others would be refused alike.
        if (problem) break;
      }
      return { ...shown, items: shown.items.map((change) => withCommits.get(change.id) ?? change), asked };
    },
  };
}

/** The words of the commit, or why there are none: the repository is not always in Argo CD's reach. */
async function lookUp(
  ask: () => Promise<z.infer<typeof Metadata>>,
): Promise<{ message?: string; author?: string; problem?: Text }> {
  try {
    const { message, author } = await ask();
    return { ...(message ? { message } : {}), ...(author ? { author } : {}) };
  } catch (error) {
    if (error instanceof AppError) return { problem: messageOf(error.record) };
    if (error instanceof z.ZodError)
      return { problem: tell('Argo CD told a commit in an unknown shape.', 'Argo CD 给出的提交格式未知。') };
    throw error;
  }
}

function deploysOf({ metadata, status }: Application, names: ServiceNames, scope: TelemetryScope) {
  const history = (status.history ?? []).toSorted((a, b) => a.id - b.id);
  const { from, to } = windowMs(scope.window);
  const images = status.summary?.images ?? [];
  return history.flatMap((entry, at) => {
    const time = Date.parse(entry.deployedAt);
    if (time < from || time > to) return [];
    const isNewest = at === history.length - 1;
    const previous = history[at - 1];
    const change = changeOf(
      metadata.name,
      names.ours(metadata.name),
      entry,
      previous,
      isNewest ? images : [],
    );
    return [{ application: metadata.name, revision: revisionOf(entry), change }];
  });
}

function changeOf(
  application: string,
  service: string,
  entry: HistoryEntry,
  previous: HistoryEntry | undefined,
  images: readonly string[],
): Change {
  const revision = revisionOf(entry);
  const from = previous && revisionOf(previous);
  const version = versionOfImages(images);
  const by = entry.initiatedBy?.automated ? 'auto-sync' : entry.initiatedBy?.username;
  const way = from === undefined ? '' : ` from ${short(from)}`;
  return {
    id: `argocd/${application}/${entry.id}`,
    kind: 'deploy',
    service,
    time: entry.deployedAt,
    summary: `Argo CD deployed ${application} ${short(revision)}${way}${version ? ` (${version})` : ''}`,
    details: {
      application,
      history_id: entry.id,
      ...(previous ? { previous_history_id: previous.id } : {}),
      ...(from === undefined ? {} : { from }),
      to: revision,
      commit: revision,
      ...(images.length ? { images } : {}),
      ...(version === undefined ? {} : { version }),
      ...(by === undefined ? {} : { by }),
    },
  };
}

const short = (revision: string): string =>
  /^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 8) : revision;
