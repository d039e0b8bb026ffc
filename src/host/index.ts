export { KEPT_FILES, LOG_FILES } from '#adapters/log';
export { type ConfigKey, describeConfig, listConfigValues } from './config/describe-config.ts';
export { getConfigValue, setConfigValue, unsetConfigValue } from './config/edit-config.ts';
export { prepareConfigFile } from './config/prepare-config-file.ts';
export { formatProblem, type Problem as ConfigProblem } from './config/problem.ts';
export { saidBy } from '#app/status';
export { viewReach } from '#app/status';
export type { Diagnosis } from './doctor/diagnosis.ts';
export { loadEnv } from './config/load-config.ts';
export { type Env, resolveHome } from './home.ts';
export { preferredLanguage } from './language.ts';
export { checkProviders, secretNamer } from './models/find-provider.ts';
export type { ProviderView } from './models/list-known.ts';
export { type Models, parseRef } from '#app/models';
export { findSession, localAudience, localView } from '#app/terminal';
export { type Host, openHost } from './open-host.ts';
export { peerKnowledge } from './gate/peer-knowledge.ts';
export type { PersonProof } from '#app/approvals';
export type { ToolView } from '#app/tools';
export type { Conversation, SlashCommandInfo, SlashResult, TurnResult } from './conversation.ts';
export { createProfile, listProfiles, switchProfile } from './profiles.ts';
export type { BackendView } from './tools/view-backends.ts';
export {
  alertRoutes,
  allowPlugin,
  exportIncident,
  importIncidents,
  incidentDigest,
  incidentDigestText,
  replayBundle,
  telemetryRoutes,
  checkSkill,
  explainSkill,
  decideRequest,
  diagnose,
  exportSession,
  findInSessions,
  importProfileFile,
  importSession,
  knownSecrets,
  verifyAudit,
  learningLines,
  listProviderModels,
  listRequests,
  refuseFromCommand,
  refuseUnproven,
  addUser,
  listUsers,
  removeUser,
  repairSessions,
  revokeGrant,
  viewProviders,
  openHub,
  openServedAgent,
  openServedChat,
  openServedSkills,
  runSkill,
  skillRuns,
  approveMemoryWrite,
  disallowPlugin,
  embedderState,
  rejectMemoryWrite,
  rulesOf,
  serveMcp,
  setUpEmbedder,
  sandboxQuestion,
  viewBackends,
  undoNotebook,
  viewPlugins,
  viewTools,
  waitingWrites,
  claimServer,
  endedSessions,
  findServer,
  openMcpView,
  openMonitoring,
  openOwnReach,
  openReach,
  findUnread,
  openServedMemory,
  openServedSessions,
  readUsers,
  refuseSecondServer,
  releaseServer,
  servedStatus,
  viewInterfaces,
} from './on-demand.ts';
export { incidentStoreFile } from './incidents/incident-store-file.ts';
export { manualAlert } from '#app/incidents';
export type { HomeIncidents } from '#app/incidents';
export { serverToken } from './server-token.ts';
export { packageFolder } from './package-folder.ts';
export { isAlive } from './served/is-alive.ts';
export { type HomeTrouble, openHomeHealth, requireWritableHome } from './served/home-health.ts';
export { openSecretsFile } from './secret-file-mode.ts';
export type { HostMcpView } from './served/mcp/open-mcp-view.ts';
export type { HomeReach, ReachedThing } from '#app/status';
export { homeDatabases } from './reach/store-reach.ts';
export { reachSentence } from '#app/status';
export type { ReachView } from '#app/status';
export type { HostMonitoring } from '#app/monitoring';
export type { Onlooker as SkillOnlooker } from '#app/skills';
export type { ServedSkills } from '#app/skills';
export type { FoundServer, ServerFile } from './served/running-server.ts';
export type { ServedStatus } from '#app/status';
export type { MemoryReader } from '#app/memory';
export type { ServedMemory } from '#app/memory';
export type { ServedSessions, SessionReader } from '#app/sessions';
export { INTERFACE_PARTS, INTERFACE_STATES, type InterfaceView } from '#app/status';
export type { AlertRoutes } from './incidents/alert-routes.ts';
export type {
  Ending,
  HandedCall,
  KeptItem,
  KeptTurn,
  Keeping,
  Progress,
  ServedAgent,
  ServedEvent,
  ServedRequest,
  ServedTurn,
} from '#app/agent-api';
export type { ChatEvent, ChatPerson, ServedChat } from '#app/chat';
export type { PluginView } from './plugins/load-plugins.ts';
export type { McpServerStatus } from '#adapters/bridges';
export type {
  HiddenReason as SkillHiddenReason,
  StepRecord as SkillStep,
  WorkflowEvent,
} from '#engines/skills';
