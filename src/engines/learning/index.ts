export type { FinishedTurn } from './experience/experience-of.ts';
export { draftOfOne } from './draft/draft-of-one.ts';
export { finishedTurn } from './experience/finished-turn.ts';
export { type LearnEvent, tellLearning } from './learn-event.ts';
export type { LearningDeps, SkillChange } from './learning-deps.ts';
export type { LearnStatus } from './learn-status.ts';
export { type Learning, openLearning } from './open-learning.ts';
export { trialShelf } from './reflect/trial-shelf.ts';
