export { describeLedger, type LedgerUnderTest } from './ledger-contract.ts';
export { memoryLedger } from './memory-ledger.ts';
export { sampleApproval, sampleRequester } from './samples.ts';
