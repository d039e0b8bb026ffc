export { openCheckpoints } from './open-checkpoints.ts';
export { realPathOf } from './real-path.ts';
export { turnCheckpoints } from './turn-checkpoints.ts';
