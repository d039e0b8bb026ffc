import { actionDigest } from '#engines/gate';
import { AppError, messageOf } from '#kit/app-error';
import type { Text } from '#kit/text';
import type { Execution, Incident } from '#spec/data';
import type { Attempt, ExecutionOrder } from '#spec/ports';
import { checkpointDigest, executorFor } from '../approval/rehearse-action.ts';
import {
  actionToApprove,
  type ApprovedAction,
  asApproved,
  requesterOf,
} from '../approval/approved-action.ts';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { notes } from '../notes.ts';

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly why: Text };

/** What a rehearsed action is bound to. */
function whole({ action, rehearsal, checkpoint, approval, ...incident }: Incident) {
  if (!action || !rehearsal || !checkpoint || !approval) throw new Error(`${incident.id} has nothing to do`);
  return { action, rehearsal, checkpoint, approval };
}

/**
 * The checkpoint and the dry run again: what would happen now must be what was agreed to. Then the agreement is used
 * up. Nothing is changed here.
 */
export async function prepareExecution(
  id: string,
  deps: IncidentDeps,
  { key, signal }: Occasion,
): Promise<Readiness> {
  const { store, gate, now, profile } = deps;
  const incident = await mustFind(store, id);
  const { action, rehearsal, checkpoint, approval } = whole(incident);
  const executor = executorFor(await deps.executors(), action);
  const again = await executor?.rehearse(action, signal);
  const same =
    again?.allowed === true &&
    checkpointDigest(again.state) === checkpoint.digest &&
    again.diff === rehearsal.diff &&
    again.preview === rehearsal.preview;
  await store.record(
    id,
    { key: `${key}:rehearsed`, facts: [{ type: 'execution.rehearsed', data: { action: action.id, same } }] },
    now(),
  );
  if (!same) {
    const why = again?.why ?? notes.changed;
    await gate.revoke(approval, { channel: 'incident', user: 'hermes' });
    return refuse(deps, incident, key, why);
  }
  const bound = actionToApprove(incident, action, rehearsal, checkpoint);
  const permit = await gate.redeem(approval, bound, requesterOf(incident, profile), { mayBeMine: true });
  return permit.allowed ? { ready: true } : refuse(deps, incident, key, permit.reason);
}

async function refuse(
  { store, gate, now, profile }: IncidentDeps,
  incident: Incident,
  key: string,
  why: Text,
): Promise<Readiness> {
  const action = incident.action?.id ?? '';
  await gate.audit.append('execution.refused', requesterOf(incident, profile), { action, reason: why.en });
  await store.record(
    incident.id,
    {
      key: `${key}:refused`,
      facts: [{ type: 'execution.refused', data: { action, why } }],
      patch: { state: 'needs_person', note: notes.notCarriedOut(why) },
    },
    now(),
  );
  return { ready: false, why };
}

/** What an attempt at the effect came to. A throw means that nobody knows. */
export interface Effect {
  readonly done: boolean;
  readonly detail: Text;
}

/** The one place where something changes. It runs at most once for each key. */
export async function carryOut(id: string, deps: IncidentDeps, attempt: Attempt): Promise<Effect> {
  const { store, gate, now, profile } = deps;
  const incident = await mustFind(store, id);
  const { action, rehearsal, checkpoint, approval } = whole(incident);
  const requester = requesterOf(incident, profile);
  const bound = actionToApprove(incident, action, rehearsal, checkpoint);
  const approved = asApproved(await gate.find(approval), bound, requester, action);
  const executor = executorFor(await deps.executors(), action);
  if (!approved || !executor) return { done: false, detail: notes.notApproved };
  const order = {
    key: orderKey(incident),
    fence: attempt.fence,
    scope: id,
    expects: checkpoint.state,
    signal: attempt.signal,
  };
  await gate.audit.append('execution.started', requester, {
    action: action.id,
    key: order.key,
    executor: executor.name,
    by: approved.by,
    digest: actionDigest(bound),
  });
  await store.record(
    id,
    {
      key: `${attempt.key}:started`,
      facts: [
        { type: 'execution.started', data: { action: action.id, key: order.key, executor: executor.name } },
      ],
      patch: { state: 'executing' },
    },
    now(),
  );
  return effectOf(approved, executor, { ...order, stillMine: attempt.stillMine });
}

async function effectOf(
  { action }: ApprovedAction,
  executor: { execute(action: ApprovedAction['action'], order: ExecutionOrder): Promise<Text> },
  order: ExecutionOrder,
): Promise<Effect> {
  try {
    return { done: true, detail: await executor.execute(action, order) };
  } catch (thrown) {
    // An executor throws our own error only when it is sure that nothing was done.
    if (thrown instanceof AppError) return { done: false, detail: messageOf(thrown.record) };
    throw thrown;
  }
}

/** The same for every attempt at this action, whatever process makes it. */
export const orderKey = ({ id, action }: Incident): string => `${id}:${action?.id ?? ''}`;

/** After an attempt whose end nobody knows: looks at the target. */
export async function reconcile(
  id: string,
  deps: IncidentDeps,
  { signal }: Occasion,
): Promise<{ readonly found: 'done' | 'not_done' | 'unknown'; readonly detail: Text }> {
  const incident = await mustFind(deps.store, id);
  const { action, rehearsal } = whole(incident);
  const executor = executorFor(await deps.executors(), action);
  if (!executor) return { found: 'unknown', detail: notes.executorGone(action.operation) };
  return executor.reconcile(action, orderKey(incident), rehearsal.state, signal);
}

/** Writes down what became of it. */
export async function concludeExecution(
  id: string,
  deps: IncidentDeps,
  { key }: Occasion,
  result: Pick<Execution, 'status' | 'detail' | 'reconciled' | 'startedAt'>,
): Promise<Execution> {
  const { store, gate, now, profile } = deps;
  const incident = await mustFind(store, id);
  const executor = executorFor(await deps.executors(), whole(incident).action)?.name ?? '';
  const execution: Execution = { ...result, executor, key: orderKey(incident), endedAt: now() };
  const told = { action: incident.action?.id, ...execution, detail: execution.detail.en };
  await gate.audit.append('execution.finished', requesterOf(incident, profile), told);
  const patch =
    execution.status === 'done'
      ? ({ state: 'verifying', execution, note: undefined } as const)
      : ({
          state: 'needs_person',
          execution,
          note: notes.endedBadly(execution.detail),
        } as const);
  await store.record(id, { key, facts: [{ type: 'execution.finished', data: { execution } }], patch }, now());
  return execution;
}
