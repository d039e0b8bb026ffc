export { startHonchoServer } from './honcho-server.ts';
export { startMem0Server } from './mem0-server.ts';
export { describeMemoryProvider } from './memory-provider-contract.ts';
