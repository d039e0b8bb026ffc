import { tell, type Text } from '#kit/text';
import type { DeployedService, DeployHistoryEntry } from '#kit/deploy-registry';
import type { ProposedAction } from '#spec/data';
import { type Effect, paramOf } from '#spec/data/operations';
import { hideValue } from '#adapters/io/hide-secrets';
import {
  needNumber,
  needText,
  needValue,
  notAsSaid,
  refuse,
  runsAlready,
  runsInstead,
  settingOf,
  textOf,
} from '../action-params.ts';

/** What one action makes of one service. Absent where it cannot: the working out throws a `Refusal`. */
export interface RegistryChange {
  readonly next: DeployedService;
  readonly kind: DeployHistoryEntry['kind'];
  readonly summary: Text;
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
  if (from !== undefined && from !== running) refuse(runsInstead(running, from));
  const to = textOf(action, 'to') ?? (now.canary ? now.version : now.previous);
  if (to === undefined)
    return refuse(tell('There is no previous version to go back to.', '没有可以回滚到的上一个版本。'));
  if (to === now.version && !now.canary) refuse(runsAlready(to));
  const next = {
    ...now,
    version: to,
    canary: null,
    ...(to === now.version ? {} : { previous: now.version }),
  };
  return {
    next,
    kind: 'deploy',
    summary: tell(`Roll back from ${running} to ${to}`, `从 ${running} 回滚到 ${to}`),
    details: { from: running, to },
  };
};

const restart: Work = ({ now, at }) => {
  const next = { ...now, restartedAt: at };
  return { next, kind: 'deploy', summary: tell('Restart', '重启'), details: { version: now.version } };
};

const scale: Work = ({ action, now }) => {
  const replicas = needNumber(action, 'replicas');
  if (replicas === now.replicas)
    refuse(tell(`It has ${replicas} replicas already.`, `已经有 ${replicas} 个副本。`));
  const details = { from: now.replicas, to: replicas };
  const summary = tell(`Scale to ${replicas} replicas`, `扩缩到 ${replicas} 个副本`);
  return { next: { ...now, replicas }, kind: 'deploy', summary, details };
};

const switchTraffic: Work = ({ action, now }) => {
  const { canary } = now;
  if (!canary) return refuse(tell('There is no canary to give traffic to.', '没有可以分配流量的灰度版本。'));
  const weight = needNumber(action, 'weight');
  if (weight === canary.weight)
    refuse(tell(`The canary has ${weight} % already.`, `灰度版本的流量已经是 ${weight} %。`));
  const details = { from: canary.weight, to: weight };
  const summary = tell(
    `Give ${weight} % of traffic to ${canary.version}`,
    `将 ${weight} % 的流量分给 ${canary.version}`,
  );
  return { next: { ...now, canary: { ...canary, weight } }, kind: 'deploy', summary, details };
};

const configure: Work = ({ action, now, rateLimitKey }) => {
  const key = settingOf(action, rateLimitKey);
  const given = needValue(action, 'value');
  const old = now.config[key];
  const from = paramOf(action, 'from');
  if (from !== undefined && String(from) !== String(old ?? '')) refuse(notAsSaid(key));
  const value = likeThe(old, given);
  const shown = hideValue(key, value);
  if (old === value) refuse(tell(`${key} is ${shown} already.`, `${key} 已经是 ${shown}。`));
  const next = { ...now, config: { ...now.config, [key]: value } };
  const details = { key, from: hideValue(key, old ?? null), to: shown };
  const summary = tell(`Set ${key} to ${shown}`, `将 ${key} 设为 ${shown}`);
  return { next, kind: 'config', summary, details };
};

const flushCache: Work = ({ now, at }) => ({
  next: { ...now, cacheFlushedAt: at },
  kind: 'flag',
  summary: tell('Flush the cache', '清空缓存'),
  details: {},
});

const failover: Work = ({ action, now }) => {
  const to = needText(action, 'to');
  if (now.active === to) refuse(tell(`It works on the ${to} already.`, `已经在使用 ${to}。`));
  const details = { from: now.active, to };
  return {
    next: { ...now, active: to },
    kind: 'flag',
    summary: tell(`Fail over to the ${to}`, `切换到 ${to}`),
    details,
  };
};

const degrade: Work = ({ action, now }) => {
  const dependency = needText(action, 'dependency');
  if (now.degraded.includes(dependency))
    refuse(tell(`It does without ${dependency} already.`, `已经不依赖 ${dependency}。`));
  const next = { ...now, degraded: [...now.degraded, dependency] };
  const summary = tell(`Do without ${dependency}`, `暂不依赖 ${dependency}`);
  return { next, kind: 'flag', summary, details: { dependency } };
};

/** How each effect is had, and which fields of the service it reads or changes. */
export const REGISTRY_EFFECTS: Partial<
  Record<Effect, { readonly work: Work; readonly touches: readonly (keyof DeployedService)[] }>
> = {
  set_version: { work: rollback, touches: ['version', 'previous', 'canary'] },
  restart: { work: restart, touches: ['version', 'restartedAt'] },
  set_replicas: { work: scale, touches: ['replicas'] },
  set_weight: { work: switchTraffic, touches: ['canary'] },
  set_config: { work: configure, touches: ['config'] },
  flush_cache: { work: flushCache, touches: ['cacheFlushedAt'] },
  set_active: { work: failover, touches: ['active'] },
  drop_dependency: { work: degrade, touches: ['degraded'] },
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
