import type { Language } from '#kit/language';

/** What the operator knows about this installation. Everything in it is true now; nothing in it is secret. */
export interface OperatorFacts {
  readonly version: string;
  readonly home: string;
  readonly profile: string;
  readonly configPath: string;
  readonly configExists: boolean;
  /** `provider/model` of the configured model, if one is. */
  readonly model?: string;
  /** Providers for which a key was found. */
  readonly keysFound: readonly string[];
  /** Servers of the user's own that answer on this machine. */
  readonly localServers: readonly string[];
  readonly nodeVersion: string;
  readonly platform: string;
}

/** One thing that the operator understands without a model. */
export interface Intent {
  /** How surely the message means this, from 0 to 1. */
  match(text: string): number;
  /** Facts are gathered only when asked for. */
  answer?(facts: () => Promise<OperatorFacts>, language: Language): Promise<string>;
  /** The tool that does what is meant. Its result is the answer. */
  call?(text: string): { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /** One line for the list of what the operator can do; left out for intents that need no telling. */
  readonly summary?: Readonly<Record<Language, string>>;
}

export const defineIntent = (intent: Intent): Intent => intent;
