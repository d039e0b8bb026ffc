export interface ChatOptions {
  /** Where what the user types is kept across sessions; nothing is kept without it. */
  readonly historyFile?: string | undefined;
  /** What a line passes on its way into that file. */
  readonly clean?: ((text: string) => string) | undefined;
  /** Where `@path` looks when the session names no folder. */
  readonly cwd: string;
}
