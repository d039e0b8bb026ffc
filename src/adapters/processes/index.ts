export { comesFromCommand } from './comes-from-command.ts';
export { hasTerminal } from './has-terminal.ts';
export { peerProcess } from './peer-process.ts';
