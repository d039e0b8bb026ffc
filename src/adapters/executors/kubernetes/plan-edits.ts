import { tell, type Text } from '#kit/text';
import { stringify } from 'yaml';
import { redact } from '#kit/redact';
import type { Operation, ProposedAction, Rehearsal } from '#spec/data';
import { definitionOf, type Effect, operationsWith, paramOf } from '#spec/data/operations';
import {
  cannotDo,
  needNumber,
  needValue,
  notAsSaid,
  refuse,
  runsAlready,
  runsInstead,
  settingOf,
  textOf,
} from '../action-params.ts';
import { hideSecrets, hideValue } from '#adapters/io/hide-secrets';
import { type KubeApi, type KubePlace, lastAction, pointer } from './kube-api.ts';
import {
  type ConfigMap,
  currentRevision,
  type Deployment,
  isVersion,
  type PodTemplate,
  RESTARTED,
  type Revision,
  revisionsOf,
  versionOf,
} from '#adapters/io/kubernetes/kube-objects';

/** What an action is about, as it is now. */
export interface Loaded {
  readonly namespace: string;
  readonly deployment: Deployment;
  /** Where the action is about configuration. */
  readonly configMap?: ConfigMap;
}

/** One object, and what is to be changed in it. */
export interface Edit {
  readonly place: KubePlace;
  readonly object: Deployment | ConfigMap;
  readonly steps: readonly {
    readonly op: 'add' | 'replace';
    readonly path: string;
    readonly value: unknown;
  }[];
}

export interface Plan {
  readonly preview: string;
  readonly summary: Text;
  readonly state: Rehearsal['state'];
  readonly edits: readonly Edit[];
}

export interface PlanInputs {
  readonly action: ProposedAction;
  readonly loaded: Loaded;
  /** The instant to write where one is written. */
  readonly at: string;
  readonly rateLimitKey: string;
  revisions(): Promise<readonly Revision[]>;
}

const paused = (name: string): Text =>
  tell(`The deployment ${name} is paused.`, `Deployment ${name} 已暂停。`);

type Planner = (inputs: PlanInputs) => Promise<Plan>;

const deploymentEdit = ({ namespace, deployment }: Loaded, path: string, value: unknown): Edit => ({
  place: { kind: 'deployments', namespace, name: deployment.metadata.name },
  object: deployment,
  steps: [{ op: 'replace', path, value }],
});

/** What a rehearsal keeps of a deployment: `part`, and who touched it last. */
const stateOf = ({ namespace, deployment }: Loaded, part: Rehearsal['state']): Rehearsal['state'] => ({
  namespace,
  deployment: deployment.metadata.name,
  uid: deployment.metadata.uid,
  lastAction: { deployments: lastAction(deployment) },
  ...part,
});

const templateOf = ({ deployment }: Loaded) => ({
  template: hideSecrets(deployment.spec.template) as Rehearsal['state'],
});

const rollback: Planner = async ({ action, loaded, revisions }) => {
  const { namespace, deployment } = loaded;
  const { name } = deployment.metadata;
  if (deployment.spec.paused) refuse(paused(name));
  const from = textOf(action, 'from');
  const now = deployment.spec.template;
  if (from !== undefined && !isVersion(now, from)) refuse(runsInstead(versionOf(now), from));
  const to = targetOf(action, deployment, await revisions());
  return {
    preview: `kubectl rollout undo deployment/${name} --to-revision=${to.number} -n ${namespace}`,
    summary: tell(
      `Rolled ${name} back to revision ${to.number} (${versionOf(to.template)}).`,
      `已将 ${name} 回滚到修订 ${to.number}(${versionOf(to.template)})。`,
    ),
    state: stateOf(loaded, { revision: currentRevision(deployment), ...templateOf(loaded) }),
    edits: [deploymentEdit(loaded, '/spec/template', to.template)],
  };
};

function targetOf(action: ProposedAction, deployment: Deployment, all: readonly Revision[]): Revision {
  const { name } = deployment.metadata;
  const now = currentRevision(deployment);
  const older = all.filter(({ number }) => number !== now);
  const to = textOf(action, 'to');
  const revision = textOf(action, 'revision');
  if (to !== undefined && isVersion(deployment.spec.template, to)) refuse(runsAlready(to));
  const found =
    revision === undefined
      ? older.find(({ template }) => to === undefined || isVersion(template, to))
      : older.find(({ number }) => String(number) === revision);
  const wanted = to ?? revision;
  return (
    found ??
    refuse(
      tell(
        `${name} has no earlier revision${wanted ? ` of ${wanted}` : ''}.`,
        `${name} 没有更早的修订${wanted ? ` ${wanted}` : ''}。`,
      ),
    )
  );
}

const restartEdit = (loaded: Loaded, at: string): Edit => {
  const { template } = loaded.deployment.spec;
  const annotations = { ...template.metadata?.annotations, [RESTARTED]: at };
  const next: PodTemplate = { ...template, metadata: { ...template.metadata, annotations } };
  return deploymentEdit(loaded, '/spec/template', next);
};

