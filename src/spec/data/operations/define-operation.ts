import type { CHANGE_KINDS } from '../incident.ts';
import type { Text } from '../text.ts';

export const RISKS = ['read_only', 'safe_write', 'destructive'] as const;

/**
 * What an operation does to a service, and the parameters by which it says how. Executors carry out effects: an operation
 * whose effect is known here needs nothing of them.
 */
export const EFFECTS = {
  none: [],
  /** The version `to` instead of `from`; without `to`, the one before. */
  set_version: ['from', 'to'],
  restart: [],
  set_replicas: ['replicas'],
  /** The share of requests that a canary gets, in percent. */
  set_weight: ['weight'],
  /** The setting `key` to `value`, if it is `from` now. Without a key it is the executor's key of the rate limit. */
  set_config: ['key', 'from', 'value'],
  flush_cache: [],
  /** Which of its databases a service works on. */
  set_active: ['from', 'to'],
  /** The service does without `dependency`. */
  drop_dependency: ['dependency'],
} as const;
export type Effect = keyof typeof EFFECTS;

interface OperationParam {
  /** Further names under which it may be given. */
  readonly also?: readonly string[];
  /** Without it nobody knows what to do. */
  readonly required?: boolean;
  /** It is a number, and within these. */
  readonly number?: { readonly min: number; readonly max: number; readonly whole?: boolean };
  /** What it is where an action does not say. */
  readonly default?: string | number | boolean;
}

/** All that Hermes knows of an operation. Plain data, for every ring and for the browser. */
export interface OperationDefinition {
  /** What a person says to ask for it. */
  readonly name: Text;
  readonly effect: Effect;
  /** What can go wrong. What is taken back as easily as it was done, and only widens or sheds load, is a safe write. */
  readonly risk: (typeof RISKS)[number];
  /** How a target is addressed (namespace, deployment, …) is not among them: that is the executor's. */
  readonly params: Readonly<Record<string, OperationParam>>;
  /** The words by which a rule of the house names it. */
  readonly rules: {
    readonly en: RegExp;
    readonly zh: RegExp;
    /** In the singular, for rules such as `no restarts`. */
    readonly noun?: string;
  };
  /**
   * A command of a well-known tool that does the same, for people to read where an executor has none of its own: `{name}` is
   * what the service is called there, else a parameter.
   */
  readonly like?: string;
  /** Changes of others that it takes back. */
  readonly undoes?: readonly (typeof CHANGE_KINDS)[number][];
  /**
   * How it is taken back itself: by an operation (without a name, by itself) whose parameters are these of the action.
   * `nothing`: nothing remains of it. `by_hand`: no operation does.
   */
  readonly undo:
    | 'nothing'
    | 'by_hand'
    | { readonly operation?: string; readonly params: Readonly<Record<string, string>> };
  /** What is looked at afterwards, beside the telemetry that every recovery is judged by. Each names a parameter. */
  readonly verify: {
    /** What the target is at, once it is done. */
    readonly reaches?: string;
    /** A version that gets no requests any more. */
    readonly retires?: string;
    /** A service that is asked no more: its own numbers tell nothing. */
    readonly drops?: string;
  };
  /** Where it is a tool of its own, under its own name: the inputs of the tool, and the parameters that they are. */
  readonly tool?: { readonly description: string; readonly input: Readonly<Record<string, string>> };
}

export const defineOperation = (definition: OperationDefinition): OperationDefinition => definition;
