import type { ProtocolId } from '#spec/data';

/** How a request proves who sends it. */
export type AuthScheme = 'bearer' | 'x-api-key' | 'api-key' | 'aws' | 'none';

/** Where compatible vendors differ inside `chat_completions`; unset fields follow OpenAI. */
export interface ChatDialect {
  /** The request field for the output limit. */
  readonly maxTokens?: 'max_tokens' | 'max_completion_tokens';
  /** How thinking is asked for. */
  readonly thinking?: 'reasoning_effort' | 'reasoning' | 'thinking' | 'enable_thinking' | 'none';
  /** The field that carries thinking in answers and wants it back with tool results. */
  readonly thinkingField?: 'reasoning_content' | 'reasoning';
  /** Whether that field must be sent back. */
  readonly replaysThinking?: boolean;
  /** Whether Anthropic-style cache breakpoints are understood. */
  readonly cacheControl?: boolean;
  /** Whether `prompt_cache_key` is understood. */
  readonly cacheKey?: boolean;
  /** Whether `stream_options` is refused. */
  readonly noStreamOptions?: boolean;
}

/** A model that a server says it has. */
export interface ListedModel {
  readonly id: string;
  readonly contextWindow?: number;
  readonly loaded?: boolean;
}

/** A JSON GET or POST below the endpoint's origin; anything but 2xx resolves to undefined. */
export type ProbeFetch = (path: string, body?: unknown) => Promise<unknown>;

/** A vendor or server, in a few lines: which protocols it speaks, where, and how it knows its callers. */
export interface Provider {
  readonly id: string;
  readonly label: string;
  /** Base URL of each protocol it speaks; the first is its usual one. `${NAME}` is taken from the environment. */
  readonly endpoints: Readonly<Partial<Record<ProtocolId, string>>>;
  readonly auth: AuthScheme;
  /** Environment variables that may hold a key, in order of preference. */
  readonly keys: readonly string[];
  /** Used when no model is named. Servers that list their own need none. */
  readonly defaultModel?: string;
  /** Runs on the user's own machine or network: slow first tokens are normal, a key is optional. */
  readonly selfHosted?: boolean;
  /** Where a person gets a key. */
  readonly keysUrl?: string;
  readonly dialect?: ChatDialect;
  /** Extra headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Lists models, with context windows where the server tells. Default: `GET /models` of the endpoint. */
  readonly listModels?: (fetch: ProbeFetch) => Promise<readonly ListedModel[]>;
}

export const defineProvider = (provider: Provider): Provider => provider;
