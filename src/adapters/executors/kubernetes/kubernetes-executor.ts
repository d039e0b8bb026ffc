import { AppError, messageOf } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import { UncertainEffect, uncertain } from '#kit/uncertain-effect';
import type { ProposedAction, Rehearsal } from '#spec/data';
import type { ExecutionOrder, Executor, ExecutorPlace, Probeable } from '#spec/ports';
import { Refusal, refuse, refusedToExecute, spellAction, textOf } from '../action-params.ts';
import { oldFence } from '#adapters/io/before-effect';
import { statusOf } from '#adapters/io/http/open-target';
import { canonical, sameState } from '../same-state.ts';
import { type Found, settle } from '../settle.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { type KubeApi, kubeApi, lastAction, lastFence, marked } from './kube-api.ts';
import { ConfigMap, Deployment } from '#adapters/io/kubernetes/kube-objects';
import { KubeName, type KubeSettings } from '#adapters/io/kubernetes/kube-settings';
import { openAccess } from '#adapters/io/kubernetes/open-access';
import { type Edit, isAboutConfig, KUBE_OPERATIONS, type Loaded, planEdits, viewOf } from './plan-edits.ts';

/** Stands in a rehearsal where an execution writes the time and the key, so that two rehearsals are the same. */
const WHEN = '(the time of execution)';
const REHEARSED = { key: '(the key of the action)', fence: 0, scope: 'rehearsal' };
/** How often an object may have been touched by others, without being changed, between reading and writing. */
const TRIES = 5;

export async function kubernetesExecutor(
  settings: KubeSettings,
  place: ExecutorPlace,
): Promise<Executor & Probeable> {
  const access = await openAccess(settings, place);
  const credential = settings.kubeconfig ?? settings.token_file ?? settings.token_key;
  const api = kubeApi(access, settings.timeout_ms, credential);
  const load = (action: ProposedAction, signal: AbortSignal) =>
    loadObjects(api, action, settings, access.namespace, signal);
  const plan = (action: ProposedAction, loaded: Loaded, at: string, signal: AbortSignal) =>
    planEdits(api, { action, loaded, at, rateLimitKey: settings.rate_limit_key }, signal);

  const rehearse = async (action: ProposedAction, signal: AbortSignal): Promise<Rehearsal> => {
    const { preview, state, edits } = await plan(action, await load(action, signal), WHEN, signal);
    let diff = '';
    for (const edit of edits) diff += await diffOf(api, edit, signal);
    return { allowed: true, preview, diff, state };
  };

  const execute = async (action: ProposedAction, order: ExecutionOrder): Promise<Text> => {
    let agreed = order.expects;
    for (let tried = 1; ; tried++) {
      const loaded = await load(action, order.signal);
      const markers = [loaded.deployment, ...(loaded.configMap ? [loaded.configMap] : [])].map(lastAction);
      if (markers.every((marker) => marker === order.key)) return tell('Done already.', '已完成。');
      if (markers.includes(order.key)) throw halfDone(action);
      refuseOldFence(loaded, order);
      const planned = await plan(action, loaded, new Date(place.now()).toISOString(), order.signal);
      sameState(agreed, planned.state);
      agreed = planned.state;
      try {
        await apply(api, planned.edits, order);
        return planned.summary;
      } catch (thrown) {
        if (statusOf(thrown) !== 409 || tried === TRIES) throw thrown;
      }
    }
  };

  return {
    name: 'kubernetes',
    operations: KUBE_OPERATIONS,
    rehearse: (action, signal) =>
      rehearse(action, signal).catch((thrown: unknown) => {
        const why = whyNotAllowed(thrown);
        if (why === undefined) throw thrown;
        return { allowed: false, why, preview: spellAction(action), diff: '', state: {} };
      }),
    execute: (action, order) =>
      execute(action, order).catch((thrown: unknown) => {
        throw thrown instanceof Refusal ? refusedToExecute(thrown) : thrown;
      }),
    reconcile: (action, key, before, signal) =>
      settle(async () => compare(await load(action, signal), key, before), {
        settleMs: settings.settle_ms,
        deadlineMs: 0,
        pollMs: 0,
        signal,
      }),
    probe: async (signal) => {
      await api.reach(settings.namespace ?? access.namespace, signal);
      return { state: 'reached' };
    },
  };
}

