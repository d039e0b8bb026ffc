import type * as Profile from './config/import-profile.ts';
import type * as Doctor from './doctor/diagnose.ts';
import type * as Anchor from './gate/audit-anchor.ts';
import type * as Refuse from './gate/refuse-from-command.ts';
import type * as Requests from '#app/approvals';
import type * as Alerts from './incidents/alert-routes.ts';
import type * as Rules from '#app/incidents';
import type * as Replay from './incidents/replay-bundle.ts';
import type * as Telemetry from './incidents/telemetry-routes.ts';
import type * as Transfer from './incidents/transfer-incidents.ts';
import type * as Mcp from './mcp/serve-mcp.ts';
import type * as Memory from '#app/memory';
import type * as Embedder from './memory/embedder.ts';
import type * as Repair from './repair-sessions.ts';
import type * as Known from './models/list-known.ts';
import type * as Plugins from './plugins/view-plugins.ts';
import type * as Served from '#app/agent-api';
import type * as Chat from '#app/chat';
import type * as Hub from './skills/open-hub.ts';
import type * as Skills from '#app/skills';
import type * as ServedSkills from '#app/skills';
import type * as Digests from '#app/incidents';
import type * as Ended from './served/ended-sessions.ts';
import type * as Interfaces from '#app/status';
import type * as ServedMemories from '#app/memory';
import type * as McpView from './served/mcp/open-mcp-view.ts';
import type * as Monitor from '#app/monitoring';
import type * as Asking from './reach/ask-home.ts';
import type * as Unread from './config/unread/find-unread.ts';
import type * as Reaching from './reach/open-reach.ts';
import type * as Running from './served/running-server.ts';
import type * as ServedSessions from '#app/sessions';
import type * as Status from '#app/status';
import type * as Users from './served/read-users.ts';
import type * as WriteUsers from './served/write-users.ts';
import type * as Sessions from '#app/sessions';
import type * as Secrets from './secret-values.ts';
import type * as Backends from './tools/view-backends.ts';
import type * as Tools from '#app/tools';

// What only few commands need is loaded when it is called: a start should cost nothing for it.

export const refuseUnproven: typeof Refuse.refuseUnproven = async (...given) =>
  (await import('./gate/refuse-from-command.ts')).refuseUnproven(...given);
export const refuseFromCommand: typeof Refuse.refuseFromCommand = async (...given) =>
  (await import('./gate/refuse-from-command.ts')).refuseFromCommand(...given);

export const addUser: typeof WriteUsers.addUser = async (...given) =>
  (await import('./served/write-users.ts')).addUser(...given);

export const removeUser: typeof WriteUsers.removeUser = async (...given) =>
  (await import('./served/write-users.ts')).removeUser(...given);

export const listUsers: typeof WriteUsers.listUsers = async (...given) =>
  (await import('./served/write-users.ts')).listUsers(...given);

export const viewTools: typeof Tools.viewTools = async (...given) =>
  (await import('#app/tools')).viewTools(...given);

export const viewBackends: typeof Backends.viewBackends = async (...given) =>
  (await import('./tools/view-backends.ts')).viewBackends(...given);

export const sandboxQuestion: typeof Backends.sandboxQuestion = async (...given) =>
  (await import('./tools/view-backends.ts')).sandboxQuestion(...given);

export const viewPlugins: typeof Plugins.viewPlugins = async (...given) =>
  (await import('./plugins/view-plugins.ts')).viewPlugins(...given);

export const allowPlugin: typeof Plugins.allowPlugin = async (...given) =>
  (await import('./plugins/view-plugins.ts')).allowPlugin(...given);

export const disallowPlugin: typeof Plugins.disallowPlugin = async (...given) =>
  (await import('./plugins/view-plugins.ts')).disallowPlugin(...given);

export const serveMcp: typeof Mcp.serveMcp = async (...given) =>
  (await import('./mcp/serve-mcp.ts')).serveMcp(...given);

export const embedderState: typeof Embedder.embedderState = async (...given) =>
  (await import('./memory/embedder.ts')).embedderState(...given);

export const setUpEmbedder: typeof Embedder.setUpEmbedder = async (...given) =>
  (await import('./memory/embedder.ts')).setUpEmbedder(...given);

export const waitingWrites: typeof Memory.waitingWrites = async (...given) =>
  (await import('#app/memory')).waitingWrites(...given);

export const approveMemoryWrite: typeof Memory.approveMemoryWrite = async (...given) =>
  (await import('#app/memory')).approveMemoryWrite(...given);

export const rejectMemoryWrite: typeof Memory.rejectMemoryWrite = async (...given) =>
  (await import('#app/memory')).rejectMemoryWrite(...given);

export const undoNotebook: typeof Memory.undoNotebook = async (...given) =>
  (await import('#app/memory')).undoNotebook(...given);

export const runSkill: typeof Skills.runSkill = async (...given) =>
  (await import('#app/skills')).runSkill(...given);

export const checkSkill: typeof Skills.checkSkill = async (...given) =>
  (await import('#app/skills')).checkSkill(...given);

export const explainSkill: typeof Skills.explainSkill = async (...given) =>
  (await import('#app/skills')).explainSkill(...given);

export const skillRuns: typeof Skills.skillRuns = async (...given) =>
  (await import('#app/skills')).skillRuns(...given);

export const openServedSkills: typeof ServedSkills.openServedSkills = async (...given) =>
  (await import('#app/skills')).openServedSkills(...given);

export const openHub: typeof Hub.openHub = async (...given) =>
  (await import('./skills/open-hub.ts')).openHub(...given);

