export { type ActionPlace, openActionPlace } from './action-place.ts';
export { spawnedCommands } from './spawned-commands.ts';
export { toolContext } from './tool-context.ts';
