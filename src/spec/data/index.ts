export {
  ERROR_CODES,
  ErrorCode,
  ErrorRecord,
  ErrorSource,
  Retry,
  STORE_NAMES,
  type StoreName,
} from './error.ts';
export type { AgentEvent, AgentEvents, AgentFacts, AgentLive, Envelope } from './event.ts';
export {
  Action,
  ActionPlace,
  Approval,
  ApprovalState,
  Approver,
  AUDIT_KINDS,
  AuditEntry,
  AuditKind,
  CALLERS,
  Caller,
  GrantScope,
  Requester,
  Taint,
  Verdict,
} from './gate.ts';
export {
  JOURNAL_PRIORITIES,
  MachineReading,
  PLAIN_READINGS,
  type PlainReading,
  UnitName,
} from './machine-reading.ts';
export {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  Message,
  Origin,
  Replay,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
  UserPart,
} from './message.ts';
export {
  CACHE_TTLS,
  type CacheTtl,
  type ModelEvent,
  type ModelEvents,
  ModelInfo,
  type ModelOutcome,
  type ModelRequest,
  type NextStep,
  STOP_REASONS,
  type StopReason,
  type SystemBlock,
  THINKING_LEVELS,
  type ThinkingLevel,
  type ToolSpec,
} from './model.ts';
export { PROTOCOL_IDS, ProtocolId } from './protocol.ts';
export { Audience, type FrozenPrefix, MessageState, Session, StoredMessage } from './session.ts';
export type { Todo } from './todo.ts';
export { Price, Usage } from './usage.ts';
export {
  Experience,
  ExperienceStep,
  SkillEdit,
  SkillUse,
  SkillVersion,
} from './learning.ts';
export {
  MEMORY_KINDS,
  MemoryContext,
  MemoryEntry,
  MemoryKind,
  MemoryProvenance,
  MemoryScope,
  MemoryState,
  StagedWrite,
} from './memory.ts';
export {
  Skill,
  SKILL_ROOTS,
  SkillForm,
  SkillNeeds,
  SkillProblem,
  SkillRoot,
  SkillTriggers,
  SkillTrust,
} from './skill.ts';
export {
  HubLock,
  HubSource,
  HubTrust,
  LockedFile,
  LockedSkill,
  RegistryEntry,
  SkillFinding,
  SkillVerdict,
} from './hub.ts';
export {
  CAUSE_CATEGORIES,
  type Cause,
  CauseCategory,
  Change,
  CHANGE_KINDS,
  Evidence,
  EVIDENCE_KINDS,
  EvidenceResult,
  Hypothesis,
  IncidentBundle,
  LogLine,
  MetricSeries,
  Rca,
  Reading,
  SpanRecord,
  Telemetry,
  TimeWindow,
  Topology,
} from './incident.ts';
export { InboxMessage } from './inbox.ts';
export { Alert, MaintenanceWindow, SEVERITIES, Severity } from './alert.ts';
export {
  ENDED_STATES,
  Incident,
  INCIDENT_STATES,
  type IncidentFact,
  FACT_SENTENCES,
  type IncidentFacts,
  IncidentMember,
  IncidentState,
  IncidentSummary,
  OPEN_STATES,
} from './incident-record.ts';
export {
  LOG_LEVELS,
  type LogAbout,
  type LogEvent,
  type LogEvents,
  type LogFields,
  type LoggedAgentFact,
  type LogLevel,
  type LogRecord,
} from './log.ts';
export {
  ActionCheckpoint,
  Execution,
  GovernanceRule,
  Lesson,
  Operation,
  OPERATIONS,
  Prior,
  ProposedAction,
  Recovery,
  RECOVERY_DIMENSIONS,
  RecoveryCheck,
  Rehearsal,
  Risk,
  RISKS,
  ServiceProfile,
  UnattendedGrant,
  type ServiceState,
} from './remedy.ts';
export { Language, type Spoken, Text } from './text.ts';
export type { Probed, Reach } from './reach.ts';
export type {
  DigestBucket,
  DigestSpread,
  DoneAction,
  FailedAction,
  IncidentDigest,
  SkillChange,
} from './incident-digest.ts';
