export { openCommands } from './commands/open-commands.ts';
export { thisMachine } from './machine/this-machine.ts';
export { type ListedBackend, openBackends } from './open-backends.ts';
export { type BackendConfig, parseBackends } from './parse-backends.ts';
export { kindNames } from './sandbox-kinds.ts';
