export { parseSkillFile } from './document/parse-skill-file.ts';
export { openSkillLibrary, type SkillLibrary } from './shelf/open-skill-library.ts';
export type { Available, HiddenReason } from './shelf/why-hidden.ts';
export { skillTools } from './tools/skill-tools.ts';
export type { SkillToolDeps } from './tools/tool-deps.ts';
export { shownChange } from './write/shown-change.ts';
export { skillWriter, type SkillWriter } from './write/skill-writer.ts';
