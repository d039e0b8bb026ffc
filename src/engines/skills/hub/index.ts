export type { HubDeps } from './hub-deps.ts';
export type {
  Agree,
  HubAudit,
  HubFound,
  HubInstalled,
  HubProposal,
  HubPublished,
  HubRefusal,
  HubRefused,
  HubSearch,
  HubUninstalled,
} from './hub-records.ts';
export { trustByLock } from './lock-text.ts';
export { openSkillHub, type SkillHub } from './open-skill-hub.ts';
export { parseSource, type WrittenSource } from './parse-source.ts';
