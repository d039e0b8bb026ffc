import { diffLines } from 'diff';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { Change } from '#spec/data';
import type { AskedQuery, ChangesSource } from '#spec/ports';
import { AppError, messageOf } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import { redact } from '#kit/redact';
import { hideSecrets } from '#adapters/io/hide-secrets';
import type { Target } from '#adapters/io/http/open-target';
import { RESTARTED, REVISION } from '#adapters/io/kubernetes/kube-objects';
import { collectChanges } from './change-collection.ts';
import { versionOfImages } from './image-version.ts';
import type { ServiceNames } from './service-names.ts';

const CAUSE = 'kubernetes.io/change-cause';
const PAGE = 500;
const MOST_PAGES = 10;

const Strings = z.record(z.string(), z.string()).nullish();
const Template = z.looseObject({
  metadata: z.looseObject({ labels: Strings, annotations: Strings }).nullish(),
  spec: z.looseObject({ containers: z.array(z.looseObject({ name: z.string(), image: z.string() })) }),
});
const ReplicaSet = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    creationTimestamp: z.iso.datetime({ offset: true }),
    annotations: Strings,
    ownerReferences: z.array(z.looseObject({ kind: z.string(), name: z.string() })).nullish(),
  }),
  spec: z.looseObject({ replicas: z.number().default(0), template: Template }),
});
const KubeEvent = z.looseObject({
  involvedObject: z.looseObject({ name: z.string().default('') }),
  message: z.string().default(''),
  firstTimestamp: z.string().nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
});
const listOf = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    items: z.array(item),
    metadata: z.looseObject({ continue: z.string().optional() }).optional(),
  });
type ReplicaSet = z.infer<typeof ReplicaSet>;
type KubeEvent = z.infer<typeof KubeEvent>;

export interface KubernetesChangesOptions {
  readonly target: Target;
  readonly namespaces: readonly string[];
  readonly names: ServiceNames;
}

/**
 * Revisions of Deployments, from their ReplicaSets. A ReplicaSet that took an old template up again keeps the time of its
 * making: when it was scaled up is told by events, which the cluster keeps for about an hour. Changes of ConfigMaps leave
 * no trace in the API; `asked` says so.
 */
