import { AppError, messageOf } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { sleep } from '#kit/sleep';
import { tell, type Text } from '#kit/text';
import { uncertain } from '#kit/uncertain-effect';
import type { ProposedAction, Rehearsal } from '#spec/data';
import { definitionOf, type Effect, operationsWith } from '#spec/data/operations';
import type { ExecutionOrder, Executor, Probeable } from '#spec/ports';
import {
  cannotDo,
  Refusal,
  refuse,
  refusedToExecute,
  runsAlready,
  spellAction,
  textOf,
} from '../action-params.ts';
import { statusOf } from '#adapters/io/http/open-target';
import { canonical, sameState } from '../same-state.ts';
import { type Found, settle } from '../settle.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { type ArgoApi, type ArgoSettings, argoApi, restartedAt } from './argo-api.ts';
import {
  type Application,
  type HistoryEntry,
  historyOf,
  isAutomated,
  isBusy,
  type Resource,
  revisionOf,
} from '#adapters/io/argo-objects';
import { findTarget } from './find-target.ts';
import { onceByKey } from './once-by-key.ts';

interface Plan {
  readonly rehearsal: Rehearsal;
  /** Begins it and follows it to its end. */
  carryOut(order: ExecutionOrder): Promise<Text>;
  /** What it asks for is what runs. */
  readonly isDone: boolean;
}

interface PlanInputs {
  readonly api: ArgoApi;
  readonly settings: ArgoSettings;
  readonly action: ProposedAction;
  readonly app: Application;
  readonly signal: AbortSignal;
}

interface FindInputs extends Pick<PlanInputs, 'api' | 'app' | 'signal'> {
  readonly before: Rehearsal['state'];
}

/** One effect: what it would take, and what became of it. */
interface Work {
  plan(inputs: PlanInputs): Promise<Plan>;
  find(inputs: FindInputs): Found | 'running' | Promise<Found | 'running'>;
}

const WORK: Partial<Record<Effect, Work>> = {
  set_version: { plan: planRollback, find: findRollback },
  restart: { plan: planRestart, find: findRestart },
};

const workOf = ({ operation }: ProposedAction): Work =>
  WORK[definitionOf(operation).effect] ?? refuse(cannotDo('argocd', operation));

const POLL_MS = 250;

export function argocdExecutor(settings: ArgoSettings, token: string): Executor & Probeable {
  const api = argoApi(settings, token);
  const nameOf = (action: ProposedAction): string => {
    const listed = Object.hasOwn(settings.applications, action.service)
      ? settings.applications[action.service]
      : undefined;
    const { application } = settings;
    return textOf(action, 'application') ?? listed ?? application.replaceAll('{service}', action.service);
  };
  const plan = async (action: ProposedAction, signal: AbortSignal): Promise<Plan> => {
    const app = await api.application(nameOf(action), signal);
    return workOf(action).plan({ api, settings, action, app, signal });
  };

  const execute = async (action: ProposedAction, order: ExecutionOrder): Promise<Text> => {
    const { rehearsal, carryOut, isDone } = await plan(action, order.signal);
    if (isDone)
      return tell(`${rehearsal.preview}: this is what runs already.`, `${rehearsal.preview}:已经在运行。`);
    if (!rehearsal.allowed) refuse(rehearsal.why ?? tell('Argo CD would refuse it.', 'Argo CD 会拒绝。'));
    // It keeps no keys: a repeated "one back" would go forth again, and nobody could tell.
    if (order.expects === undefined && action.params.to === undefined && action.params.id === undefined)
      refuse(
        tell(
          "Argo CD needs the version in 'to', or the state that was agreed to.",
          "Argo CD 需要 'to' 中的版本,或批准时的状态。",
        ),
      );
    sameState(order.expects, rehearsal.state);
    return carryOut(order);
  };

  return {
    name: 'argocd',
    operations: operationsWith(Object.keys(WORK) as Effect[]),
    rehearse: (action, signal) =>
      plan(action, signal).then(
        ({ rehearsal }) => rehearsal,
        (thrown: unknown) => {
          const why = whyNotAllowed(thrown);
          if (why === undefined) throw thrown;
          return { allowed: false, why, preview: spellAction(action), diff: '', state: {} };
        },
      ),
    execute: (action, order) =>
      onceByKey(`${settings.base_url} ${nameOf(action)} ${order.key}`, () =>
        execute(action, order).catch((thrown: unknown) => {
          throw thrown instanceof Refusal ? refusedToExecute(thrown) : thrown;
        }),
      ),
    reconcile: (action, _key, before, signal) =>
      settle(
        async () => {
          const app = await api.application(nameOf(action), signal);
          return workOf(action).find({ api, app, before, signal });
        },
        { settleMs: settings.settle_ms, deadlineMs: settings.wait_ms, pollMs: POLL_MS, signal },
      ),
    probe: async (signal) => {
      await api.reach(signal);
      return { state: 'reached' };
    },
  };
}

