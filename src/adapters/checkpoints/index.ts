export { openCheckpoints } from './open-checkpoints.ts';
export { realPathOf } from '#adapters/io/real-path';
export { turnCheckpoints } from './turn-checkpoints.ts';