export function kubernetesChanges({ target, namespaces, names }: KubernetesChangesOptions): ChangesSource {
  const all = async <T extends z.ZodType>(
    item: T,
    path: string,
    signal: AbortSignal,
  ): Promise<z.infer<T>[]> => {
    const found: z.infer<T>[] = [];
    let next: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const more = `${path.includes('?') ? '&' : '?'}limit=${PAGE}${next ? `&continue=${encodeURIComponent(next)}` : ''}`;
      const answer = await target
        .read(listOf(item), { method: 'GET', path: path + more }, signal)
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw error;
        });
      found.push(...answer.items);
      next = answer.metadata?.continue;
      if (!next) break;
    }
    return found;
  };

  return {
    name: 'kubernetes',
    async changes(scope, signal) {
      signal.throwIfAborted();
      const found: Change[] = [];
      const asked: AskedQuery[] = [];
      for (const namespace of namespaces) {
        const began = performance.now();
        const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
        const sets = await all(ReplicaSet, path, signal);
        const events = await rolloutEvents(namespace, signal);
        const changes = [...Map.groupBy(sets, ownerOf)].flatMap(([deployment, own]) =>
          deployment === undefined ? [] : revisions(deployment, own, events.items, namespace, names),
        );
        found.push(...changes);
        asked.push({
          query: `GET ${path}`,
          found: collectChanges(changes, scope, []).items.length,
          ms: Math.round(performance.now() - began),
        });
        asked.push(events.asked);
      }
      asked.push({
        query: 'changes of ConfigMaps',
        found: 0,
        ms: 0,
        problem: tell(
          'Kubernetes keeps no history of ConfigMaps: changes of configuration are not seen here.',
          'Kubernetes 不保留 ConfigMap 的历史:这里看不到配置变更。',
        ),
      });
      return collectChanges(found, scope, asked);
    },
  };

  /** Without events the revisions still stand. */
  async function rolloutEvents(namespace: string, signal: AbortSignal) {
    const began = performance.now();
    const selector = 'involvedObject.kind=Deployment,reason=ScalingReplicaSet';
    const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=${encodeURIComponent(selector)}`;
    const asked = (count: number, problem?: Text): AskedQuery => ({
      query: `GET ${decodeURIComponent(path)}`,
      found: count,
      ms: Math.round(performance.now() - began),
      ...(problem === undefined ? {} : { problem }),
    });
    try {
      const items = await all(KubeEvent, path, signal);
      return { items, asked: asked(items.length) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { items: [], asked: asked(0, messageOf(error.record)) };
    }
  }
}

const ownerOf = ({ metadata }: ReplicaSet): string | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === 'Deployment')?.name;
const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

function revisions(
  deployment: string,
  sets: readonly ReplicaSet[],
  events: readonly KubeEvent[],
  namespace: string,
  names: ServiceNames,
): Change[] {
  const ordered = sets.toSorted((a, b) => revisionOf(a) - revisionOf(b));
  return ordered.map((set, at) => {
    const previous = ordered[at - 1];
    const time = rolledOutAt(set, deployment, events);
    return revisionChange({ deployment, namespace, service: names.ours(deployment), set, previous, time });
  });
}

/** When it was last scaled up as a whole, if an event says so; when it was made otherwise. */
function rolledOutAt(set: ReplicaSet, deployment: string, events: readonly KubeEvent[]): string {
  const made = set.metadata.creationTimestamp;
  const ups = events
    .filter(({ involvedObject }) => involvedObject.name === deployment)
    .filter(
      ({ message }) =>
        message.startsWith('Scaled up') &&
        message.includes(` ${set.metadata.name} `) &&
        /from 0\b|to \d+$/.test(message),
    )
    .flatMap(({ firstTimestamp, eventTime, lastTimestamp }) => [
      firstTimestamp ?? eventTime ?? lastTimestamp ?? '',
    ])
    .filter((time) => Number.isFinite(Date.parse(time)))
    .toSorted((a, b) => Date.parse(a) - Date.parse(b));
  const last = ups.at(-1);
  // A scale-up of the first revision's own pods is no rollout: only one well after its making is.
  return last !== undefined && Date.parse(last) > Date.parse(made) + 60_000 && revisionOf(set) > 1
    ? last
    : made;
}

interface RevisionOf {
  readonly deployment: string;
  readonly namespace: string;
  readonly service: string;
  readonly set: ReplicaSet;
  readonly previous: ReplicaSet | undefined;
  readonly time: string;
}

function revisionChange({ deployment, namespace, service, set, previous, time }: RevisionOf): Change {
  const revision = revisionOf(set);
  const [images, before] = [imagesOf(set), previous ? imagesOf(previous) : []];
  const [to, from] = [versionOfImages(images), versionOfImages(before)];
  const diff = previous ? templateDiff(previous, set) : '';
  const cause = set.metadata.annotations?.[CAUSE];
  const isRestart =
    previous !== undefined && to === from && annotation(set, RESTARTED) !== annotation(previous, RESTARTED);
  const what = isRestart
    ? `restarted ${deployment}`
    : `rolled out ${deployment} ${to}${from === undefined ? '' : ` from ${from}`}`;
  return {
    id: `kubernetes/${namespace}/${deployment}/${revision}`,
    kind: 'deploy',
    service,
    time,
    summary: `Kubernetes ${what} (revision ${revision})${cause ? `: ${cause}` : ''}`,
    details: {
      namespace,
      deployment,
      revision,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to, version: to }),
      images,
      ...(cause ? { cause } : {}),
      ...(diff ? { diff } : {}),
    },
  };
}

const imagesOf = ({ spec }: ReplicaSet): string[] => spec.template.spec.containers.map(({ image }) => image);
const annotation = ({ spec }: ReplicaSet, name: string): string | undefined =>
  spec.template.metadata?.annotations?.[name];

/** Lines of the pod template that differ. What its name tells to be a secret shows only that it is another one. */
function templateDiff(before: ReplicaSet, after: ReplicaSet): string {
  const lines = diffLines(shown(before), shown(after)).flatMap(({ added, removed, value }) => {
    const sign = added ? '+' : removed ? '-' : undefined;
    return sign
      ? value
          .trimEnd()
          .split('\n')
          .map((line) => `${sign}${line}`)
      : [];
  });
  return lines.join('\n').slice(0, 4_000);
}

function shown({ spec }: ReplicaSet): string {
  const { 'pod-template-hash': _, ...labels } = spec.template.metadata?.labels ?? {};
  const template = { ...spec.template, metadata: { ...spec.template.metadata, labels } };
  return redact(stringify(hideSecrets(template), { sortMapEntries: true }));
}
