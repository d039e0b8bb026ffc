export { type LocalEmbedderState, localEmbedderState } from './local-embedder-state.ts';
export { openLocalEmbedder } from './open-local-embedder.ts';
export { openRemoteEmbedder } from './open-remote-embedder.ts';
export { type SetUpProgress, setUpLocalEmbedder } from './set-up-local-embedder.ts';
