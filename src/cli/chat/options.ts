export interface ChatOptions {
  /** Where what the user types is kept across sessions; nothing is kept without it. */
  readonly historyFile?: string | undefined;
  /** Where `@path` looks when the session names no folder. */
  readonly cwd: string;
}
