export { trustByLock } from './lock-text.ts';
export { openSkillHub, type SkillHub } from './open-skill-hub.ts';
export { parseSource } from './parse-source.ts';
