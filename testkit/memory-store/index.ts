export { describeMemoryStore, type MemoryStorage } from './memory-store-contract.ts';
export { sampleMemory, sampleTerms, sampleVector, scatteredVectors } from './samples.ts';
