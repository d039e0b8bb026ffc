export { type LocalEmbedderState, localEmbedderState } from './local-embedder-state.ts';
export { openLocalEmbedder } from './open-local-embedder.ts';
export { openRemoteEmbedder, type RemoteEmbedderOptions } from './open-remote-embedder.ts';
export { type SetUpOptions, type SetUpProgress, setUpLocalEmbedder } from './set-up-local-embedder.ts';
