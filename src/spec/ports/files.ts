/** What is known of a path without reading it. */
export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface TextSearch {
  /** A regular expression (Rust syntax) or, with `literal`, plain text. */
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** Where to look, relative to the workspace. */
  readonly path?: string;
  /** Only files whose path matches this glob. */
  readonly glob?: string;
  readonly context?: number;
  readonly limit: number;
}

export interface TextMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** False for a line that is only shown for context. */
  readonly matched: boolean;
}

/**
 * The files that tools may see, wherever they are: this machine, a container, a host behind SSH.
 * Paths are relative to the workspace or absolute; one that may not be reached is refused with an `AppError`.
 */
export interface Files {
  /** The folder that relative paths start from. */
  readonly root: string;
  stat(path: string): Promise<FileStat | undefined>;
  read(path: string): Promise<Uint8Array>;
  /** Replaces the file as a whole, making its folders. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Names of files and, with a trailing slash, folders that match a glob; what git ignores is left out. */
  find(glob: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  search(search: TextSearch, signal: AbortSignal): Promise<readonly TextMatch[]>;
}
