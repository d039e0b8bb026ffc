import { CHAT } from './chat.ts';
import type { Contract } from './contract.ts';
import { CONVERSATIONS } from './conversations.ts';
import { DEMO } from './demo.ts';
import { DIGESTS } from './digests.ts';
import { OTLP } from './inbound.ts';
import { INCIDENTS } from './incidents.ts';
import { MCP } from './mcp.ts';
import { MEMORY } from './memory.ts';
import { MONITORING } from './monitoring.ts';
import { OPENAI } from './openai.ts';
import { REQUESTS } from './requests.ts';
import { SERVER } from './server.ts';
import { SESSION } from './session.ts';
import { SETTINGS } from './settings.ts';
import { SKILL_RUNS } from './skill-runs.ts';
import { SKILLS } from './skills.ts';

export type {
  ChatAnswer,
  ChatEntry,
  ChatImage,
  ChatItem,
  ChatQuestion,
  ChatSnapshot,
  ChatStatus,
  SentImage,
  SlashCommand,
  ToolItem,
} from './chat.ts';
export type {
  AnswerOf,
  BodyRead,
  BodySent,
  Contract,
  EventOf,
  Given,
  ParamsOf,
  QueryRead,
  QuerySent,
} from './contract.ts';
export type {
  FoundPassage,
  PromptTool,
  SessionApproval,
  ShownMessage,
  ShownPart,
  ShownPrompt,
} from './conversations.ts';
export type { Demo } from './demo.ts';
export type { Digest } from './digests.ts';
export {
  ApprovalInput,
  type IncidentPage,
  type MovedAlerts,
  type NewIncident,
  type ShownApproval,
} from './incidents.ts';
export type { Mcp, McpServer, McpTool } from './mcp.ts';
export {
  type FoundEntry,
  type MemoryOverview,
  type Notebook,
  type NotebookChange,
  type NotebookChanged,
  type NotebookEntry,
  NotebookName,
  type NotebookVersion,
  type ProfileField,
  type ScoreShare,
  type Trait,
  type UserView,
  type WaitingWrite,
} from './memory.ts';
export { webhookContract } from './inbound.ts';
export type { Monitoring, SeriesQuery, ServiceHealth } from './monitoring.ts';
export {
  type ChatContent,
  type ChatMessage,
  ChatRequest,
  type ClientTool,
  type Effort,
  InputItem,
  type ItemContent,
  ResponsesRequest,
  type SharedRequest,
} from './openai-requests.ts';
export type { AskedCall } from './requests.ts';
export type { Role, SignedIn } from './session.ts';
export { type InterfaceView, type Person, ReachView, ServedStatus, type Settings } from './settings.ts';
export type {
  OpenQuestion,
  RunApproval,
  RunRow,
  RunState,
  RunView,
  StartRun,
  StepRecord,
  StepState,
} from './skill-runs.ts';
export type {
  DraftView,
  EditRow,
  HiddenReason,
  Installed,
  LearnEvent,
  LearningView,
  Plan,
  PlannedArgument,
  PlannedStep,
  SkillList,
  SkillOrigin,
  SkillPage,
  SkillRow,
  UseRow,
  VersionRow,
} from './skills.ts';

/** Every route of a home, by group and name. What platforms send to has contracts of its own: see `webhookContract`. */
export const API = {
  chat: CHAT,
  conversations: CONVERSATIONS,
  demo: DEMO,
  digests: DIGESTS,
  incidents: INCIDENTS,
  mcp: MCP,
  memory: MEMORY,
  monitoring: MONITORING,
  openai: OPENAI,
  otlp: OTLP,
  requests: REQUESTS,
  server: SERVER,
  session: SESSION,
  settings: SETTINGS,
  skillRuns: SKILL_RUNS,
  skills: SKILLS,
} as const;

/** All of them in one list. */
export const CONTRACTS: readonly Contract[] = Object.values(API).flatMap((group) => Object.values(group));

type Groups = typeof API;
type Each = { [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];

/** Each contract by what a client writes: `GET /api/incidents/:id`. */
export type Calls = { [C in Each as `${C['method']} ${C['path']}`]: C };
