import { stringify } from 'yaml';
import { redact } from '#kit/redact';
import type { Operation, ProposedAction, Rehearsal } from '#spec/data';
import { needNumber, needText, paramOf, refuse, textOf } from '../action-params.ts';
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
  readonly summary: string;
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
  if (deployment.spec.paused) refuse(`The deployment ${name} is paused.`);
  const from = textOf(action, 'from');
  const now = deployment.spec.template;
  if (from !== undefined && !isVersion(now, from)) refuse(`${versionOf(now)} is running, not ${from}.`);
  const to = targetOf(action, deployment, await revisions());
  return {
    preview: `kubectl rollout undo deployment/${name} --to-revision=${to.number} -n ${namespace}`,
    summary: `Rolled ${name} back to revision ${to.number} (${versionOf(to.template)}).`,
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
  if (to !== undefined && isVersion(deployment.spec.template, to)) refuse(`${to} is running already.`);
  const found =
    revision === undefined
      ? older.find(({ template }) => to === undefined || isVersion(template, to))
      : older.find(({ number }) => String(number) === revision);
  return found ?? refuse(`${name} has no earlier revision${to || revision ? ` of ${to ?? revision}` : ''}.`);
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
  if (deployment.spec.paused) refuse(`The deployment ${name} is paused.`);
  return Promise.resolve({
    preview: `kubectl rollout restart deployment/${name} -n ${namespace}`,
    summary: `Restarted ${name}.`,
    state: stateOf(loaded, templateOf(loaded)),
    edits: [restartEdit(loaded, at)],
  });
};

const scale: Planner = ({ action, loaded }) => {
  const { namespace, deployment } = loaded;
  const { name } = deployment.metadata;
  const replicas = needNumber(action, ['replicas', 'to'], { min: 0, max: 10_000, whole: true });
  if (replicas === deployment.spec.replicas) refuse(`${name} has ${replicas} replicas already.`);
  return Promise.resolve({
    preview: `kubectl scale deployment/${name} --replicas=${replicas} -n ${namespace}`,
    summary: `Scaled ${name} from ${deployment.spec.replicas} to ${replicas} replicas.`,
    state: stateOf(loaded, { replicas: deployment.spec.replicas }),
    // Not through the `scale` part: that one cannot carry the key of the action.
    edits: [deploymentEdit(loaded, '/spec/replicas', replicas)],
  });
};

const configure =
  (keyOf: (inputs: PlanInputs) => string, valueOf: (action: ProposedAction) => string): Planner =>
  (inputs) => {
    const { action, loaded, at } = inputs;
    const { namespace, configMap } = loaded;
    if (!configMap) return refuse('There is no config map to change.');
    const [key, value] = [keyOf(inputs), valueOf(action)];
    const old = configMap.data[key];
    const from = paramOf(action, 'from');
    if (from !== undefined && String(from) !== (old ?? ''))
      refuse(`${key} is not what the action says it is.`);
    if (old === value) refuse(`${key} is what it should be already.`);
    const { name } = configMap.metadata;
    const shown = hideValue(key, value);
    const data = JSON.stringify({ data: { [key]: shown } });
    const again = `kubectl rollout restart deployment/${loaded.deployment.metadata.name} -n ${namespace}`;
    const state = stateOf(loaded, { configMap: name, data: { [key]: hideValue(key, old ?? null) } });
    return Promise.resolve({
      preview: redact(`kubectl patch configmap/${name} -n ${namespace} -p '${data}' && ${again}`),
      summary: `Set ${key} of ${name} to ${shown}, and restarted ${loaded.deployment.metadata.name}.`,
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

const PLANNERS: Partial<Record<Operation, Planner>> = {
  rollback_canary: rollback,
  restart_deployment: restart,
  scale_deployment: scale,
  change_config: configure(
    ({ action }) => needText(action, 'key'),
    (action) =>
      String(paramOf(action, 'value', 'to') ?? refuse("'change_config' needs the parameter 'value'.")),
  ),
  change_rate_limit: configure(
    ({ action, rateLimitKey }) => textOf(action, 'key') ?? rateLimitKey,
    (action) => String(needNumber(action, ['value', 'to'], { min: 1, max: 10_000_000 })),
  ),
};

export const KUBE_OPERATIONS = Object.keys(PLANNERS) as Operation[];

export const isAboutConfig = (operation: Operation): boolean =>
  operation === 'change_config' || operation === 'change_rate_limit';

export function planEdits(
  api: KubeApi,
  inputs: Omit<PlanInputs, 'revisions'>,
  signal: AbortSignal,
): Promise<Plan> {
  const { action, loaded } = inputs;
  const plan = PLANNERS[action.operation] ?? refuse(`kubernetes cannot do '${action.operation}'.`);
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
