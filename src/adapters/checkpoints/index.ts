export { openCheckpoints } from './open-checkpoints.ts';
export { realPathOf } from './real-path.ts';
export { type RunningTurn, turnCheckpoints } from './turn-checkpoints.ts';
