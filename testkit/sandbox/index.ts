export { run } from './run.ts';
export { sandboxContract } from './sandbox-contract.ts';
export { findProgram, type TemporaryPlace, temporaryPlace } from './sandbox-place.ts';
export { openSshServer, type SshServer } from './ssh-server.ts';
export { type TestEngine, openTestEngine } from './test-engine.ts';
