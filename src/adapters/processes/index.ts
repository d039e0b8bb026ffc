export { comesFromCommand } from './comes-from-command.ts';
export { hasTerminal } from './has-terminal.ts';
export { isAlive } from './is-alive.ts';
export { peerKnowledge } from './peer-knowledge.ts';
