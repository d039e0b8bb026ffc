import { toErrorRecord } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { Text } from '#kit/text';
import type { Action, Approval, Approver, Requester, Taint } from '#spec/data';
import type { ApprovalStore, AskModel, AuditLog, TaintBook } from '#spec/ports';
import type { ApprovalChannel, Decision } from './approval-channel.ts';
import { approvalDesk, type StandingRule } from './approval-desk.ts';
import { type Assessment, assess, cannotTell, type PermitRequest } from './assess.ts';
import type { GatePolicy } from './gate-policy.ts';
import { coveredBy } from './grants.ts';
import type { Guarded } from './guarded-paths.ts';
import type { Judge } from './judgement.ts';
import { type PlainRequest, plainRequests } from './plain-requests.ts';
import { recentRefusals } from './recent-refusals.ts';
import { mayReview, reviewByModel } from './smart-approval.ts';
import { MODEL_CHANNEL, objectionTo } from './who-may-agree.ts';

type Permit =
  | { readonly allowed: true; readonly approval?: string }
  | { readonly allowed: false; readonly reason: string };

/** What came of an agreement that somebody came back for. */
type Redeemed =
  | { readonly allowed: true; readonly approval: string }
  | { readonly allowed: false; readonly reason: Text };

export interface GateDeps {
  readonly policy: GatePolicy;
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly taints: TaintBook;
  readonly judge: Judge;
  readonly guarded?: Guarded;
  /** For smart approval. */
  readonly askModel?: AskModel;
  /** Hides the secrets that this profile knows of. */
  readonly redact?: (text: string) => string;
  /** Why whoever speaks through a channel cannot be taken for a person. Refusals and a model are not asked about. */
  readonly unproven?: (by: Approver) => Text | string | undefined;
  readonly now?: () => number;
  readonly pollMs?: number;
}

export interface Gate {
  /**
   * Whether a call may be made, asking whoever the channel leads to. Without a channel, what asks is denied, and so is
   * everything that would leave a line where the audit log is broken. Rejects only when the ledger cannot be written:
   * then nothing may be done either.
   */
  permit(request: PermitRequest, channel: ApprovalChannel | undefined, signal: AbortSignal): Promise<Permit>;
  /** The answer of somebody whom the host has authenticated. Rejects when they may not give it, or it is too late. */
  decide(id: string, decision: Decision & { readonly by: Approver }): Promise<Approval>;
  /**
   * The answer that a person gave beforehand, for exactly this request. Gives why it does not count: whatever asks for a second
   * person or a second confirmation waits for people, and with a list of approvers only what stands on it counts.
   */
  grantByRule(id: string, grant: StandingRule): Promise<Text | undefined>;
  /** Takes back a grant, or a request. False: there was nothing to take back. */
  revoke(id: string, by: Approver): Promise<boolean>;
  pending(session?: string): Promise<readonly Approval[]>;
  /** Asks for something that no call of a tool asks for. The same id again is the same request. */
  ask(request: PlainRequest): Promise<Approval>;
  /**
   * Uses an agreement up, for exactly this action of this requester. `mayBeMine`: nobody else redeems it, and an earlier
   * attempt may have been cut off right after, so one that was used counts.
   */
  redeem(
    id: string,
    action: Action,
    requester: Requester,
    options?: { readonly mayBeMine?: boolean },
  ): Promise<Redeemed>;
  /** What a result turned out to bring, beyond what its tool had said. */
  note(requester: Requester, brings: readonly Taint[]): Promise<void>;
}

const POLL_MS = 500;
const nobody = ({ concerns }: Assessment): string =>
  [...concerns.map(({ text }) => text.en), 'It needs a person to agree, and nobody can be asked here.'].join(
    ' ',
  );

