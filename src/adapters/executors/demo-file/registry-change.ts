import type { DeployedService, DeployHistoryEntry } from '#kit/deploy-registry';
import type { Operation, ProposedAction } from '#spec/data';
import { hideValue } from '#adapters/io/hide-secrets';
import { needNumber, needText, paramOf, refuse, textOf } from '../action-params.ts';

/** What one action makes of one service. Absent where it cannot: the working out throws a `Refusal`. */
export interface RegistryChange {
  readonly next: DeployedService;
  readonly kind: DeployHistoryEntry['kind'];
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface ChangeInputs {
  readonly action: ProposedAction;
  readonly now: DeployedService;
  /** The instant to write where one is written. */
  readonly at: string;
  /** The configuration key of the rate limit, where the action names none. */
  readonly rateLimitKey: string;
}

type Work = (inputs: ChangeInputs) => RegistryChange;

const rollback: Work = ({ action, now }) => {
  const running = now.canary?.version ?? now.version;
  const from = textOf(action, 'from');
  if (from !== undefined && from !== running) refuse(`${running} is running, not ${from}.`);
  const to = textOf(action, 'to') ?? (now.canary ? now.version : now.previous);
  if (to === undefined) return refuse('There is no previous version to go back to.');
  if (to === now.version && !now.canary) refuse(`${to} is running already.`);
  const next = {
    ...now,
    version: to,
    canary: null,
    ...(to === now.version ? {} : { previous: now.version }),
  };
  return {
    next,
    kind: 'deploy',
    summary: `Roll back from ${running} to ${to}`,
    details: { from: running, to },
  };
};

const restart: Work = ({ now, at }) => {
  const next = { ...now, restartedAt: at };
  return { next, kind: 'deploy', summary: 'Restart', details: { version: now.version } };
};

const scale: Work = ({ action, now }) => {
  const replicas = needNumber(action, ['replicas', 'to'], { min: 0, max: 10_000, whole: true });
  if (replicas === now.replicas) refuse(`It has ${replicas} replicas already.`);
  const details = { from: now.replicas, to: replicas };
  return { next: { ...now, replicas }, kind: 'deploy', summary: `Scale to ${replicas} replicas`, details };
};

const switchTraffic: Work = ({ action, now }) => {
  const { canary } = now;
  if (!canary) return refuse('There is no canary to give traffic to.');
  const weight = needNumber(action, ['weight', 'to'], { min: 0, max: 100 });
  if (weight === canary.weight) refuse(`The canary has ${weight} % already.`);
  const details = { from: canary.weight, to: weight };
  const summary = `Give ${weight} % of traffic to ${canary.version}`;
  return { next: { ...now, canary: { ...canary, weight } }, kind: 'deploy', summary, details };
};

function setConfig({ now }: ChangeInputs, key: string, value: string | number | boolean): RegistryChange {
  if (now.config[key] === value) refuse(`${key} is ${hideValue(key, value)} already.`);
  const next = { ...now, config: { ...now.config, [key]: value } };
  const shown = hideValue(key, value);
  const details = { key, from: hideValue(key, now.config[key] ?? null), to: shown };
  return { next, kind: 'config', summary: `Set ${key} to ${shown}`, details };
}

const changeConfig: Work = (inputs) => {
  const { action, now } = inputs;
  const key = needText(action, 'key');
  const value = paramOf(action, 'value', 'to') ?? refuse("'change_config' needs the parameter 'value'.");
  const old = now.config[key];
  const from = paramOf(action, 'from');
  if (from !== undefined && String(from) !== String(old ?? ''))
    refuse(`${key} is not what the action says it is.`);
  return setConfig(inputs, key, likeThe(old, value));
};

const changeRateLimit: Work = (inputs) => {
  const key = textOf(inputs.action, 'key') ?? inputs.rateLimitKey;
  return setConfig(inputs, key, needNumber(inputs.action, ['value', 'to'], { min: 1, max: 10_000_000 }));
};

const flushCache: Work = ({ now, at }) => ({
  next: { ...now, cacheFlushedAt: at },
  kind: 'flag',
  summary: 'Flush the cache',
  details: {},
});

const failover: Work = ({ action, now }) => {
  const to = textOf(action, 'to') ?? 'replica';
  if (now.active === to) refuse(`It works on the ${to} already.`);
  const details = { from: now.active, to };
  return { next: { ...now, active: to }, kind: 'flag', summary: `Fail over to the ${to}`, details };
};

const degrade: Work = ({ action, now }) => {
  const dependency = needText(action, 'dependency');
  if (now.degraded.includes(dependency)) refuse(`It does without ${dependency} already.`);
  const next = { ...now, degraded: [...now.degraded, dependency] };
  return { next, kind: 'flag', summary: `Do without ${dependency}`, details: { dependency } };
};

/** What each operation does, and which fields of the service it reads or changes. */
export const REGISTRY_OPERATIONS: Partial<
  Record<Operation, { readonly work: Work; readonly touches: readonly (keyof DeployedService)[] }>
> = {
  rollback_canary: { work: rollback, touches: ['version', 'previous', 'canary'] },
  restart_deployment: { work: restart, touches: ['version', 'restartedAt'] },
  scale_deployment: { work: scale, touches: ['replicas'] },
  switch_traffic: { work: switchTraffic, touches: ['canary'] },
  change_config: { work: changeConfig, touches: ['config'] },
  change_rate_limit: { work: changeRateLimit, touches: ['config'] },
  flush_cache: { work: flushCache, touches: ['cacheFlushedAt'] },
  failover_dependency: { work: failover, touches: ['active'] },
  degrade_dependency: { work: degrade, touches: ['degraded'] },
};

/** `value` in the type that the key has had so far. */
function likeThe(old: unknown, value: string | number | boolean): string | number | boolean {
  if (
    typeof old === 'number' &&
    typeof value === 'string' &&
    value.trim() !== '' &&
    Number.isFinite(Number(value))
  )
    return Number(value);
  if (typeof old === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return typeof old === 'string' ? String(value) : value;
}
