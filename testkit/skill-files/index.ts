export { describeSkillFiles, type SkillPlace } from './skill-files-contract.ts';
