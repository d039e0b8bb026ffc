/** One line of a hunk: kept, taken away or put in. */
export interface HunkLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

export interface Hunk {
  readonly lines: readonly HunkLine[];
  /** The line (from 1) where the old side should start; absent where the form has no line numbers. */
  readonly at?: number;
  /** Lines that stand somewhere above the hunk, outermost first. */
  readonly anchors?: readonly string[];
  /** The hunk reaches the end of the file. */
  readonly atEnd?: boolean;
  /** Whether the last line of the new side ends in a line feed; absent where the form does not say. */
  readonly newline?: boolean;
}

/** What a patch wants of one file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

/** Thrown for a patch that cannot be read; the message is for the model. */
export class PatchSyntaxError extends Error {
  override readonly name = 'PatchSyntaxError';
}
