import type { ApprovalStore, AuditLog, TaintBook } from '#spec/ports';
import { describeApprovalStore } from './approval-store-contract.ts';
import { describeAuditLog } from './audit-log-contract.ts';
import { describeTaintBook } from './taint-book-contract.ts';

export interface LedgerUnderTest {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly taints: TaintBook;
  close(): Promise<void>;
}

export type OnLedger = (test: (ledger: LedgerUnderTest) => Promise<void>) => () => Promise<void>;

/** What every implementation of `ApprovalStore`, `AuditLog` and `TaintBook` does. `open` gives an empty one. */
export function describeLedger(name: string, open: () => Promise<LedgerUnderTest>): void {
  const on: OnLedger = (test) => async () => {
    const ledger = await open();
    try {
      await test(ledger);
    } finally {
      await ledger.close();
    }
  };
  describeApprovalStore(name, on);
  describeAuditLog(name, on);
  describeTaintBook(name, on);
}
