import type * as Profile from './config/import-profile.ts';
import type * as Doctor from './doctor/diagnose.ts';
import type * as Anchor from './gate/audit-anchor.ts';
import type * as Refuse from './gate/refuse-from-command.ts';
import type * as Requests from './gate/requests.ts';
import type * as Alerts from './incidents/alert-routes.ts';
import type * as Rules from './incidents/rules-command.ts';
import type * as Replay from './incidents/replay-bundle.ts';
import type * as Telemetry from './incidents/telemetry-routes.ts';
import type * as Transfer from './incidents/transfer-incidents.ts';
import type * as Mcp from './mcp/serve-mcp.ts';
import type * as Memory from './memory/view-memory.ts';
import type * as Known from './models/list-known.ts';
import type * as Plugins from './plugins/view-plugins.ts';
import type * as Served from './served-agent/open-served-agent.ts';
import type * as Chat from './served-chat/open-served-chat.ts';
import type * as Hub from './skills/open-hub.ts';
import type * as Skills from './skills/skill-desk.ts';
import type * as ServedSkills from './served/skills/open-served-skills.ts';
import type * as Digests from './served/digests/incident-digest.ts';
import type * as Ended from './served/ended-sessions.ts';
import type * as Interfaces from './served/view-interfaces.ts';
import type * as ServedMemories from './served/memory/open-served-memory.ts';
import type * as McpView from './served/mcp/open-mcp-view.ts';
import type * as Monitor from './served/open-monitoring.ts';
import type * as Asking from './reach/ask-home.ts';
import type * as Unread from './config/unread/find-unread.ts';
import type * as Reaching from './reach/open-reach.ts';
import type * as Running from './served/running-server.ts';
import type * as ServedSessions from './served/sessions/open-served-sessions.ts';
import type * as Status from './served/served-status.ts';
import type * as Users from './served/read-users.ts';
import type * as WriteUsers from './served/write-users.ts';
import type * as Sessions from './sessions.ts';
import type * as Secrets from './secret-values.ts';
import type * as Backends from './tools/view-backends.ts';
import type * as Tools from './tools/view-tools.ts';

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
  (await import('./tools/view-tools.ts')).viewTools(...given);

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

export const embedderState: typeof Memory.embedderState = async (...given) =>
  (await import('./memory/view-memory.ts')).embedderState(...given);

export const setUpEmbedder: typeof Memory.setUpEmbedder = async (...given) =>
  (await import('./memory/view-memory.ts')).setUpEmbedder(...given);

export const waitingWrites: typeof Memory.waitingWrites = async (...given) =>
  (await import('./memory/view-memory.ts')).waitingWrites(...given);

export const approveMemoryWrite: typeof Memory.approveMemoryWrite = async (...given) =>
  (await import('./memory/view-memory.ts')).approveMemoryWrite(...given);

export const rejectMemoryWrite: typeof Memory.rejectMemoryWrite = async (...given) =>
  (await import('./memory/view-memory.ts')).rejectMemoryWrite(...given);

export const undoNotebook: typeof Memory.undoNotebook = async (...given) =>
  (await import('./memory/view-memory.ts')).undoNotebook(...given);

export const runSkill: typeof Skills.runSkill = async (...given) =>
  (await import('./skills/skill-desk.ts')).runSkill(...given);

export const checkSkill: typeof Skills.checkSkill = async (...given) =>
  (await import('./skills/skill-desk.ts')).checkSkill(...given);

export const explainSkill: typeof Skills.explainSkill = async (...given) =>
  (await import('./skills/skill-desk.ts')).explainSkill(...given);

export const skillRuns: typeof Skills.skillRuns = async (...given) =>
  (await import('./skills/skill-desk.ts')).skillRuns(...given);

export const openServedSkills: typeof ServedSkills.openServedSkills = async (...given) =>
  (await import('./served/skills/open-served-skills.ts')).openServedSkills(...given);

export const openHub: typeof Hub.openHub = async (...given) =>
  (await import('./skills/open-hub.ts')).openHub(...given);

export const learningLines: typeof Skills.learningLines = async (...given) =>
  (await import('./skills/skill-desk.ts')).learningLines(...given);

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
  (await import('./served/open-monitoring.ts')).openMonitoring(...given);

export const incidentDigest: typeof Digests.incidentDigest = async (...given) =>
  (await import('./served/digests/incident-digest.ts')).incidentDigest(...given);

export const incidentDigestText: typeof Digests.incidentDigestText = async (...given) =>
  (await import('./served/digests/incident-digest.ts')).incidentDigestText(...given);

export const openMcpView: typeof McpView.openMcpView = async (...given) =>
  (await import('./served/mcp/open-mcp-view.ts')).openMcpView(...given);

export const viewInterfaces: typeof Interfaces.viewInterfaces = async (...given) =>
  (await import('./served/view-interfaces.ts')).viewInterfaces(...given);

export const servedStatus: typeof Status.servedStatus = async (...given) =>
  (await import('./served/served-status.ts')).servedStatus(...given);

export const openServedSessions: typeof ServedSessions.openServedSessions = async (...given) =>
  (await import('./served/sessions/open-served-sessions.ts')).openServedSessions(...given);

export const openServedMemory: typeof ServedMemories.openServedMemory = async (...given) =>
  (await import('./served/memory/open-served-memory.ts')).openServedMemory(...given);

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
): Promise<ReturnType<typeof Chat.openServedChat>> =>
  (await import('./served-chat/open-served-chat.ts')).openServedChat(...given);

export const openServedAgent = async (
  ...given: Parameters<typeof Served.openServedAgent>
): Promise<ReturnType<typeof Served.openServedAgent>> =>
  (await import('./served-agent/open-served-agent.ts')).openServedAgent(...given);

export const knownSecrets: typeof Secrets.knownSecrets = async (...given) =>
  (await import('./secret-values.ts')).knownSecrets(...given);

export const exportSession: typeof Sessions.exportSession = async (...given) =>
  (await import('./sessions.ts')).exportSession(...given);

export const findInSessions: typeof Sessions.findInSessions = async (...given) =>
  (await import('./sessions.ts')).findInSessions(...given);

export const importSession: typeof Sessions.importSession = async (...given) =>
  (await import('./sessions.ts')).importSession(...given);

export const repairSessions: typeof Sessions.repairSessions = async (...given) =>
  (await import('./sessions.ts')).repairSessions(...given);

export const importProfileFile: typeof Profile.importProfileFile = async (...given) =>
  (await import('./config/import-profile.ts')).importProfileFile(...given);

export const listProviderModels: typeof Known.listProviderModels = async (...given) =>
  (await import('./models/list-known.ts')).listProviderModels(...given);

export const viewProviders: typeof Known.viewProviders = async (...given) =>
  (await import('./models/list-known.ts')).viewProviders(...given);

export const verifyAudit: typeof Anchor.verifyAudit = async (...given) =>
  (await import('./gate/audit-anchor.ts')).verifyAudit(...given);

export const decideRequest: typeof Requests.decideRequest = async (...given) =>
  (await import('./gate/requests.ts')).decideRequest(...given);

export const listRequests: typeof Requests.listRequests = async (...given) =>
  (await import('./gate/requests.ts')).listRequests(...given);

export const revokeGrant: typeof Requests.revokeGrant = async (...given) =>
  (await import('./gate/requests.ts')).revokeGrant(...given);

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
  (await import('./incidents/rules-command.ts')).rulesOf(...given);
