import { fail } from '#kit/app-error';
import { say, type Text } from '#kit/text';
import type { Approval, Approver, GrantScope } from '#spec/data';
import type { ApprovalStore, AuditLog } from '#spec/ports';
import type { ApprovalChannel, Decision } from './approval-channel.ts';
import { approvalId } from './approval-id.ts';
import type { Assessment } from './assess.ts';
import type { GatePolicy } from './gate-policy.ts';
import { narrowedPrefix, offeredPrefix } from './grants.ts';
import { type Settled, settleRequest } from './settle-request.ts';
import { wakeUpCalls } from './wake-up-calls.ts';
import { GRANT_CHANNEL, MODEL_CHANNEL, objectionTo, onlyPerson } from './who-may-agree.ts';

export interface DeskDeps {
  readonly policy: GatePolicy;
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly now: () => number;
  /** Why whoever speaks through a channel cannot be taken for a person: the host looks at what stands behind it. */
  readonly unproven: (by: Approver) => Text | string | undefined;
  /** How often the store is asked for what another process has decided. */
  readonly pollMs: number;
}

/** What a person wrote down beforehand: by which name, and in which words. */
export interface StandingRule {
  readonly id: string;
  readonly rule: string;
}

const MOST_LISTED = 200;

export interface ApprovalDesk {
  /** The request for a call: one that waits from before a restart, or a new one. Held for as long as `work` runs. */
  request<T>(found: Assessment, work: (approval: Approval) => Promise<T>): Promise<T>;
  /** Grants for exactly this call that nobody has used, such as those given while nobody was running. */
  unused(found: Assessment): Promise<readonly Approval[]>;
  /** Shows it and waits until it is settled. */
  settle(approval: Approval, channel: ApprovalChannel, signal: AbortSignal): Promise<Settled>;
  decide(id: string, decision: Decision, by: Approver): Promise<Approval>;
  grantByModel(id: string, reason: string): Promise<Approval>;
  grantByRule(id: string, grant: StandingRule): Promise<Text | undefined>;
  withdraw(id: string, by: Approver | undefined): Promise<boolean>;
  pending(session: string | undefined): Promise<readonly Approval[]>;
}

export function approvalDesk(deps: DeskDeps): ApprovalDesk {
  const { approvals, audit, now, policy } = deps;
  const calls = wakeUpCalls();

  const must = async (id: string): Promise<Approval> => {
    const approval = await approvals.get(id);
    if (!approval) throw fail('input.invalid', `There is no request '${id}'.`);
    return approval;
  };
  const record = (
    kind: 'requested' | 'expired' | 'withdrawn' | 'granted' | 'denied' | 'refused',
    approval: Approval,
    more = {},
  ) => audit.append(`approval.${kind}`, approval.requester, { ...summaryOf(approval), ...more });

  const expire = async (approval: Approval): Promise<void> => {
    if (await approvals.end(approval.id, 'expired', now())) await record('expired', approval);
    calls.wake(approval.id);
  };

  const withdraw: ApprovalDesk['withdraw'] = async (id, by) => {
    const approval = await must(id);
    const done = await approvals.end(id, 'withdrawn', now());
    if (done) await record('withdrawn', approval, by ? { by } : {});
    calls.wake(id);
    return done;
  };

  const put = async (id: string, granted: boolean, scope: GrantScope, by: Approver, more = {}) => {
    const at = now();
    const expiresAt = at + policy.grantMs[scope.kind];
    if (!(await approvals.decide(id, { granted, scope, by, at, expiresAt }))) {
      const late = await must(id);
      const error = tooLate(late, at);
      await record('refused', late, { by, reason: error.message });
      throw error;
    }
    const approval = await must(id);
    await record(granted ? 'granted' : 'denied', approval, { by, ...(granted ? { scope } : {}), ...more });
    calls.wake(id);
    return approval;
  };

  const decide: ApprovalDesk['decide'] = async (id, decision, by) => {
    const approval = await must(id);
    const objection = decision.granted
      ? (deps.unproven(by) ??
        (by.channel === GRANT_CHANNEL ? onlyPerson() : undefined) ??
        objectionTo(by, approval.requester, approval.separate, policy) ??
        unconfirmed(approval, decision))
      : undefined;
    if (objection) {
      await record('refused', approval, { by, reason: say(objection, 'en') });
      throw fail('tool.refused', objection);
    }
    return put(id, decision.granted, scopeOf(approval, decision), by);
  };

  return {
    request: async (found, work) => {
      const { digest, requester } = found;
      const earlier = await approvals.list({
        states: ['pending'],
        session: requester.session,
        digest,
        limit: 20,
      });
      const left = earlier.find(({ id, expiresAt }) => expiresAt > now() && !calls.isAwaited(id));
      if (left) return calls.awaiting(left.id, () => work(left));
      const approval = newApproval(found, policy, now());
      if (!(await approvals.add(approval))) throw fail('internal', `The id ${approval.id} is taken.`);
      return calls.awaiting(approval.id, async () => {
        await record('requested', approval);
        return work(approval);
      });
    },
    unused: async ({ digest, requester: { session } }) =>
      (await approvals.list({ states: ['granted'], session, digest, limit: 20 })).filter(
        ({ id, scope, expiresAt }) => scope?.kind === 'once' && expiresAt > now() && !calls.isAwaited(id),
      ),
    settle: ({ id }, channel, signal) =>
      settleRequest(id, channel, signal, {
        find: must,
        decide,
        withdraw,
        expire,
        calls,
        now,
        pollMs: deps.pollMs,
      }),
    decide,
    grantByModel: (id, reason) =>
      put(id, true, { kind: 'once' }, { channel: MODEL_CHANNEL, user: 'reviewer' }, { reason }),
    grantByRule: async (id, { id: user, rule }) => {
      const approval = await must(id);
      const by = { channel: GRANT_CHANNEL, user };
      const { state, decidedBy, separate, confirm, requester } = approval;
      // An earlier attempt was cut off right after.
      if (state !== 'pending' && decidedBy?.channel === by.channel && decidedBy.user === user)
        return undefined;
      const objection =
        separate || confirm !== undefined ? onlyPerson() : objectionTo(by, requester, separate, policy);
      if (objection) await record('refused', approval, { by, reason: objection.en });
      else await put(id, true, { kind: 'once' }, by, { rule });
      return objection;
    },
    withdraw,
    pending: async (session) => {
      const filter = {
        states: ['pending'] as const,
        limit: MOST_LISTED,
        ...(session === undefined ? {} : { session }),
      };
      const late = (await approvals.list(filter)).filter(({ expiresAt }) => expiresAt <= now());
      for (const approval of late) await expire(approval);
      return approvals.list(filter);
    },
  };
}