async function loadObjects(
  api: KubeApi,
  action: ProposedAction,
  settings: KubeSettings,
  usual: string,
  signal: AbortSignal,
): Promise<Loaded> {
  const namespace = nameOf(textOf(action, 'namespace') ?? usual);
  if (namespace !== usual && !settings.namespaces.includes(namespace))
    refuse(
      tell(
        `The namespace '${namespace}' is not on the list of allowed namespaces.`,
        `命名空间 '${namespace}' 不在允许的列表中。`,
      ),
    );
  const named = Object.hasOwn(settings.deployments, action.service)
    ? settings.deployments[action.service]
    : undefined;
  const name = nameOf(textOf(action, 'deployment') ?? named ?? action.service);
  const deployment = await api.deployment(namespace, name, signal);
  if (!isAboutConfig(action.operation)) return { namespace, deployment };
  const listed = Object.hasOwn(settings.config_maps, action.service)
    ? settings.config_maps[action.service]
    : undefined;
  const map = nameOf(
    textOf(action, 'config_map') ?? listed ?? settings.config_map.replaceAll('{service}', name),
  );
  return { namespace, deployment, configMap: await api.configMap(namespace, map, signal) };
}

const nameOf = (text: string): string =>
  KubeName.safeParse(text).success
    ? text
    : refuse(
        tell(
          `'${text.slice(0, 80)}' is not a name of Kubernetes.`,
          `'${text.slice(0, 80)}' 不是 Kubernetes 名称。`,
        ),
      );

async function diffOf(api: KubeApi, edit: Edit, signal: AbortSignal): Promise<string> {
  const { place, object, steps } = edit;
  const schema = place.kind === 'deployments' ? Deployment : ConfigMap;
  const after: Deployment | ConfigMap = await api.dryRun<Deployment | ConfigMap>(
    schema,
    place,
    [...marked(object, REHEARSED), ...steps],
    signal,
  );
  return unifiedDiff(`${place.kind}/${place.name}.yaml`, viewOf(object, edit), viewOf(after, edit));
}

/** From the second on, a refusal is no longer the whole truth: something has been done. */
async function apply(api: KubeApi, edits: readonly Edit[], order: ExecutionOrder): Promise<void> {
  for (const [at, { place, object, steps }] of edits.entries())
    await api.patch(place, [...marked(object, order), ...steps], order).catch((thrown: unknown) => {
      if (at === 0 || thrown instanceof UncertainEffect) throw thrown;
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      throw uncertain(`The config map was changed and the restart was not: ${message}`);
    });
}

const halfDone = (action: ProposedAction) =>
  uncertain(`'${action.operation}' was done in part: the config map was changed and the restart was not.`);

function refuseOldFence({ deployment, configMap }: Loaded, { scope, fence }: ExecutionOrder): void {
  const highest = Math.max(lastFence(deployment, scope), configMap ? lastFence(configMap, scope) : 0);
  if (fence >= highest) return;
  throw oldFence(fence, highest, tell('the cluster', '集群'));
}

/** What the marks say. A mark that is neither ours nor the one from before may have replaced ours. */
function compare({ deployment, configMap }: Loaded, key: string, before: Rehearsal['state']): Found {
  const now = {
    deployments: lastAction(deployment),
    ...(configMap ? { configmaps: lastAction(configMap) } : {}),
  };
  const marks = Object.values(now);
  if (marks.every((mark) => mark === key))
    return { found: 'done', detail: tell('The mark of the action is there.', '已有该动作的标记。') };
  if (marks.includes(key))
    return {
      found: 'unknown',
      detail: tell('The config map was changed and the restart was not.', 'ConfigMap 已修改,但没有重启。'),
    };
  const known = before.lastAction ?? Object.fromEntries(Object.keys(now).map((kind) => [kind, null]));
  if (canonical(known) === canonical(now))
    return {
      found: 'not_done',
      detail: tell(
        'The mark of the action is not there, and no other came after it.',
        '没有该动作的标记,之后也没有其他标记。',
      ),
    };
  return {
    found: 'unknown',
    detail: tell('Another action came in between and left its own mark.', '期间另一个动作留下了自己的标记。'),
  };
}

/** What the server refuses for good is an answer to a rehearsal, not a failure of it. */
function whyNotAllowed(thrown: unknown): Text | undefined {
  if (thrown instanceof Refusal) return thrown.why;
  const status = statusOf(thrown) ?? 0;
  return thrown instanceof AppError && [400, 403, 404, 422].includes(status)
    ? messageOf(thrown.record)
    : undefined;
}
