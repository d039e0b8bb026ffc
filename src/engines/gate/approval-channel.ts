import type { Approval, Approver } from '#spec/data';

/** What somebody says to a request. `prefix` is a part of what the approval offers, where less is wanted. */
export interface Decision {
  readonly granted: boolean;
  readonly scope?: 'once' | 'session' | 'always';
  readonly prefix?: readonly string[];
  /** The word that the request asks for. */
  readonly confirmation?: string;
}

/** The way to whoever can be asked. */
export interface ApprovalChannel {
  /** Who sits at it, as the host has authenticated them. Without it, an answer of `show` counts for nothing. */
  readonly approver?: Approver;
  /**
   * Shows the request. A terminal answers; a chat resolves to undefined and the answer comes through `decide`. The signal
   * aborts when the request was settled elsewhere. A rejection means that nobody has seen it.
   */
  show(approval: Approval, signal: AbortSignal): Promise<Decision | undefined>;
}
