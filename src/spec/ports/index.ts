export type {
  Checkpoint,
  CheckpointCause,
  CheckpointDiff,
  Checkpoints,
  RestoreReport,
} from './checkpoints.ts';
export type { BackgroundProcess, CommandRequest, CommandResult, Commands } from './commands.ts';
export type { Credential, CredentialBook, CredentialState, CredentialStates } from './credential.ts';
export type { Files, FileStat, TextMatch, TextSearch } from './files.ts';
export type {
  AcceptedBreak,
  AnchoredHead,
  ApprovalStore,
  AuditHead,
  AuditLog,
  AuditVerdict,
  HeadAnchor,
  TaintBook,
} from './gate.ts';
export type { Inbox } from './inbox.ts';
export type { Logger } from './logger.ts';
export type { Missing } from './missing.ts';
export type { Model, ModelStream } from './model.ts';
export type { Probeable } from './probe.ts';
export {
  type Decoder,
  defineProtocol,
  type Frame,
  type Protocol,
  type VendorError,
  type WireEvent,
  type WireRequest,
  type WireTarget,
} from './protocol.ts';
export {
  type AuthScheme,
  type ChatDialect,
  defineProvider,
  type ListedModel,
  type ProbeFetch,
  type Provider,
} from './provider.ts';
export {
  type CommandEnd,
  type CommandInput,
  type CommandSpec,
  defineSandbox,
  type OutputChunk,
  type RunningCommand,
  type Sandbox,
  type SandboxKind,
  type SandboxPlace,
} from './sandbox.ts';
export {
  type Fact,
  type IndexEntry,
  SEARCH_FIELDS,
  type SearchField,
  type SearchHit,
  type SearchIndex,
  type SearchScope,
  type SessionFilter,
  type SessionPatch,
  type SessionStore,
  type Transcript,
  type TranscriptEntry,
  type UnindexedMessage,
} from './session-store.ts';
export {
  type AskModel,
  type AskUser,
  type Deed,
  defineTool,
  type EffectLevel,
  type Footprint,
  type RecalledMessage,
  type SessionRecall,
  type Tool,
  type ToolContext,
  type ToolPlace,
  type ToolPowers,
  type ToolResult,
} from './tool.ts';
export {
  type Certificate,
  type Reached,
  RECORD_TYPES,
  type RecordType,
  type WebAnswer,
  type WebClient,
  type WebRequest,
} from './web-client.ts';
export {
  type Attempt,
  defineFlow,
  type DurableEngine,
  type Flow,
  type FlowCall,
  type FlowContext,
  type FlowFailure,
  type FlowFilter,
  type FlowRecord,
  type FlowSignal,
  type FlowState,
  type OnceOutcome,
  type StepOptions,
} from './durable.ts';
export type { McpServed } from './mcp-served.ts';
export type { OperatorPlan, OperatorResult, RouteMessage } from './operator.ts';
export {
  HOOK_RULES,
  type HookEvent,
  type HookFunction,
  type HookOutcome,
  type HookPayloads,
  type HookReply,
  type PluginApi,
  type PluginCommand,
  type PluginMain,
  type PluginParts,
  type RunHooks,
} from './plugin.ts';
export type { Embedder, Embedding } from './embedder.ts';
export type { ExperienceBook, Marks, SkillHistory } from './learning.ts';
export {
  defineMemoryProvider,
  type MemoryCensus,
  type MemoryFilter,
  type MemoryIndex,
  type MemoryPatch,
  type MemoryProvider,
  type MemoryProviderKind,
  type MemoryStore,
  type MemoryTally,
  type MemoryTerms,
  type NewMemory,
  type NotebookFiles,
  type OutsideMemory,
  type StagedWrites,
} from './memory.ts';
export type { SkillFile, SkillFiles, SkillMatch } from './skills.ts';
export type { FetchedTree, HubFetcher, HubFile, HubMove, HubOutlet, HubPlace } from './hub.ts';
export {
  type AlertSource,
  type AlertSourcePlace,
  type ApprovalWord,
  defineAlertSource,
  type Received,
} from './alert-source.ts';
export {
  defineExecutor,
  type ExecutionOrder,
  type Executor,
  type ExecutorKind,
  type ExecutorPlace,
} from './executor.ts';
export type {
  Admission,
  AlertsOf,
  AskedRecord,
  CollectedRound,
  EvidenceArchive,
  GroupingRule,
  IncidentFilter,
  IncidentGroups,
  IncidentHistory,
  IncidentLists,
  IncidentPatch,
  IncidentStore,
  NewFact,
  OpenIncident,
  Placement,
  ToldBy,
} from './incidents.ts';
export {
  defineRoute,
  type Principal,
  type Route,
  type RouteAnswer,
  type RouteRequest,
} from './route.ts';
export {
  type AskedQuery,
  type ChangesSource,
  type Collected,
  defineTelemetry,
  type LogsSource,
  type MetricsSource,
  type OpenedTelemetry,
  type TelemetryKind,
  type TelemetryPlace,
  type TelemetryScope,
  type TelemetrySources,
  type TracesSource,
} from './telemetry.ts';
export type {
  LogRecord,
  MetricPoint,
  Rejected,
  SpanData,
  TelemetryBatch,
  TelemetrySink,
} from './telemetry-sink.ts';
export type {
  FinishedSpan,
  OpenSpan,
  SpanAttributes,
  SpanContext,
  SpanExporter,
  SpanKind,
  Tracer,
} from './tracing.ts';
