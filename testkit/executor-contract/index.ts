export { type ExecutorTraits, type ExecutorUnderTest, executorContract } from './executor-contract.ts';
export { orderOf, sampleAction } from './order.ts';