export function openGate(given: GateDeps): Gate {
  const deps = {
    guarded: { paths: [] },
    redact,
    unproven: () => undefined,
    now: Date.now,
    pollMs: POLL_MS,
    ...given,
  };
  const { policy, approvals, audit, taints, now } = deps;
  const desk = approvalDesk(deps);
  const refusals = recentRefusals(now);

  const note = async (requester: Requester, brings: readonly Taint[]): Promise<void> => {
    for (const taint of brings) {
      const isNew = await taints.add(requester.session, taint, now());
      if (isNew) await audit.append('session.tainted', requester, { taint });
    }
  };
  const look = async (request: PermitRequest): Promise<Assessment | string> => {
    const known = await taints.read(request.requester.session);
    try {
      return await assess(request, known, deps);
    } catch (error) {
      return cannotTell(request.tool.name, error);
    }
  };
  const denyUnseen = async ({ requester, tool, call }: PermitRequest, reason: string): Promise<Permit> => {
    await audit.append('action.denied', requester, { tool: tool.name, call, reason: deps.redact(reason) });
    return { allowed: false, reason };
  };
  const deny = async (found: Assessment, reason: string): Promise<Permit> => {
    await audit.append('action.denied', found.requester, { ...factsOf(found), reason: deps.redact(reason) });
    return { allowed: false, reason };
  };
  const allow = async (
    found: Assessment,
    because: Readonly<Record<string, unknown>> = {},
  ): Promise<Permit> => {
    const bare = found.action.place?.isolation === 'none';
    const told = found.action.level > 0 || found.concerns.length > 0 || bare;
    if (told) await audit.append('action.allowed', found.requester, { ...factsOf(found), ...because });
    await note(found.requester, found.brings);
    return { allowed: true };
  };

  /** The rules may have changed since: what did not count now did not count then. */
  const objectionNow = (found: Assessment, by: Approver | undefined): string | undefined =>
    by?.channel === MODEL_CHANNEL && mayReview(found)
      ? undefined
      : objectionTo(by, found.requester, found.rule.separateApprover, policy)?.en;

  /** Looks at the call once more, so that what runs is what was agreed to, and uses the agreement up. */
  const redeem = async (
    request: PermitRequest,
    { id, digest, scope, decidedBy }: Approval,
  ): Promise<Permit> => {
    const found = await look(request);
    if (typeof found === 'string') return denyUnseen(request, found);
    if (found.verdict === 'deny') return deny(found, found.denials.join(' '));
    if (found.digest !== digest) {
      await desk.withdraw(id, undefined);
      return deny(found, 'it is not what was agreed to: something about it has changed.');
    }
    const objection = objectionNow(found, decidedBy);
    if (objection) return deny(found, objection);
    const stands = scope?.kind === 'session' || scope?.kind === 'always';
    if (!stands && !(await approvals.use(id, found.digest, now())))
      return deny(found, 'the agreement to it was used.');
    await audit.append('approval.used', found.requester, { ...factsOf(found), approval: id, by: decidedBy });
    await note(found.requester, found.brings);
    return { allowed: true, approval: id };
  };

  const ask = async (
    request: PermitRequest,
    found: Assessment,
    channel: ApprovalChannel | undefined,
    signal: AbortSignal,
  ): Promise<Permit> => {
    const model = mayReview(found) ? deps.askModel : undefined;
    if (!channel && !model) return deny(found, nobody(found));
    return desk.request(found, async (approval) => {
      const reason = model && (await reviewByModel(found, approval.id, model, signal));
      if (reason !== undefined) return redeem(request, await desk.grantByModel(approval.id, reason));
      if (!channel) {
        await desk.withdraw(approval.id, undefined);
        return deny(found, nobody(found));
      }
      const { approval: settled, why } = await desk.settle(approval, channel, signal);
      if (settled.state === 'granted') return redeem(request, settled);
      if (settled.state === 'denied') refusals.remember(found, request.turn);
      return { allowed: false, reason: why ?? whyNot(settled, policy) };
    });
  };

  return {
    permit: orDenied(async (request, channel, signal) => {
      const found = await look(request);
      if (typeof found === 'string') return denyUnseen(request, found);
      if (found.verdict === 'deny') return deny(found, found.denials.join(' '));
      if (found.verdict === 'allow') return allow(found);
      const covered = coveredBy(found, policy, await approvals.standing(request.requester, now()));
      if (covered) return allow(found, { by: covered });
      const [unused] = await desk.unused(found);
      if (unused) return redeem(request, unused);
      if (refusals.has(found, request.turn)) return deny(found, 'the same call was refused just now.');
      return ask(request, found, channel, signal);
    }),
    decide: (id, { by, ...decision }) => desk.decide(id, decision, by),
    grantByRule: (id, grant) => desk.grantByRule(id, grant),
    revoke: (id, by) => desk.withdraw(id, by),
    pending: (session) => desk.pending(session),
    ...plainRequests(deps),
    note,
  };
}

/** What cannot be recorded is not done: where the record was tampered with, that is a denial with its reason. */
const orDenied =
  (permit: Gate['permit']): Gate['permit'] =>
  async (...asked) => {
    try {
      return await permit(...asked);
    } catch (error) {
      const { code, message, hint = '' } = toErrorRecord(error);
      if (code !== 'audit.broken') throw error;
      return { allowed: false, reason: `${message} ${hint}`.trim() };
    }
  };

const factsOf = ({ action, call, digest, concerns }: Assessment) => ({
  tool: action.tool,
  call,
  level: action.level,
  digest,
  shown: action.shown,
  ...(concerns.length > 0 ? { reasons: concerns.map(({ text }) => text.en) } : {}),
});

function whyNot({ state, decidedBy }: Approval, { waitMs }: GatePolicy): string {
  if (state === 'denied') return `${decidedBy?.user ?? 'somebody'} did not agree.`;
  if (state === 'expired') return `nobody answered within ${Math.round(waitMs / 1000)} seconds.`;
  return `the request was ${state}.`;
}
