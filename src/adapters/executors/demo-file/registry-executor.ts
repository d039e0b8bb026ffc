import { dirname } from 'node:path';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { fail, messageOf, toErrorRecord } from '#kit/app-error';
import type { DeployedService, DeployRegistry } from '#kit/deploy-registry';
import { redact } from '#kit/redact';
import { joinTexts, tell, type Text } from '#kit/text';
import { uncertain } from '#kit/uncertain-effect';
import type { ProposedAction, Rehearsal, ServiceState } from '#spec/data';
import { definitionOf, type Effect, operationsWith } from '#spec/data/operations';
import type { ExecutionOrder, Executor, ExecutorPlace } from '#spec/ports';
import { type FileLock, withFileLock } from '#adapters/io/file-lock';
import { cannotDo, Refusal, refuse, refusedToExecute, spellAction } from '../action-params.ts';
import { beforeEffect, nothingDone, oldFence } from '#adapters/io/before-effect';
import { hideSecrets } from '#adapters/io/hide-secrets';
import { sameState } from '../same-state.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { REGISTRY_EFFECTS, type RegistryChange } from './registry-change.ts';
import { prepareFile, type RegistryText, readRegistry } from './registry-file.ts';

export interface RegistrySettings {
  readonly state_file: string;
  readonly version_file?: string | undefined;
  readonly version_service: string;
  readonly rate_limit_key: string;
}

/** Stands in a rehearsal where an execution writes the time, so that two rehearsals of the same are the same. */
const WHEN = '(the time of execution)';

/** The key of an action and its effect reach the file in one rename: either both are there or neither is. */
export function registryExecutor(settings: RegistrySettings, place: ExecutorPlace): Executor {
  const file = settings.state_file;
  const plan = (action: ProposedAction, registry: DeployRegistry, at: string) =>
    planChange(action, registry, at, settings.rate_limit_key);

  const carryOut = async (action: ProposedAction, order: ExecutionOrder, lock: FileLock) => {
    const text = await readRegistry(file);
    const { registry } = text;
    const done = registry.applied[order.key];
    if (done !== undefined) return tell(`Done already, at ${done}.`, `已于 ${done} 完成。`);
    refuseOldFence(registry, order);
    const at = new Date(place.now()).toISOString();
    const planned = plan(action, registry, at);
    sameState(order.expects, planned.state);
    const written = await prepareFile(file, registryAfter(text, action, planned.change, order, at));
    try {
      await beforeEffect(order);
      if (!lock.isHeld())
        throw fail('store.busy', nothingDone(tell(`The lock of ${file} was lost.`, `失去了 ${file} 的锁。`)));
    } catch (stop) {
      await written.discard();
      throw stop;
    }
    await written.replace().catch((cause: unknown) => {
      throw uncertain(`Cannot tell whether ${file} was replaced.`, cause);
    });
    const { summary } = planned.change;
    const told = tell(`${summary.en}: ${action.service}.`, `${action.service}:${summary.zh}。`);
    const copied = await copyVersion(action.service, planned.change);
    return copied ? joinTexts([told, copied], ' ') : told;
  };

  /** The registry is the truth; the text file is a copy for whoever reads only that. */
  const copyVersion = async (service: string, { next }: RegistryChange): Promise<Text | undefined> => {
    const { version_file: copy, version_service } = settings;
    if (copy === undefined || service !== version_service) return undefined;
    try {
      await mkdir(dirname(copy), { recursive: true });
      await (await prepareFile(copy, `${next.version}\n`)).replace();
      return undefined;
    } catch {
      return tell(`${copy} could not be written.`, `无法写入 ${copy}。`);
    }
  };

  return {
    name: 'demo_file',
    operations: operationsWith(Object.keys(REGISTRY_EFFECTS) as Effect[]),
    rehearse: async (action) => {
      const { registry } = await readRegistry(file);
      try {
        return plan(action, registry, WHEN).rehearsal;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        return { allowed: false, why: refusal.why, preview: spellAction(action), diff: '', state: {} };
      }
    },
    execute: (action, order) =>
      withFileLock(
        file,
        (lock) =>
          carryOut(action, order, lock).catch((thrown: unknown) => {
            throw thrown instanceof Refusal ? refusedToExecute(thrown) : thrown;
          }),
        { signal: order.signal },
      ),
    running: async () => {
      const { registry } = await readRegistry(file);
      return Object.fromEntries(Object.entries(registry.services).map(([name, one]) => [name, stateOf(one)]));
    },
    // Under the lock: whoever is in the middle of it has ended then, one way or the other.
    reconcile: async (_action, key, _before, signal) => {
      try {
        const { registry } = await withFileLock(file, () => readRegistry(file), { signal });
        const at = registry.applied[key];
        if (at === undefined)
          return {
            found: 'not_done',
            detail: tell('The registry does not have the key.', '部署登记中没有该键。'),
          };
        return {
          found: 'done',
          detail: tell(`The registry has the key since ${at}.`, `部署登记自 ${at} 起已有该键。`),
        };
      } catch (cause) {
        if (signal.aborted) throw cause;
        return { found: 'unknown', detail: messageOf(toErrorRecord(cause)) };
      }
    },
  };
}

