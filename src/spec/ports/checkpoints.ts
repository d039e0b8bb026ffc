/** A state of the workspace that it can be taken back to. */
export interface Checkpoint {
  readonly id: string;
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How many files differ from the checkpoint before. */
  readonly changed: number;
}

/** What has happened to the workspace since a checkpoint. */
export interface CheckpointDiff {
  readonly changes: readonly { readonly path: string; readonly kind: 'added' | 'changed' | 'deleted' }[];
  /** A unified diff of bounded length. */
  readonly text: string;
}

export interface RestoreReport {
  /** Files that are as they were. */
  readonly restored: readonly string[];
  /** Files that did not exist then, and do not exist now. */
  readonly removed: readonly string[];
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
  /** The checkpoint that holds what was there before: the way back. */
  readonly before: string;
}

/**
 * States of one workspace, kept outside of it. Files of secrets, very large files and folders of dependencies are not
 * part of any: they are neither stored nor touched.
 */
export interface Checkpoints {
  /** Undefined when nothing has changed since the newest. */
  take(label: string): Promise<string | undefined>;
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /** All of it, or one file or folder. Undefined when there is no such checkpoint. */
  diff(id: string, path?: string): Promise<CheckpointDiff | undefined>;
  /** Takes a checkpoint of the present state first, so that it can be undone. */
  restore(id: string, path?: string): Promise<RestoreReport | undefined>;
  /** Files of secrets and very large files that checkpoints leave out. */
  leftOut(): Promise<readonly string[]>;
}
