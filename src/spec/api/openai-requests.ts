import { z } from 'zod';

/** What OpenAI's clients send, as far as it is read: what is not named here is left alone, as such servers do. */

/** What both APIs ask for in the same words. */
const Shared = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tool_choice: z.enum(['auto', 'none'], 'an agent chooses its tools itself: auto or none').nullish(),
  temperature: z.number().min(0).max(2).nullish(),
});
export type SharedRequest = z.infer<typeof Shared>;

const Limit = z.number().int().positive().nullish();
const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish();
export type Effort = z.infer<typeof Effort>;
const TextOnly = z
  .object({ type: z.literal('text', 'only text is answered; ask for another form in the message') })
  .nullish();

const ToolType = z.literal('function', 'only functions can be brought along');
const ClientTool = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/, 'a name is of letters, digits, _ and -, at most 64'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});
/** A tool that a client runs. */
export type ClientTool = z.infer<typeof ClientTool>;

const ChatPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);
const ChatContent = z.union(
  [z.string(), z.array(ChatPart)],
  'it is a text, or a list of text and image_url parts',
);
export type ChatContent = z.infer<typeof ChatContent>;
const ChatCall = z.object({
  id: z.string().min(1),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});
const ChatMessage = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: ChatContent }),
  z.object({ role: z.literal('user'), content: ChatContent }),
  z.object({
    role: z.literal('assistant'),
    content: ChatContent.nullish(),
    tool_calls: z.array(ChatCall).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: ChatContent }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

export const ChatRequest = Shared.extend({
  messages: z.array(ChatMessage).min(1),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(z.object({ type: ToolType, function: ClientTool })).nullish(),
  response_format: TextOnly,
  n: z.literal(1, 'there is one answer').nullish(),
  max_tokens: Limit,
  max_completion_tokens: Limit,
  reasoning_effort: Effort,
});

const ItemPart = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);
const ItemContent = z.union(
  [z.string(), z.array(ItemPart)],
  'it is a text, or a list of input_text and input_image',
);
export type ItemContent = z.infer<typeof ItemContent>;

/** One of the `input` of a response; without a type it is a message. */
export const InputItem = z.preprocess(
  (item) => (typeof item === 'object' && item && !('type' in item) ? { ...item, type: 'message' } : item),
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message'),
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content: ItemContent,
    }),
    z.object({
      type: z.literal('function_call'),
      call_id: z.string().min(1),
      name: z.string().min(1),
      arguments: z.string(),
    }),
    z.object({ type: z.literal('function_call_output'), call_id: z.string().min(1), output: ItemContent }),
    /** What a model thought is its own affair: it is sent back to us, and not read. */
    z.object({ type: z.literal('reasoning') }),
  ]),
);
export type InputItem = z.infer<typeof InputItem>;

export const ResponsesRequest = Shared.extend({
  input: z.union([z.string(), z.array(z.unknown()).min(1)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  tools: z.array(z.object({ type: ToolType, ...ClientTool.shape })).nullish(),
  text: z.object({ format: TextOnly }).nullish(),
  background: z.literal(false, 'nothing is answered in the background').nullish(),
  max_output_tokens: Limit,
  reasoning: z.object({ effort: Effort }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
