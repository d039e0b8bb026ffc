import { createHash } from 'node:crypto';
import type { Text } from '#kit/text';
import type { Incident, ProposedAction } from '#spec/data';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { RISK_NAMES } from '../names.ts';
import { notes } from '../notes.ts';
import { actionToApprove, requesterOf } from './approved-action.ts';
import { executorFor, type RehearsedAction, rehearseAction } from './rehearse-action.ts';
import { unattendedGrant } from './unattended.ts';

export type ApprovalOutcome =
  | {
      readonly asked: true;
      readonly approval: string;
      readonly expiresAt: number;
      /** Agreed to beforehand: nobody is waited for. */
      readonly unattended?: true;
    }
  | { readonly asked: false; readonly why: Text };

/** Rehearses the action without changing anything, keeps the state before, and asks for agreement. */
export async function approvalStage(
  id: string,
  deps: IncidentDeps,
  { key, signal }: Occasion,
): Promise<ApprovalOutcome> {
  const { store, settings } = deps;
  const incident = await mustFind(store, id);
  const { action } = incident;
  if (!action) return { asked: false, why: notes.nothingToAgree };
  const executor = executorFor(await deps.executors(), action);
  if (!executor) return notAsked(deps, incident, key, notes.noExecutor(action.operation));
  const rehearsed = await rehearseAction(incident, action, executor, deps, { key, signal });
  const { rehearsal } = rehearsed;
  const why = rehearsal.allowed
    ? (action.dryRunOnly ?? (settings.execute ? undefined : notes.executionOff))
    : (rehearsal.why ?? notes.notAllowed);
  if (why !== undefined) return notAsked(deps, incident, key, why);
  return ask(deps, incident, rehearsed, key);
}

/** Asks for what was rehearsed. */
async function ask(
  deps: IncidentDeps,
  incident: Incident,
  { action, rehearsal, checkpoint }: RehearsedAction,
  key: string,
): Promise<ApprovalOutcome> {
  const { gate, settings, store, now, profile } = deps;
  const requester = requesterOf(incident, profile);
  const request = await gate.ask({
    id: `apr_${createHash('sha256').update(key).digest('hex').slice(0, 12)}`,
    action: actionToApprove(incident, action, rehearsal, checkpoint),
    requester,
    reasons: [
      action.reason,
      notes.risk(RISK_NAMES[action.risk]),
      notes.evidence(action.evidence.join(', ') || notes.none),
    ],
    separate: action.separateApprover,
    confirm: action.confirmTwice || settings.confirmAlways ? settings.confirmWord : undefined,
    waitMs: settings.approvalMs,
  });
  const { id: approval, digest, expiresAt } = request;
  const { granted, told } = await beforehand(deps, incident, action, approval);
  await store.record(
    incident.id,
    {
      key: `${key}:asked`,
      facts: [
        { type: 'approval.requested', data: { approval, digest, expiresAt } },
        ...(told ? [{ type: 'incident.updated' as const, data: { what: told } }] : []),
      ],
      patch: { state: 'awaiting_approval', approval, note: told },
    },
    now(),
  );
  return { asked: true, approval, expiresAt, ...(granted ? { unattended: true } : {}) };
}

/** Whether somebody agreed to it before it was asked for, and what is said of that. */
async function beforehand(
  deps: IncidentDeps,
  incident: Incident,
  action: ProposedAction,
  approval: string,
): Promise<{ readonly granted: boolean; readonly told?: Text }> {
  const found = await unattendedGrant(incident, action, deps);
  if (!found) return { granted: false };
  if (!found.grant) return { granted: false, told: found.why };
  const { grant } = found;
  const objection = await deps.gate.grantByRule(approval, grant);
  return objection
    ? { granted: false, told: notes.notUnattended(grant.id, objection) }
    : { granted: true, told: notes.unattended(grant.id, grant.rule) };
}

async function notAsked(
  { store, now }: IncidentDeps,
  { id }: Incident,
  key: string,
  why: Text,
): Promise<ApprovalOutcome> {
  const patch = { state: 'needs_person', note: notes.forPerson(why) } as const;
  await store.record(
    id,
    { key: `${key}:not asked`, facts: [{ type: 'incident.updated', data: { what: why } }], patch },
    now(),
  );
  return { asked: false, why };
}
