export { describeLearningStore, type LearningStorage } from './learning-store-contract.ts';
export { sampleEdit, sampleExperience, sampleUse, sampleVersion } from './samples.ts';
