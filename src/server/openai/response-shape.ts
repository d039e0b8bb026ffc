import type { HandedCall } from '#app/agent-api';
import type { Usage } from '#spec/data';

/** What a response repeats of its request. */
export interface Echoed {
  readonly model: string;
  readonly instructions: string | null;
  readonly previous_response_id: string | null;
  readonly store: boolean;
  readonly temperature: number | null;
  readonly max_output_tokens: number | null;
  readonly metadata: object;
  readonly tools: readonly object[];
  readonly tool_choice: string;
}

/** The parts of a response that do not depend on how it ended. */
export const responseBase = (id: string, createdAt: number, echoed: Echoed) => ({
  id,
  object: 'response',
  created_at: Math.floor(createdAt / 1_000),
  ...echoed,
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  text: { format: { type: 'text' } },
  top_p: null,
  truncation: 'disabled',
  user: null,
  error: null,
  incomplete_details: null,
});

export const responseUsage = ({ input, output, cacheRead, cacheWrite, reasoning }: Usage) => ({
  input_tokens: input + cacheRead + cacheWrite,
  input_tokens_details: { cached_tokens: cacheRead },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + cacheRead + cacheWrite + output,
});

/** Ids of what a response is made of follow from its own: whoever reads it again finds the same. */
export const messageId = (response: string): string => response.replace(/^resp_/, 'msg_');
export const callItemId = (response: string, index: number): string =>
  `${response.replace(/^resp_/, 'fc_')}_${index}`;

export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

export const messageItem = (id: string, status: string, content: readonly object[]) => ({
  id,
  type: 'message',
  role: 'assistant',
  status,
  content,
});

export const callItem = (id: string, call: HandedCall, status: string, text = call.arguments) => ({
  id,
  type: 'function_call',
  call_id: call.id,
  name: call.name,
  arguments: text,
  status,
});
