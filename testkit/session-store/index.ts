export { sampleEntry, sampleSession } from './samples.ts';
export { describeSessionStore, type SessionStorage } from './session-store-contract.ts';
