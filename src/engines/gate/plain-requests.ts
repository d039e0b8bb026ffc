import { fail } from '#kit/app-error';
import { catalogue, type Text } from '#kit/text';
import type { Action, Approval, Requester } from '#spec/data';
import type { ApprovalStore, AuditLog } from '#spec/ports';
import { requestDigest } from './digest.ts';
import { type GatePolicy, ruleFor } from './gate-policy.ts';
import type { Gate } from './open-gate.ts';
import { objectionTo } from './who-may-agree.ts';

/** A request for agreement whose answer may come after hours, in another process. */
export interface PlainRequest {
  readonly id: string;
  readonly action: Action;
  readonly requester: Requester;
  readonly reasons: readonly Text[];
  readonly separate: boolean;
  readonly confirm?: string | undefined;
  /** How long it waits for an answer. */
  readonly waitMs: number;
}

interface Deps {
  readonly policy: GatePolicy;
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

const words = catalogue({
  en: {
    noRequest: (id: string) => `There is no request '${id}'.`,
    changed: 'it is not what was agreed to: something about it has changed.',
    notGranted: (state: string) => `the request was not granted: it is ${state}.`,
    expired: 'the agreement has expired.',
    used: 'the agreement to it was used.',
  },
  zh: {
    noRequest: (id) => `没有请求 '${id}'。`,
    changed: '与批准的内容不同:其中有所变化。',
    notGranted: (state) => `请求没有得到同意:状态为 ${state}。`,
    expired: '同意已过期。',
    used: '同意已被使用。',
  },
});

/** Requests that nobody sits and waits for: whoever asked comes back for the answer. */
export function plainRequests({ policy, approvals, audit, now, redact }: Deps): Pick<Gate, 'ask' | 'redeem'> {
  return {
    ask: async ({ id, action, requester, reasons, separate, confirm, waitMs }) => {
      const at = now();
      const shown = redact(action.shown);
      const digest = requestDigest(action, requester);
      const approval: Approval = {
        id,
        digest,
        action: { ...action, shown },
        requester,
        reasons: [...reasons],
        // The policy of the home tightens what the request says of itself.
        separate: separate || ruleFor(policy, requester, undefined).separateApprover,
        ...(confirm === undefined ? {} : { confirm }),
        state: 'pending',
        createdAt: at,
        expiresAt: at + waitMs,
      };
      if (await approvals.add(approval)) {
        const told = {
          approval: id,
          digest,
          tool: action.tool,
          level: action.level,
          shown,
          reasons: reasons.map(({ en }) => en),
        };
        await audit.append('approval.requested', requester, told);
        return approval;
      }
      const known = await approvals.get(id);
      if (known?.digest !== digest)
        throw fail('input.conflict', `Request ${id} was made for something else.`);
      return known;
    },
    redeem: async (id, action, requester, { mayBeMine = false } = {}) => {
      const digest = requestDigest(action, requester);
      const refuse = async (reason: Text) => {
        await audit.append('action.denied', requester, {
          tool: action.tool,
          approval: id,
          digest,
          shown: redact(action.shown),
          reason: reason.en,
        });
        return { allowed: false, reason } as const;
      };
      const approval = await approvals.get(id);
      if (!approval) return refuse(words.noRequest(id));
      if (approval.digest !== digest) return refuse(words.changed);
      const { state, decidedBy, separate, expiresAt } = approval;
      if (state === 'used' && mayBeMine) return { allowed: true, approval: id };
      if (state !== 'granted') return refuse(words.notGranted(state));
      const objection = objectionTo(decidedBy, requester, separate, policy);
      if (objection) return refuse(objection);
      if (!(await approvals.use(id, digest, now())))
        return refuse(expiresAt <= now() ? words.expired : words.used);
      await audit.append('approval.used', requester, { approval: id, digest, by: decidedBy });
      return { allowed: true, approval: id };
    },
  };
}
