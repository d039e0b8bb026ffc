export type { Credential, CredentialBook, CredentialState, CredentialStates } from './credential.ts';
export type { Files, FileStat, TextMatch, TextSearch } from './files.ts';
export type { Model, ModelStream } from './model.ts';
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
  type AskUser,
  defineTool,
  type EffectLevel,
  type Footprint,
  type RecalledMessage,
  type SessionRecall,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tool.ts';
