export type { Memory } from './entries/memory.ts';
export { openMemory } from './entries/open-memory.ts';
export { memoryContext } from './memory-context.ts';
export { memoryWriter } from './memory-writer.ts';
export { NOTEBOOK_NAMES, type NotebookName } from './notebooks/notebook-kinds.ts';
export type { NotebookVersion } from './notebooks/notebook-history.ts';
export { type NotebookReply, replyText, succeeded } from './notebooks/notebook-reply.ts';
export { type NotebookEdit, type Notebooks, openNotebooks } from './notebooks/open-notebooks.ts';
export { type MemoryNotice, noticeText } from './notice.ts';
export { type OutsideMemories, outsideMemories } from './outside/outside-memories.ts';
export { decideWrites } from './review/decide-writes.ts';
export { reviewTurns, type RunReview } from './review/review-turns.ts';
export { asksForLastTime, routeMessage } from './route/route-message.ts';
export { scanMemory, scanTold } from './scan/scan-memory.ts';
export { homeScope, type MemoryView, scopesOf, viewOf } from './scopes.ts';
export { approveStaged, rejectStaged } from './staged-memory.ts';
export {
  lastSummaries,
  summariseSession,
  type WriteSummary,
  withoutSummary,
} from './summary/session-summaries.ts';
export { memoryTools } from './tools/memory-tools.ts';
export { type UserModel, userModel } from './user-model/user-model.ts';
