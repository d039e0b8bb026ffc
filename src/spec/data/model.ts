import { z } from 'zod';
import type { AssistantMessage, Message, ToolCallPart } from './message.ts';
import { Origin } from './message.ts';
import type { ErrorRecord } from './error.ts';
import { Price, type Usage } from './usage.ts';

export const CACHE_TTLS = ['5m', '1h', 'off'] as const;
export type CacheTtl = (typeof CACHE_TTLS)[number];

export const THINKING_LEVELS = ['off', 'low', 'medium', 'high'] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** What is known about a model before it is called. */
export const ModelInfo = Origin.extend({
  contextWindow: z.number().int().positive(),
  maxOutput: z.number().int().positive(),
  images: z.boolean(),
  thinking: z.boolean(),
  price: Price.optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * One stretch of the system prompt. Blocks are ordered from the most stable to the least:
 * a cache breakpoint may stand after any of them.
 */
export interface SystemBlock {
  readonly text: string;
  /** What the text is made of, in order, an empty line between two. For people who look into it: never sent. */
  readonly segments?: readonly { readonly name: string; readonly chars: number }[];
}

export interface ModelRequest {
  readonly system: readonly SystemBlock[];
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutput?: number;
  readonly temperature?: number;
  readonly thinking?: ThinkingLevel;
  readonly cacheTtl?: CacheTtl;
  /** The same for every request of one conversation, so that automatic caches are hit. */
  readonly cacheKey?: string;
}

export const STOP_REASONS = ['end', 'tool_calls', 'length', 'content_filter'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** How a model call ended. What had arrived before a failure or an abort is kept in `message`. */
export type ModelOutcome = {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  /** US dollars; absent when no price is known. */
  readonly cost?: number;
} /** `unable`: the built-in operator has said that this needs a model. */ & (
  | { readonly status: 'done'; readonly stop: StopReason; readonly unable?: boolean }
  | { readonly status: 'failed'; readonly error: ErrorRecord }
  | { readonly status: 'aborted' }
);

/** What is done about a failed attempt. */
export type NextStep =
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'rotate'; readonly credential: string }
  | { readonly kind: 'failover'; readonly provider: string; readonly model: string }
  | { readonly kind: 'stop' };

/** The live events of one model call, in order: `response.start`, deltas, exactly one `response.end`. */
export interface ModelEvents {
  'response.start': Origin;
  'thinking.delta': { readonly text: string };
  'text.delta': { readonly text: string };
  'tool_call.start': { readonly index: number; readonly id: string; readonly name: string };
  'tool_call.delta': { readonly index: number; readonly text: string };
  'tool_call.end': { readonly index: number; readonly call: ToolCallPart };
  'attempt.failed': { readonly error: ErrorRecord; readonly attempt: number; readonly next: NextStep };
  'response.end': ModelOutcome;
}

export type ModelEvent = {
  [K in keyof ModelEvents]: { readonly type: K } & ModelEvents[K];
}[keyof ModelEvents];
