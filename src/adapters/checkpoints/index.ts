export { openCheckpoints } from './open-checkpoints.ts';
export { turnCheckpoints } from './turn-checkpoints.ts';
