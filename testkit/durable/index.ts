export { describeDurableEngine } from './durable-contract.ts';
export type { DurableUnderTest, OpenOptions } from './under-test.ts';