async function planRollback({ api, settings, action, app, signal }: PlanInputs): Promise<Plan> {
  const { name } = app.metadata;
  const to = await findTarget(api, action, app, signal);
  const now = historyOf(app).at(-1);
  const isDone = now !== undefined && revisionOf(now) === revisionOf(to);
  const state = {
    application: name,
    running: { id: now?.id ?? -1, revision: now ? revisionOf(now) : '' },
    target: { id: to.id, revision: revisionOf(to) },
    operation: lastOperation(app),
  };
  const why = isDone ? runsAlready(revisionOf(to)) : whyNotNow(app);
  const rehearsal = {
    allowed: why === undefined,
    ...(why === undefined ? {} : { why }),
    preview: `argocd app rollback ${name} ${to.id}`,
    diff: unifiedDiff(name, now ? lines(now) : '', lines(to)),
    state,
  };
  const carryOut = async (order: ExecutionOrder) => {
    await api.rollback(name, to.id, order);
    await follow(api, name, state, settings.wait_ms, order.signal);
    return tell(
      `Rolled ${name} back to ${to.id} (${revisionOf(to)}).`,
      `已将 ${name} 回滚到 ${to.id}(${revisionOf(to)})。`,
    );
  };
  return { rehearsal, carryOut, isDone };
}

function whyNotNow(app: Application): Text | undefined {
  const { name } = app.metadata;
  if (isAutomated(app))
    return tell(
      `${name} is synced automatically, and would take the rollback back. Turn that off first: argocd app set ${name} --sync-policy none`,
      `${name} 启用了自动同步,会撤销回滚。请先关闭:argocd app set ${name} --sync-policy none`,
    );
  return isBusy(app)
    ? tell(`${name} is in the middle of another operation.`, `${name} 正在进行另一个操作。`)
    : undefined;
}

const lines = (entry: HistoryEntry): string =>
  [
    `id: ${entry.id}`,
    `revision: ${revisionOf(entry)}`,
    `source: ${JSON.stringify(entry.source ?? {})}`,
    '',
  ].join('\n');

/** Waits for the operation that was begun. Whatever is not a good end leaves open how far it came. */
async function follow(
  api: ArgoApi,
  name: string,
  before: Rehearsal['state'],
  waitMs: number,
  signal: AbortSignal,
) {
  const ends = performance.now() + waitMs;
  for (;;) {
    const app = await api.application(name, signal).catch((cause: unknown) => {
      throw uncertain('Argo CD took the rollback and cannot be asked what became of it.', cause);
    });
    const found = findRollback({ app, before });
    if (found !== 'running') {
      if (found.found === 'done') return;
      throw uncertain(`The rollback of ${name} did not end well: ${found.detail.en}`);
    }
    if (performance.now() >= ends) throw uncertain(`The rollback of ${name} has not ended in time.`);
    if (!(await sleep(POLL_MS, signal))) throw uncertain('Stopped while Argo CD was at work.');
  }
}

