import {
  type ArgoApplication,
  type ArgoOperation,
  ArgoRefusal,
  type ArgoResource,
  type ArgoSource,
} from './application.ts';

/** What the controller knows of a revision of the repository: the images that its manifests name. */
type ImagesOf = (revision: string) => readonly string[];

interface Controller {
  readonly app: ArgoApplication;
  readonly now: () => number;
  readonly imagesOf: ImagesOf;
}

const iso = (now: () => number): string => `${new Date(now()).toISOString().slice(0, 19)}Z`;

/** Begins an operation. It runs until `finish`. */
function begin({ app, now }: Controller, operation: ArgoOperation): void {
  if (app.operation) throw new ArgoRefusal(400, 9, 'another operation is already in progress');
  app.operation = operation;
  app.status.operationState = {
    operation,
    phase: 'Running',
    message: 'waiting for completion',
    startedAt: iso(now),
  };
}

/** Ends the running operation: well, unless told how it failed. A dry run changes nothing but the state of operations. */
export function finish(controller: Controller, failure?: string): void {
  const { app, now, imagesOf } = controller;
  const { operation } = app;
  const state = app.status.operationState;
  if (!operation || !state) return;
  delete app.operation;
  const { revision, dryRun, source = app.spec.source } = operation.sync;
  state.finishedAt = iso(now);
  state.phase = failure ? 'Failed' : 'Succeeded';
  state.message = failure ?? `successfully synced (${dryRun ? 'dry run' : 'all tasks run'})`;
  state.syncResult = { revision, source, resources: app.status.resources.map(syncedResource) };
  if (failure || dryRun) return;
  const id = Math.max(-1, ...app.status.history.map((entry) => entry.id)) + 1;
  app.status.history.push({
    id,
    revision,
    source,
    deployStartedAt: state.startedAt,
    deployedAt: state.finishedAt,
    initiatedBy: operation.initiatedBy,
  });
  // Ten, unless the application says otherwise.
  app.status.history.splice(0, Math.max(0, app.status.history.length - 10));
  app.status.summary.images = [...imagesOf(revision)];
  app.status.sync.revision = revision;
  app.status.reconciledAt = iso(now);
  app.status.health.status = 'Healthy';
}

const syncedResource = ({ group, version, kind, namespace, name }: ArgoResource): object => ({
  group,
  version,
  kind,
  namespace,
  name,
  status: 'Synced',
  message: `${kind.toLowerCase()}.${group}/${name} configured`,
  hookPhase: 'Running',
  syncPhase: 'Sync',
});

interface RollbackRequest {
  readonly id?: number | string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

/** `POST …/rollback`: refused while the application follows its repository by itself. */
export function rollback(controller: Controller, request: RollbackRequest, username: string): void {
  const { app } = controller;
  const automated = app.spec.syncPolicy?.automated;
  if (automated && automated.enabled !== false)
    throw new ArgoRefusal(400, 9, 'rollback cannot be initiated when auto-sync is enabled');
  const { history } = app.status;
  const id = Number(request.id ?? history.at(-2)?.id ?? -1);
  const wanted = history.find((entry) => entry.id === id);
  if (!wanted)
    throw new ArgoRefusal(
      400,
      3,
      `application ${app.metadata.name} does not have deployment id ${id} in history`,
    );
  begin(controller, {
    sync: { revision: wanted.revision, ...flags(request), source: wanted.source },
    initiatedBy: { username },
  });
}

interface SyncRequest {
  readonly revision?: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly infos?: { name: string; value: string }[];
}

/** `POST …/sync`: to the revision, or to what the application follows. */
export function sync(controller: Controller, request: SyncRequest, username: string, head: string): void {
  const { app } = controller;
  const automated = app.spec.syncPolicy?.automated;
  if (
    automated &&
    automated.enabled !== false &&
    request.revision &&
    request.revision !== app.spec.source.targetRevision
  )
    throw new ArgoRefusal(
      400,
      9,
      `Cannot sync to ${request.revision}: auto-sync currently set to ${app.spec.source.targetRevision}`,
    );
  begin(controller, {
    sync: { revision: resolved(app.spec.source, request.revision, head), ...flags(request) },
    initiatedBy: { username },
    ...(request.infos ? { info: request.infos } : {}),
  });
}

const resolved = ({ targetRevision }: ArgoSource, revision: string | undefined, head: string): string =>
  !revision || revision === targetRevision ? head : revision;

const flags = ({ dryRun, prune }: { readonly dryRun?: boolean; readonly prune?: boolean }) => ({
  ...(dryRun ? { dryRun } : {}),
  ...(prune ? { prune } : {}),
});
