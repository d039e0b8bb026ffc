export { judgeSkill, type SkillJudgement } from './judge-skill.ts';
export type { SkillPart } from './skill-part.ts';