function findRollback({ app, before }: Pick<FindInputs, 'app' | 'before'>): Found | 'running' {
  const { running, target } = before;
  if (!isRecord(running) || !isRecord(target) || typeof running.id !== 'number')
    return {
      found: 'unknown',
      detail: tell('The state from before the action is not known.', '动作之前的状态未知。'),
    };
  const last = running.id;
  const since = historyOf(app).filter(({ id }) => id > last);
  const ours = since.find((entry) => revisionOf(entry) === target.revision);
  if (ours) {
    const by = ours.initiatedBy?.username;
    return {
      found: 'done',
      detail: tell(
        `Deployment ${ours.id} has the revision${by ? `, begun by ${by}` : ''}.`,
        `部署 ${ours.id} 已是该版本${by ? `,由 ${by} 发起` : ''}。`,
      ),
    };
  }
  if (isBusy(app)) return 'running';
  const { operationState } = app.status;
  if (since.length)
    return {
      found: 'unknown',
      detail: tell('Something else was deployed in between.', '期间部署了其他内容。'),
    };
  if (operationState && canonical(lastOperation(app)) !== canonical(before.operation))
    return {
      found: 'unknown',
      detail: tell(
        `An operation ended as ${operationState.phase}: ${operationState.message ?? ''}`,
        `一个操作以 ${operationState.phase} 结束:${operationState.message ?? ''}`,
      ),
    };
  return { found: 'not_done', detail: tell('Nothing was deployed since.', '此后没有部署。') };
}

const lastOperation = ({ status: { operationState: last } }: Application) =>
  last
    ? {
        startedAt: last.startedAt ?? null,
        phase: last.phase,
        revision: last.operation?.sync?.revision ?? null,
      }
    : null;

async function planRestart({ api, action, app, signal }: PlanInputs): Promise<Plan> {
  const { name } = app.metadata;
  const deployment = deploymentOf(action, app);
  const at = await restartedAt(api, name, deployment, signal);
  const state = { application: name, deployment: { ...place(deployment) }, restartedAt: at };
  const rehearsal = {
    allowed: true,
    preview: `argocd app actions run ${name} restart --kind Deployment --resource-name ${deployment.name}`,
    diff: unifiedDiff(
      deployment.name,
      `restartedAt: ${at ?? 'never'}\n`,
      'restartedAt: (the time of execution)\n',
    ),
    state,
  };
  const carryOut = async (order: ExecutionOrder) => {
    await api.restart(name, deployment, order);
    return tell(`Restarted ${deployment.name} of ${name}.`, `已重启 ${name} 的 ${deployment.name}。`);
  };
  return { rehearsal, carryOut, isDone: false };
}

const place = ({ namespace = '', name }: Resource) => ({ namespace, name });

function deploymentOf(action: ProposedAction, { metadata, status }: Application): Resource {
  const all = (status.resources ?? []).filter(({ kind }) => kind === 'Deployment');
  const wanted = textOf(action, 'deployment');
  const named = all.find(({ name }) => name === (wanted ?? action.service));
  const only = wanted === undefined && all.length === 1 ? all[0] : undefined;
  return (
    named ??
    only ??
    refuse(
      tell(
        `Which deployment of ${metadata.name} is meant? Name it in 'deployment'.`,
        `指的是 ${metadata.name} 的哪个 Deployment?请在 'deployment' 中写明。`,
      ),
    )
  );
}

async function findRestart({ api, app, before, signal }: FindInputs): Promise<Found> {
  const { deployment } = before;
  const resource = (app.status.resources ?? []).find(
    ({ kind, name }) => kind === 'Deployment' && isRecord(deployment) && name === deployment.name,
  );
  const now = resource && (await restartedAt(api, app.metadata.name, resource, signal));
  if (now === undefined || now === 'unknown' || before.restartedAt === 'unknown')
    return {
      found: 'unknown',
      detail: tell(
        'Argo CD does not say when the deployment was restarted.',
        'Argo CD 没有说明 Deployment 何时重启。',
      ),
    };
  if (now === before.restartedAt)
    return { found: 'not_done', detail: tell('It was not restarted since.', '此后没有重启。') };
  return {
    found: 'done',
    detail: tell(
      `It was restarted at ${now}; Argo CD does not say by whom.`,
      `已于 ${now} 重启;Argo CD 没有说明由谁发起。`,
    ),
  };
}

function whyNotAllowed(thrown: unknown): Text | undefined {
  if (thrown instanceof Refusal) return thrown.why;
  const status = statusOf(thrown) ?? 0;
  return thrown instanceof AppError && [400, 403, 404].includes(status)
    ? messageOf(thrown.record)
    : undefined;
}
