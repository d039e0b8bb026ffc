export { experienceOf, type FinishedTurn } from './experience/experience-of.ts';
export { finishedTurn } from './experience/finished-turn.ts';
export { type LearnEvent, tellLearning } from './learn-event.ts';
export type { LearnStatus } from './learn-status.ts';
export type { LearningDeps, SkillChange, SkillPen, SkillShelf } from './learning-deps.ts';
export { type Learning, openLearning } from './open-learning.ts';
export { type TrialShelf, trialShelf } from './reflect/trial-shelf.ts';
export { LEARNING_DEFAULTS, type LearningSettings } from './settings.ts';
