import { tell } from '#kit/text';
import type { ProposedAction } from '#spec/data';
import { refuse, textOf } from '../action-params.ts';
import type { ArgoApi, RevisionMetadata } from './argo-api.ts';
import { type Application, type HistoryEntry, historyOf, revisionOf } from '#adapters/io/argo-objects';

const SHORTEST_HASH = 7;

/**
 * The entry of the history that is meant: by id, commit, tag, or the tag of an image; else the one before the last that
 * is different. It is the last one itself where that is what the action asks for.
 */
export async function findTarget(
  api: ArgoApi,
  action: ProposedAction,
  app: Application,
  signal: AbortSignal,
): Promise<HistoryEntry> {
  const { name } = app.metadata;
  const newest = historyOf(app).toReversed();
  const now =
    newest[0] ?? refuse(tell(`${name} has no history to go back in.`, `${name} 没有可回退的历史。`));
  const id = textOf(action, 'id');
  const to = textOf(action, 'to');
  if (id !== undefined)
    return (
      newest.find((entry) => String(entry.id) === id) ??
      refuse(tell(`${name} has no deployment ${id} in its history.`, `${name} 的历史中没有部署 ${id}。`))
    );
  if (to === undefined) {
    const other = newest.find((entry) => revisionOf(entry) !== revisionOf(now));
    return (
      other ?? refuse(tell(`${name} has nothing else in its history.`, `${name} 的历史中没有其他版本。`))
    );
  }
  const known = newest.find((entry) => names(entry, to));
  return (
    known ??
    (await byMetadata(api, name, newest, to, signal)) ??
    refuse(tell(`${name} has no ${to} in its history.`, `${name} 的历史中没有 ${to}。`))
  );
}

/** Whether the entry itself says that it is this version. */
function names(entry: HistoryEntry, to: string): boolean {
  const revision = revisionOf(entry);
  if (revision === to || (to.length >= SHORTEST_HASH && revision.startsWith(to))) return true;
  if (entry.source?.targetRevision === to) return true;
  // Parameters of Helm and images of Kustomize, as they were at that time.
  const told = JSON.stringify([entry.source?.helm, entry.source?.kustomize]);
  return told.includes(`"${to}"`) || told.includes(`:${to}"`);
}

/** A tag of the commit decides; else the one commit whose message has the version as a word. */
async function byMetadata(
  api: ArgoApi,
  name: string,
  entries: readonly HistoryEntry[],
  to: string,
  signal: AbortSignal,
): Promise<HistoryEntry | undefined> {
  const mentioned = new Map<string, HistoryEntry>();
  for (const entry of entries) {
    const revision = revisionOf(entry);
    if (!revision || mentioned.has(revision)) continue;
    const { message, tags } = await api
      .metadata(name, revision, signal)
      .catch((cause: unknown): RevisionMetadata => {
        if (signal.aborted) throw cause;
        return { message: '', tags: [] };
      });
    if (tags?.includes(to)) return entry;
    if (message.split(/[\s,;()]+/).includes(to)) mentioned.set(revision, entry);
  }
  return mentioned.size === 1 ? [...mentioned.values()][0] : undefined;
}