export const learningLines: typeof Skills.learningLines = async (...given) =>
  (await import('#app/skills')).learningLines(...given);

export const alertRoutes: typeof Alerts.alertRoutes = async (...given) =>
  (await import('./incidents/alert-routes.ts')).alertRoutes(...given);

export const telemetryRoutes: typeof Telemetry.telemetryRoutes = async (...given) =>
  (await import('./incidents/telemetry-routes.ts')).telemetryRoutes(...given);

export const replayBundle: typeof Replay.replayBundle = async (...given) =>
  (await import('./incidents/replay-bundle.ts')).replayBundle(...given);

export const exportIncident: typeof Transfer.exportIncident = async (...given) =>
  (await import('./incidents/transfer-incidents.ts')).exportIncident(...given);

export const importIncidents: typeof Transfer.importIncidents = async (...given) =>
  (await import('./incidents/transfer-incidents.ts')).importIncidents(...given);

export const readUsers: typeof Users.readUsers = async (...given) =>
  (await import('./served/read-users.ts')).readUsers(...given);

export const endedSessions: typeof Ended.endedSessions = async (...given) =>
  (await import('./served/ended-sessions.ts')).endedSessions(...given);

export const openMonitoring: typeof Monitor.openMonitoring = async (...given) =>
  (await import('#app/monitoring')).openMonitoring(...given);

export const incidentDigest: typeof Digests.incidentDigest = async (...given) =>
  (await import('#app/incidents')).incidentDigest(...given);

export const incidentDigestText: typeof Digests.incidentDigestText = async (...given) =>
  (await import('#app/incidents')).incidentDigestText(...given);

export const openMcpView: typeof McpView.openMcpView = async (...given) =>
  (await import('./served/mcp/open-mcp-view.ts')).openMcpView(...given);

export const viewInterfaces: typeof Interfaces.viewInterfaces = async (...given) =>
  (await import('#app/status')).viewInterfaces(...given);

export const servedStatus: typeof Status.servedStatus = async (...given) =>
  (await import('#app/status')).servedStatus(...given);

export const openServedSessions: typeof ServedSessions.openServedSessions = async (...given) =>
  (await import('#app/sessions')).openServedSessions(...given);

export const openServedMemory: typeof ServedMemories.openServedMemory = async (...given) =>
  (await import('#app/memory')).openServedMemory(...given);

export const findServer: typeof Running.findServer = async (...given) =>
  (await import('./served/running-server.ts')).findServer(...given);

export const claimServer: typeof Running.claimServer = async (...given) =>
  (await import('./served/running-server.ts')).claimServer(...given);

export const refuseSecondServer: typeof Running.refuseSecondServer = async (...given) =>
  (await import('./served/running-server.ts')).refuseSecondServer(...given);

export const releaseServer: typeof Running.releaseServer = async (...given) =>
  (await import('./served/running-server.ts')).releaseServer(...given);

export const openServedChat = async (
  ...given: Parameters<typeof Chat.openServedChat>
): Promise<ReturnType<typeof Chat.openServedChat>> => (await import('#app/chat')).openServedChat(...given);

export const openServedAgent = async (
  ...given: Parameters<typeof Served.openServedAgent>
): Promise<ReturnType<typeof Served.openServedAgent>> =>
  (await import('#app/agent-api')).openServedAgent(...given);

export const knownSecrets: typeof Secrets.knownSecrets = async (...given) =>
  (await import('./secret-values.ts')).knownSecrets(...given);

export const exportSession: typeof Sessions.exportSession = async (...given) =>
  (await import('#app/sessions')).exportSession(...given);

export const findInSessions: typeof Sessions.findInSessions = async (...given) =>
  (await import('#app/sessions')).findInSessions(...given);

export const importSession: typeof Sessions.importSession = async (...given) =>
  (await import('#app/sessions')).importSession(...given);

export const repairSessions: typeof Repair.repairSessions = async (...given) =>
  (await import('./repair-sessions.ts')).repairSessions(...given);

export const importProfileFile: typeof Profile.importProfileFile = async (...given) =>
  (await import('./config/import-profile.ts')).importProfileFile(...given);

export const listProviderModels: typeof Known.listProviderModels = async (...given) =>
  (await import('./models/list-known.ts')).listProviderModels(...given);

export const viewProviders: typeof Known.viewProviders = async (...given) =>
  (await import('./models/list-known.ts')).viewProviders(...given);

export const verifyAudit: typeof Anchor.verifyAudit = async (...given) =>
  (await import('./gate/audit-anchor.ts')).verifyAudit(...given);

export const decideRequest: typeof Requests.decideRequest = async (...given) =>
  (await import('#app/approvals')).decideRequest(...given);

export const listRequests: typeof Requests.listRequests = async (...given) =>
  (await import('#app/approvals')).listRequests(...given);

export const revokeGrant: typeof Requests.revokeGrant = async (...given) =>
  (await import('#app/approvals')).revokeGrant(...given);

export const diagnose: typeof Doctor.diagnose = async function* (...given) {
  yield* (await import('./doctor/diagnose.ts')).diagnose(...given);
};

export const openReach: typeof Reaching.openReach = async (...given) =>
  (await import('./reach/open-reach.ts')).openReach(...given);

export const openOwnReach: typeof Asking.openOwnReach = async (...given) =>
  (await import('./reach/ask-home.ts')).openOwnReach(...given);

export const findUnread: typeof Unread.findUnread = async (...given) =>
  (await import('./config/unread/find-unread.ts')).findUnread(...given);

export const rulesOf: typeof Rules.rulesOf = async (...given) =>
  (await import('#app/incidents')).rulesOf(...given);
