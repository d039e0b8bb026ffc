export type { HomeMemory } from './home-memory.ts';
export type { MemoryReader } from './memory-reader.ts';
export { openServedMemory, type ServedMemory } from './open-served-memory.ts';
export { approveMemoryWrite, rejectMemoryWrite, undoNotebook, waitingWrites } from './view-memory.ts';
