import { toErrorRecord } from '#kit/app-error';
import type { Approval, Approver } from '#spec/data';
import type { ApprovalChannel, Decision } from './approval-channel.ts';
import type { WakeUpCalls } from './wake-up-calls.ts';

/** The reason of an abort that leaves requests open: whoever comes back after a restart finds the answer. */
export const RESTARTING = 'gate.restarting';

/** What became of a request. */
export interface Settled {
  readonly approval: Approval;
  /** Why nobody has decided it. */
  readonly why?: string;
}

export interface SettleDeps {
  readonly find: (id: string) => Promise<Approval>;
  readonly decide: (id: string, decision: Decision, by: Approver) => Promise<Approval>;
  readonly withdraw: (id: string, by: undefined) => Promise<boolean>;
  readonly expire: (approval: Approval) => Promise<void>;
  readonly calls: WakeUpCalls;
  readonly now: () => number;
  readonly pollMs: number;
}

/** Shows a request and waits until it was decided, here or in another process, or until its time is over. */
export async function settleRequest(
  id: string,
  channel: ApprovalChannel,
  signal: AbortSignal,
  { find, decide, withdraw, expire, calls, now, pollMs }: SettleDeps,
): Promise<Settled> {
  const settled = new AbortController();
  const shown = showOn(channel, await find(id), AbortSignal.any([signal, settled.signal]), decide);
  void shown.ended.then(() => calls.wake(id));
  try {
    for (;;) {
      const approval = await find(id);
      if (approval.state !== 'pending') return { approval };
      if (signal.aborted && signal.reason === RESTARTING) return { approval, why: 'Hermes is restarting.' };
      const why = signal.aborted ? 'It was interrupted.' : shown.problem();
      if (why !== undefined) {
        // A grant that came at the same moment is taken back with it.
        await withdraw(id, undefined);
        return { approval: { ...approval, state: 'withdrawn' }, why };
      }
      const left = approval.expiresAt - now();
      if (left <= 0) await expire(approval);
      else await calls.wait(id, Math.min(left, pollMs), signal);
    }
  } finally {
    settled.abort();
  }
}

/** Carries the answer of a channel over. One of somebody who may not give it leaves the request open. */
function showOn(
  channel: ApprovalChannel,
  approval: Approval,
  signal: AbortSignal,
  decide: SettleDeps['decide'],
): { readonly ended: Promise<void>; problem(): string | undefined } {
  let problem: string | undefined;
  const carry = async () => {
    try {
      const decision = await channel.show(approval, signal);
      if (decision && channel.approver) await decide(approval.id, decision, channel.approver);
    } catch (thrown) {
      const { code, message } = toErrorRecord(thrown);
      // Refused, or settled meanwhile: the state of the request tells.
      if (code !== 'tool.refused' && code !== 'input.conflict') problem = `It could not be asked: ${message}`;
    }
  };
  return { ended: carry(), problem: () => problem };
}
