export type { HomeHub, HomeSkills } from './home-skills.ts';
export type { Onlooker } from './onlooker.ts';
export { openServedSkills, type ServedSkills } from './open-served-skills.ts';
export { checkSkill, explainSkill, learningLines, runSkill, skillRuns } from './skill-desk.ts';
export { LEARNED_CHANGE, loopPen } from './staging-pen.ts';
export type { HiddenReason, StepRecord, WorkflowEvent } from '#engines/skills';