function newApproval(found: Assessment, policy: GatePolicy, at: number): Approval {
  const { action, digest, requester, concerns, rule } = found;
  const prefix = offeredPrefix(found);
  const reasons = concerns.map(({ text }) => text);
  return {
    id: approvalId(),
    digest,
    action,
    requester,
    reasons: rule.separateApprover
      ? [
          ...reasons,
          {
            en: `Somebody else than ${requester.user} has to agree.`,
            zh: `必须由 ${requester.user} 以外的人同意。`,
          },
        ]
      : reasons,
    ...(prefix ? { prefix } : {}),
    separate: rule.separateApprover,
    state: 'pending',
    createdAt: at,
    expiresAt: at + policy.waitMs,
  };
}

/** What is wider than what can be granted becomes a grant for this one call. */
function scopeOf({ prefix: offered }: Approval, { scope = 'once', prefix: wanted }: Decision): GrantScope {
  const prefix = offered && narrowedPrefix(offered, wanted);
  return scope === 'once' || !prefix ? { kind: 'once' } : { kind: scope, prefix };
}

const unconfirmed = ({ confirm }: Approval, { confirmation }: Decision): Text | undefined =>
  confirm === undefined || confirmation === confirm
    ? undefined
    : {
        en: `It has to be confirmed with the word ${confirm}.`,
        zh: `必须用确认词 ${confirm} 确认。`,
      };

function tooLate({ id, state, expiresAt, decidedBy }: Approval, at: number) {
  const end = state === 'pending' && expiresAt <= at ? 'expired' : state;
  const who = decidedBy?.user;
  return fail('input.conflict', {
    en: `Request ${id} is no longer open: it was ${end}${who === undefined ? '' : ` by ${who}`}.`,
    zh: `请求 ${id} 已不再等待答复:${who === undefined ? '' : `由 ${who} `}${ENDS[end]}。`,
  });
}

/** What became of a request, as people say it. */
const ENDS: Readonly<Record<Approval['state'], string>> = {
  pending: '等待中',
  granted: '已同意',
  denied: '已拒绝',
  expired: '已过期',
  used: '已使用',
  withdrawn: '已撤回',
};

const summaryOf = ({ id, digest, action, reasons }: Approval) => ({
  approval: id,
  digest,
  tool: action.tool,
  level: action.level,
  shown: action.shown,
  reasons: reasons.map(({ en }) => en),
});
