import type { ApprovalInput, ShownApproval } from '../api/records.ts';

/** What a request is about, as far as it is an action of an incident. */
export function inputOf({ input }: Pick<ShownApproval, 'input'>): ApprovalInput {
  return typeof input === 'object' && input !== null ? input : {};
}
