import { z } from 'zod';
import { defineContracts } from './contract.ts';
import { ChatRequest, ResponsesRequest } from './openai-requests.ts';
import { text } from './query.ts';

/** Conversations with pictures are large. */
const MAX_BYTES = 24 * 1024 * 1024;

const ModelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal('model'),
      created: z.number(),
      owned_by: z.string(),
      /** What answers under this name. */
      x_hermes: z.object({ model: z.string() }).optional(),
    }),
  ),
});

/** What the agent did with tools of its own. */
const Progress = z.looseObject({});

const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.null(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.literal('function'),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      logprobs: z.null(),
      finish_reason: z.string(),
    }),
  ),
  usage: z.object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number() }),
    completion_tokens_details: z.object({ reasoning_tokens: z.number() }),
  }),
  x_hermes: z.object({
    progress: z.array(Progress),
    model: z.string().optional(),
    session: z.string().optional(),
  }),
});

const OutputItem = z.looseObject({ id: z.string(), type: z.enum(['message', 'function_call']) });

const ResponseObject = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  model: z.string(),
  instructions: z.string().nullable(),
  previous_response_id: z.string().nullable(),
  store: z.boolean(),
  temperature: z.number().nullable(),
  max_output_tokens: z.number().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  tools: z.array(z.record(z.string(), z.unknown())),
  tool_choice: z.string(),
  parallel_tool_calls: z.boolean(),
  reasoning: z.object({ effort: z.null(), summary: z.null() }),
  text: z.object({ format: z.object({ type: z.literal('text') }) }),
  top_p: z.null(),
  truncation: z.string(),
  user: z.null(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  output: z.array(OutputItem),
  usage: z
    .object({
      input_tokens: z.number(),
      input_tokens_details: z.object({ cached_tokens: z.number() }),
      output_tokens: z.number(),
      output_tokens_details: z.object({ reasoning_tokens: z.number() }),
      total_tokens: z.number(),
    })
    .nullable(),
  x_hermes: z.looseObject({}),
});

const InputItems = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

/** `write`: a turn may change things, so a token that only reads cannot begin one. */
const turn = {
  method: 'POST',
  access: 'write',
  maxBytes: MAX_BYTES,
  takes: ['application/json'],
} as const;
/** Events are chunks in OpenAI's form, without names; a long answer goes out as JSON in pieces. */
const PIECES = ['text/event-stream', 'application/json'] as const;

/** The agent behind the API that OpenAI's clients speak. Its routes read and refuse in the words of that API. */
export const OPENAI = defineContracts({
  models: {
    method: 'GET',
    path: '/v1/models',
    access: 'read',
    summary: 'The names under which the agent answers, as OpenAI lists models',
    answer: ModelList,
  },
  chat: {
    ...turn,
    path: '/v1/chat/completions',
    summary: 'A turn of the agent, as a chat completion of OpenAI',
    body: ChatRequest,
    answer: ChatCompletion,
    files: PIECES,
  },
  responses: {
    ...turn,
    path: '/v1/responses',
    summary: 'A turn of the agent, as a response of OpenAI',
    body: ResponsesRequest,
    answer: ResponseObject,
    files: PIECES,
  },
  kept: {
    method: 'GET',
    path: '/v1/responses/:id',
    access: 'read',
    summary: 'A response that is kept',
    answer: ResponseObject,
  },
  input: {
    method: 'GET',
    path: '/v1/responses/:id/input_items',
    access: 'read',
    summary: 'What a kept response was asked with',
    query: z.object({
      limit: text().describe('at most so many, 20'),
      order: text().describe('`asc` or `desc`'),
      after: text().describe('behind the item with this id'),
    }),
    answer: InputItems,
  },
  forget: {
    method: 'DELETE',
    path: '/v1/responses/:id',
    access: 'write',
    summary: 'Takes a kept response away',
    answer: z.object({ id: z.string(), object: z.literal('response'), deleted: z.boolean() }),
  },
  cancel: {
    method: 'POST',
    path: '/v1/responses/:id/cancel',
    access: 'write',
    summary: 'Interrupts a response that is being answered',
    answer: ResponseObject,
  },
});
