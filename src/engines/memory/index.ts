export type {
  CleanupReport,
  ImportReport,
  Memory,
  MemoryRanking,
  RecalledMemory,
  Remembered,
  ScoreBreakdown,
} from './entries/memory.ts';
export { RANKINGS } from './entries/memory.ts';
export { openMemory } from './entries/open-memory.ts';
export { memoryContext } from './memory-context.ts';
export { type MemoryWriter, memoryWriter, type Written } from './memory-writer.ts';
export { NOTEBOOK_NAMES, NOTEBOOKS, type NotebookName } from './notebooks/notebook-kinds.ts';
export { type NotebookReply, replyText, succeeded } from './notebooks/notebook-reply.ts';
export { type Notebooks, openNotebooks } from './notebooks/open-notebooks.ts';
export { type MemoryNotice, noticeText } from './notice.ts';
export { type OutsideMemories, outsideMemories } from './outside/outside-memories.ts';
export { decideWrites, type ReviewedTurn } from './review/decide-writes.ts';
export type { ReviewRequest } from './review/review-request.ts';
export { type Reviewer, type ReviewReport, reviewTurns, type RunReview } from './review/review-turns.ts';
export { type Route, type RoutedMessage, routeMessage } from './route/route-message.ts';
export { scanMemory } from './scan/scan-memory.ts';
export { homeScope, type MemoryView, notebookFolder, scopesOf } from './scopes.ts';
export { approveStaged, rejectStaged } from './staged-memory.ts';
export { memoryTools } from './tools/memory-tools.ts';
export { type Profile, PROFILE_FIELDS } from './user-model/profile.ts';
export { type UserModel, userModel } from './user-model/user-model.ts';
