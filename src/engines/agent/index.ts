export { compact } from './compaction/compact.ts';
export { summariser } from './compaction/summarise.ts';
export { deferredTools } from './deferred-tools.ts';
export { missingResults } from './mend-transcript.ts';
export { type Added, type Recorded, runTurn } from './run-turn.ts';
export { type BatchDeps, callTool, type Permit } from './tool-batch.ts';
export { type ToolSet, toolSet } from './tool-set.ts';
