export { compact, type Compaction, type CompactionLimits, type Summarise } from './compaction/compact.ts';
export { summariser } from './compaction/summarise.ts';
export { deferredTools } from './deferred-tools.ts';
export { missingResults } from './mend-transcript.ts';
export {
  type Added,
  MEMORY_TAG,
  type Recorded,
  runTurn,
  type TurnDeps,
  type TurnOutcome,
} from './run-turn.ts';
export type { Permission } from './tool-batch.ts';
export { specOf, type ToolSet, toolSet } from './tool-set.ts';
