import type { CommandPlace } from '#engines/gate';
import type { ReferenceSources } from '#engines/session';
import type { Language } from '#kit/language';
import type { Audience } from '#spec/data';
import type {
  AskModel,
  BackgroundProcess,
  Checkpoints,
  SandboxKind,
  SessionRecall,
  ToolPowers,
} from '#spec/ports';

export interface PlaceOptions {
  readonly cwd: string;
  readonly audience: Audience;
  readonly language: Language;
  readonly recall: SessionRecall;
  readonly askModel: AskModel;
  /** The backend that commands run in unless they name another; without it, the one of the home. */
  readonly backend?: string | undefined;
  /** What a person has said just now about commands where there is no sandbox. */
  readonly withoutSandbox?: boolean | undefined;
  /** Kinds that plugins bring. */
  readonly sandboxes: readonly SandboxKind[];
}

/** Everything that the tools of one conversation can reach, and what has to be closed with it. */
export interface OpenPlace {
  readonly powers: ToolPowers;
  readonly kept: KeptFiles;
  readonly placeOf: PlaceOf;
  readonly workspace: WorkspaceCheckpoints;
  /** What `@` references read; `onPage` hears of every page that strangers have written. */
  references(onPage: () => Promise<void>): ReferenceSources;
  close(): Promise<void>;
}

export interface KeptFiles {
  /** Where they lie; only the conversations of the same people may read there. */
  readonly folder: string;
  keep(name: string, bytes: Uint8Array): Promise<string>;
}

/** Where things happen, as the gate has to know it before they do. */
export interface PlaceOf {
  /** Where the relative paths of file tools begin. */
  readonly files: string;
  /**
   * Where a command of the named backend, or of the default one, would run now. A reading of the machine is taken on it also
   * where no sandbox works.
   */
  backend(name: string | undefined, reading?: boolean): Promise<CommandPlace>;
  /** What was left running under this id. */
  process(id: string): BackgroundProcess | undefined;
}

export interface WorkspaceCheckpoints {
  readonly checkpoints?: Checkpoints;
  /** Why there are none. */
  readonly absent?: string;
  /**
   * Keeps the workspace as it is, once in each turn. What could not be kept is to be told: to whoever makes the change,
   * with the first of a turn, and to the person, once.
   */
  beforeChange(turn: {
    readonly run: string;
    readonly session: string;
    readonly turn: number;
  }): Promise<Unkept | undefined>;
}

export interface Unkept {
  readonly text: string;
  /** The person has not heard of it yet. */
  readonly isNews: boolean;
}