const restart: Planner = ({ loaded, at }) => {
  const { namespace, deployment } = loaded;
  const { name } = deployment.metadata;
  if (deployment.spec.paused) refuse(paused(name));
  return Promise.resolve({
    preview: `kubectl rollout restart deployment/${name} -n ${namespace}`,
    summary: tell(`Restarted ${name}.`, `已重启 ${name}。`),
    state: stateOf(loaded, templateOf(loaded)),
    edits: [restartEdit(loaded, at)],
  });
};

const scale: Planner = ({ action, loaded }) => {
  const { namespace, deployment } = loaded;
  const { name } = deployment.metadata;
  const replicas = needNumber(action, 'replicas');
  if (replicas === deployment.spec.replicas)
    refuse(tell(`${name} has ${replicas} replicas already.`, `${name} 已经有 ${replicas} 个副本。`));
  return Promise.resolve({
    preview: `kubectl scale deployment/${name} --replicas=${replicas} -n ${namespace}`,
    summary: tell(
      `Scaled ${name} from ${deployment.spec.replicas} to ${replicas} replicas.`,
      `已将 ${name} 从 ${deployment.spec.replicas} 个副本扩缩到 ${replicas} 个。`,
    ),
    state: stateOf(loaded, { replicas: deployment.spec.replicas }),
    // Not through the `scale` part: that one cannot carry the key of the action.
    edits: [deploymentEdit(loaded, '/spec/replicas', replicas)],
  });
};

const configure: Planner = ({ action, loaded, at, rateLimitKey }) => {
  const { namespace, configMap } = loaded;
  if (!configMap) return refuse(tell('There is no config map to change.', '没有可修改的 ConfigMap。'));
  const key = settingOf(action, rateLimitKey);
  const value = String(needValue(action, 'value'));
  const old = configMap.data[key];
  const from = paramOf(action, 'from');
  if (from !== undefined && String(from) !== (old ?? '')) refuse(notAsSaid(key));
  if (old === value) refuse(tell(`${key} is what it should be already.`, `${key} 已经是目标值。`));
  const { name } = configMap.metadata;
  const shown = hideValue(key, value);
  const data = JSON.stringify({ data: { [key]: shown } });
  const again = `kubectl rollout restart deployment/${loaded.deployment.metadata.name} -n ${namespace}`;
  const state = stateOf(loaded, { configMap: name, data: { [key]: hideValue(key, old ?? null) } });
  return Promise.resolve({
    preview: redact(`kubectl patch configmap/${name} -n ${namespace} -p '${data}' && ${again}`),
    summary: tell(
      `Set ${key} of ${name} to ${shown}, and restarted ${loaded.deployment.metadata.name}.`,
      `已将 ${name} 的 ${key} 设为 ${shown},并重启 ${loaded.deployment.metadata.name}。`,
    ),
    state: {
      ...state,
      lastAction: { deployments: lastAction(loaded.deployment), configmaps: lastAction(configMap) },
    },
    edits: [configEdit(loaded, configMap, key, value), restartEdit(loaded, at)],
  });
};

function configEdit({ namespace }: Loaded, configMap: ConfigMap, key: string, value: string): Edit {
  const none = Object.keys(configMap.data).length === 0;
  const step = none
    ? ({ op: 'add', path: '/data', value: { [key]: value } } as const)
    : ({ op: 'add', path: `/data/${pointer(key)}`, value } as const);
  return {
    place: { kind: 'configmaps', namespace, name: configMap.metadata.name },
    object: configMap,
    steps: [step],
  };
}

const PLANNERS: Partial<Record<Effect, Planner>> = {
  set_version: rollback,
  restart,
  set_replicas: scale,
  set_config: configure,
};

export const KUBE_OPERATIONS = operationsWith(Object.keys(PLANNERS) as Effect[]);

export const isAboutConfig = (operation: Operation): boolean =>
  definitionOf(operation).effect === 'set_config';

export function planEdits(
  api: KubeApi,
  inputs: Omit<PlanInputs, 'revisions'>,
  signal: AbortSignal,
): Promise<Plan> {
  const { action, loaded } = inputs;
  const plan =
    PLANNERS[definitionOf(action.operation).effect] ?? refuse(cannotDo('kubernetes', action.operation));
  const revisions = async () =>
    revisionsOf(loaded.deployment, await api.replicaSets(loaded.deployment, loaded.namespace, signal));
  return plan({ ...inputs, revisions });
}

/** What a person is shown of an object: the part that actions change, without secrets. */
export function viewOf(object: Deployment | ConfigMap, edit: Edit): string {
  if (edit.place.kind === 'deployments') {
    const { replicas, template } = (object as Deployment).spec;
    return stringify(hideSecrets({ replicas, template }), { lineWidth: 0 });
  }
  // What a key of a config map holds may itself be a file full of settings.
  return stringify(hideSecrets({ data: (object as ConfigMap).data }), { lineWidth: 0 });
}
