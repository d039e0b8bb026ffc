export { judgeSkill, type SkillJudgement } from './judge-skill.ts';
