/** Something that has to hold before or after a run. Texts in it may be templates. */
export type Check =
  | { readonly type: 'file_exists'; readonly path: string }
  | { readonly type: 'command_available'; readonly command: string }
  | { readonly type: 'env_set'; readonly name: string }
  /** Nobody listens there. */
  | { readonly type: 'port_available'; readonly port: string }
  /** Somebody does. */
  | { readonly type: 'port_open'; readonly host: string; readonly port: string }
  | { readonly type: 'tool_available'; readonly tool: string }
  | { readonly type: 'http_ok'; readonly url: string }
  | { readonly type: 'container_running'; readonly container: string }
  | { readonly type: 'condition'; readonly condition: string };

export interface Requirement {
  readonly check: Check;
  /** False: it has to be the other way round. */
  readonly wanted: boolean;
  /** What the author says when it does not hold. */
  readonly message?: string;
}

/** What happens when a step has failed: try again so often, then one of these, or the handler of that name. */
export interface FailurePolicy {
  readonly retries: number;
  readonly delayMs: number;
  readonly finally: 'stop' | 'continue' | 'warn' | { readonly handler: string };
}

export interface WorkflowStep {
  /** Its place, from 1; of a step in a handler, `port_conflict.1`. */
  readonly id: string;
  /** For people, in the language that the file was read in. */
  readonly name: string;
  /** Every name that it is called by, in whatever language. */
  readonly names: readonly string[];
  /** The tool that does it. */
  readonly action: string;
  /** Set when it was written as `command:`; the action is `terminal` then. */
  readonly command?: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly outputKey?: string;
  readonly condition?: string;
  readonly confirm: boolean;
  readonly confirmationMessage?: string;
  /** What people are told when it fails, in place of what the tool said. */
  readonly failureMessage?: string;
  readonly onFailure: FailurePolicy;
  readonly optimization: readonly string[];
  readonly timeoutMs?: number;
}

/** What to do about a kind of failure: words for a person, or steps, and whether the failed step is tried again after. */
export interface FailureHandler {
  readonly advice?: string;
  readonly steps: readonly WorkflowStep[];
  readonly retry: boolean;
}

export interface WorkflowArgument {
  readonly name: string;
  readonly description?: string;
  readonly type?: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly required: boolean;
  readonly default?: unknown;
  readonly choices?: readonly unknown[];
}

interface Notification {
  readonly condition?: string;
  readonly platform: string;
  readonly message: string;
}

export interface WorkflowEnding {
  /** False, true, or the key under which it is remembered. */
  readonly storeMemory: boolean | string;
  readonly notify: readonly Notification[];
}

/** Whether a word means this step: its number or one of its names. */
export const isCalled = ({ id, names }: Pick<WorkflowStep, 'id' | 'names'>, word: string): boolean =>
  id === word || names.includes(word);

/** A workflow skill as its file says it, with every short form written out and its texts in one language. */
export interface Workflow {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly category?: string;
  readonly tags: readonly string[];
  readonly createdFrom: readonly string[];
  readonly arguments: readonly WorkflowArgument[];
  readonly trigger: {
    readonly keywords: readonly string[];
    readonly filePatterns: readonly string[];
    readonly contextSignals: readonly string[];
    /** Circumstances in words. */
    readonly context: readonly string[];
    readonly cron?: string;
  };
  readonly preconditions: readonly Requirement[];
  readonly strategy?: string;
  readonly steps: readonly WorkflowStep[];
  /** Names of steps or of actions that may run side by side. */
  readonly parallel: readonly (readonly string[])[];
  readonly stepTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly dryRun: boolean;
  readonly errorHandling: Readonly<Record<string, FailureHandler>>;
  readonly postconditions: readonly Requirement[];
  readonly output: {
    readonly format: 'markdown' | 'text' | 'json' | 'html';
    readonly template?: string;
    readonly onSuccess: WorkflowEnding;
    readonly onFailure: WorkflowEnding;
  };
  readonly improvement: {
    readonly trackMetrics: readonly string[];
    readonly minSamplesForUpdate: number;
    readonly autoUpdate: boolean;
    readonly requireConfirmation: boolean;
  };
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly learnedShortcuts: readonly string[];
  readonly mcpServers: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** How long the result of the same call may be given again. */
  readonly cacheTtlMs?: number;
}

/** What is wrong with a file. The line counts from 1. */
export interface WorkflowProblem {
  readonly path: string;
  readonly line?: number;
  readonly problem: string;
  readonly fix: string;
}
