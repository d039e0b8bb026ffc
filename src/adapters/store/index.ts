export { atomicWrite } from './files/atomic-write.ts';
export { fileCredentialBook } from './files/credential-book.ts';
export { withFileLock } from './files/file-lock.ts';
export { readText } from './files/read-text.ts';
export { openLedger } from './ledger/open-ledger.ts';
export type { RepairReport } from './sqlite/repair.ts';
export { openSessionDatabase, type SessionDatabase } from './sqlite/open-session-database.ts';
export { repairSessionDatabase } from './sqlite/repair-session-database.ts';
