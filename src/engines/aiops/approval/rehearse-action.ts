import { createHash } from 'node:crypto';
import { canonicalJson } from '#engines/gate';
import { newId } from '#kit/new-id';
import type { ActionCheckpoint, Incident, ProposedAction, Rehearsal } from '#spec/data';
import type { Executor } from '#spec/ports';
import type { IncidentDeps, Occasion } from '../incident-deps.ts';

/** An action that was tried without changing anything, and the state that it would change. */
export interface RehearsedAction {
  readonly action: ProposedAction;
  readonly rehearsal: Rehearsal;
  readonly checkpoint: ActionCheckpoint;
}

export const checkpointDigest = (state: Rehearsal['state']): string =>
  createHash('sha256').update(canonicalJson(state)).digest('hex');

/** The executor that can carry an action out. */
export const executorFor = (
  executors: readonly Executor[],
  { operation }: ProposedAction,
): Executor | undefined => executors.find(({ operations }) => operations.includes(operation));

/** Rehearses an action and keeps the state before. What an earlier attempt wrote down holds. */
export async function rehearseAction(
  { id }: Pick<Incident, 'id'>,
  action: ProposedAction,
  executor: Executor,
  { store, now }: Pick<IncidentDeps, 'store' | 'now'>,
  { key, signal }: Pick<Occasion, 'key' | 'signal'>,
): Promise<RehearsedAction> {
  const rehearsal = await executor.rehearse(action, signal);
  const at = now();
  const { state } = rehearsal;
  const checkpoint: ActionCheckpoint = { id: newId('chk'), at, digest: checkpointDigest(state), state };
  const stored = await store.record(
    id,
    {
      key: `${key}:rehearsed`,
      facts: [
        {
          type: 'action.rehearsed',
          data: { action: action.id, preview: rehearsal.preview, allowed: rehearsal.allowed },
        },
        { type: 'checkpoint.created', data: { checkpoint: checkpoint.id, digest: checkpoint.digest } },
      ],
      patch: { rehearsal, checkpoint },
    },
    at,
  );
  return {
    action: stored.action ?? action,
    rehearsal: stored.rehearsal ?? rehearsal,
    checkpoint: stored.checkpoint ?? checkpoint,
  };
}