function stateOf({ version, canary, replicas, config, active }: DeployedService): ServiceState {
  const versions = [...new Set([version, ...(canary ? [canary.version] : [])])];
  return { replicas, config, active, versions };
}

function planChange(action: ProposedAction, registry: DeployRegistry, at: string, rateLimitKey: string) {
  const now = Object.hasOwn(registry.services, action.service)
    ? registry.services[action.service]
    : undefined;
  if (!now)
    return refuse(
      tell(`The registry has no service '${action.service}'.`, `部署登记中没有服务 '${action.service}'。`),
    );
  const known = REGISTRY_EFFECTS[definitionOf(action.operation).effect];
  if (!known) return refuse(cannotDo('demo_file', action.operation));
  const change = known.work({ action, now, at, rateLimitKey });
  const pick = (from: typeof now) =>
    known.touches.map((field) => {
      if (field !== 'config') return [field, from[field] ?? null];
      const keys = Object.keys(change.next.config).filter(
        (key) => now.config[key] !== change.next.config[key],
      );
      return [field, Object.fromEntries(keys.map((key) => [key, from.config[key] ?? null]))];
    });
  const view = (from: typeof now) => hideSecrets(Object.fromEntries(pick(from)));
  const show = (from: typeof now) => `${JSON.stringify(view(from), null, 2)}\n`;
  const state = { service: action.service, ...(view(now) as Rehearsal['state']) };
  const diff = unifiedDiff(`${action.service}.json`, show(now), show(change.next));
  return { change, state, rehearsal: { allowed: true, preview: spellAction(action), diff, state } };
}

function registryAfter(
  { registry, raw }: RegistryText,
  action: ProposedAction,
  change: RegistryChange,
  order: ExecutionOrder,
  at: string,
): string {
  const entry = {
    id: `hermes-${createHash('sha256').update(order.key).digest('hex').slice(0, 12)}`,
    time: at,
    service: action.service,
    kind: change.kind,
    summary: redact(change.summary.en),
    details: { ...change.details, operation: action.operation, by: 'hermes', key: order.key },
  };
  const next = {
    ...raw,
    fence: Math.max(registry.fence, order.fence),
    fences: { ...registry.fences, [order.scope]: order.fence },
    applied: { ...registry.applied, [order.key]: at },
    services: { ...(raw.services as object), [action.service]: change.next },
    history: [...registry.history, entry],
  };
  return `${JSON.stringify(next, null, 2)}\n`;
}

function refuseOldFence(registry: DeployRegistry, { scope, fence }: ExecutionOrder): void {
  const highest = registry.fences?.[scope] ?? 0;
  if (fence >= highest) return;
  throw oldFence(fence, highest, tell('the registry', '部署登记'));
}
