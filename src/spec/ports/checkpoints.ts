/** What a checkpoint was taken before. */
export type CheckpointCause =
  /** The first change of a turn; turn 0 is work outside of turns, such as a workflow. */
  | { readonly kind: 'turn'; readonly session: string; readonly turn: number }
  | { readonly kind: 'rollback'; readonly to: string; readonly session: string }
  /** One that was kept before causes were. */
  | { readonly kind: 'other'; readonly label: string };

/** A state of the workspace that it can be taken back to. */
export interface Checkpoint {
  readonly id: string;
  /** Milliseconds since the epoch: when the workspace was last seen in this state. */
  readonly at: number;
  /** How many files differ from the checkpoint before. */
  readonly changed: number;
  /** Oldest first: a state that several turns began with is one checkpoint of all of them. */
  readonly before: readonly CheckpointCause[];
}

/** What going back to a checkpoint would do to the workspace. */
export interface CheckpointDiff {
  readonly changes: readonly { readonly path: string; readonly kind: 'added' | 'changed' | 'removed' }[];
  /** The same as a unified diff of bounded length. */
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
  /** The checkpoint that holds the present state: a new one, or the newest where nothing has changed since. */
  take(before: CheckpointCause): Promise<string>;
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /** All of it, or one file or folder. Undefined when there is no such checkpoint. */
  diff(id: string, path?: string): Promise<CheckpointDiff | undefined>;
  /** Takes a checkpoint of the present state first, so that it can be undone. `session`: where it was asked for. */
  restore(id: string, session: string, path?: string): Promise<RestoreReport | undefined>;
  /** Files of secrets and very large files that checkpoints leave out. */
  leftOut(): Promise<readonly string[]>;
}
