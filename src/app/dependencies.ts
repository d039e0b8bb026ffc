import type { MemoryView } from '#engines/memory';
import type { PromptInputs } from '#engines/session';
import type { Language } from '#kit/language';
import type { KnownSecrets } from '#kit/redact';
import type { Given, ServedStatus } from '#spec/api';
import type { ErrorRecord } from '#spec/data';
import type {
  DurableEngine,
  Flow,
  Logger,
  Model,
  PluginCommand,
  Provider,
  RunHooks,
  SandboxKind,
  SearchIndex,
  SessionStore,
  Tool,
  ToolPlace,
  Transcript,
} from '#spec/ports';
import type { HomeGate } from './approvals/home-gate.ts';
import type { HomeIncidents, IncidentFile } from './incidents/home-incidents.ts';
import type { HomeMemory } from './memory/home-memory.ts';
import type { Models } from './models/models.ts';
import type { Settings } from './settings.ts';
import type { HomeHub, HomeSkills } from './skills/home-skills.ts';
import type { OpenPlace, PlaceOptions } from './tools/open-place.ts';
import type { HomeTracing } from './tracing/home-tracing.ts';

/**
 * Everything that use cases are given, each by its own name. A use case asks for the few that it needs
 * (`Pick<Dependencies, 'memory' | 'settings'>`); `host` has them all. What costs something is opened at the first call.
 */
export interface Dependencies {
  readonly version: string;
  readonly profile: string;
  /** What is spoken where nobody said what they speak. */
  readonly language: Language;
  readonly settings: Settings;
  /** The variables of this home. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What this process tells whoever runs it; written to `logs/` of the home. */
  readonly log: Logger;

  models(override?: string): Promise<Models>;
  /** `provider/model` of what would answer, or undefined for the built-in operator. */
  answering(override?: string): Promise<string | undefined>;
  /** A model for questions beside a conversation, or undefined where only the built-in operator answers. */
  auxiliary(override?: string): Promise<Model | undefined>;
  /** Whether what answers can be shown pictures. */
  sees(override?: string): Promise<boolean>;
  /** Every provider that can be named. */
  providerNames(): Promise<readonly string[]>;

  /** The conversations of this home. */
  database(): Promise<Conversations>;
  /** What this home remembers. */
  memory(language?: Language): Promise<HomeMemory>;
  /** The skills of this home as they are seen from a folder. */
  skills(cwd?: string): Promise<HomeSkills>;
  hub(cwd: string): Promise<HomeHub>;
  /** The incidents of this home. `run`: this process also goes on with them. */
  incidents(options?: { readonly run: boolean }): Promise<HomeIncidents>;
  incidentFile(): Promise<IncidentFile>;
  /** The gate of this home and its records. */
  gate(): Promise<HomeGate>;
  /** What every text passes before it is stored, sent or shown to somebody else. */
  redactor(): Promise<Redactor>;
  /** Flows that survive their process. With none given, it only starts, signals and looks. */
  flows(flows: readonly Flow[], report?: (problem: ErrorRecord) => void): Promise<DurableEngine>;
  /** Where traces of what is done here go; undefined where nobody wants any. */
  tracing(): Promise<HomeTracing | undefined>;
  /** Whether meanings are found, or words alone. */
  embedder(): Promise<{ readonly state: 'ready' | 'partly' | 'absent' | 'unsupported' }>;
  /** What is configured and read by nothing, with its place. */
  unread(): Promise<readonly UnreadSetting[]>;
  /** How many jobs a file of this home lists that nothing runs yet; undefined where there is no such file. */
  writtenJobs(): Promise<number | undefined>;
  /** Names of those who may use the server of this home; none where they cannot be read. */
  people(): Promise<readonly string[]>;

  /** The tools that Hermes comes with. */
  builtInTools(): Promise<readonly Tool[]>;
  /** Tools of memory and skills, for a caller that is no conversation. */
  engineTools(place: {
    readonly view: MemoryView;
    readonly language: Language;
    readonly cwd: string;
  }): Promise<readonly Tool[]>;
  /** What tools can count on here: keys of the profile and programs on the path. */
  toolPlace(sees: boolean): ToolPlace;
  /** Opens what tools reach from a folder. */
  openPlace(options: PlaceOptions): Promise<OpenPlace>;
  /** Tools of MCP servers, for this folder; undefined where there are none. */
  mcp(cwd: string): Promise<{ tools(): Promise<readonly Tool[]> } | undefined>;
  /** What plugins bring that are switched on. */
  plugins(): Promise<PluginParts>;
  /** What the prompt is made from, as it is now. */
  promptInputs(cwd: string): Promise<Pick<PromptInputs, 'soul' | 'agents' | 'hermes'>>;

  /** Has something closed together with this home. */
  onClose(close: () => Promise<void>): void;
}

/** What is configured and read by nothing. */
export type UnreadSetting = Given<ServedStatus['unread'][number]>;

export interface Conversations {
  readonly sessions: SessionStore;
  readonly transcript: Transcript;
  readonly index: SearchIndex;
}

/**
 * The one redactor of a home. It stands where texts leave the process that works with them: before every store, every
 * model, every log and every export. What runs is not touched: a call keeps its arguments while it runs, and what is
 * agreed to is hashed as it is.
 */
export interface Redactor {
  readonly secrets: KnownSecrets;
  text(text: string): string;
  /** Every string in a value, however deep. */
  deep<T>(value: T): T;
}

export interface PluginParts {
  readonly tools: readonly Tool[];
  readonly providers: readonly Provider[];
  readonly sandboxes: readonly SandboxKind[];
  readonly commands: readonly PluginCommand[];
  readonly runHooks: RunHooks;
}
