export type { ApprovalChannel, Decision } from './approval-channel.ts';
export type { CommandPlace } from './assess.ts';
export { DEFAULT_POLICY, type GatePolicy, type GateRule } from './gate-policy.ts';
export type { Judge } from './judgement.ts';
export { type Gate, openGate } from './open-gate.ts';
export { actionDigest, canonicalJson, requestDigest } from './digest.ts';
export { GRANT_CHANNEL } from './who-may-agree.ts';
export { judgeCommand } from './shell/judge-command.ts';
export { fuzz, sampleCommands } from './shell/sample-commands.ts';
