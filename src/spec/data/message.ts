import { z } from 'zod';
import { ProtocolId } from './protocol.ts';

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

/** An image carried inline. `data` is base64 without a `data:` prefix. */
export const ImagePart = z.object({
  type: z.literal('image'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.base64(),
});
export type ImagePart = z.infer<typeof ImagePart>;

/**
 * What a vendor wants back with the next request (a signature, an encrypted blob, an item id).
 * Nothing but the protocol that wrote it reads it, and only for the provider and model it came from.
 */
export const Replay = z.record(z.string(), z.json());
export type Replay = z.infer<typeof Replay>;

export const ThinkingPart = z.object({
  type: z.literal('thinking'),
  text: z.string(),
  replay: Replay.optional(),
});
export type ThinkingPart = z.infer<typeof ThinkingPart>;

/** `arguments` is the JSON text exactly as the model wrote it: replaying it unchanged keeps caches warm. */
export const ToolCallPart = z.object({
  type: z.literal('tool_call'),
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  replay: Replay.optional(),
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;

export const UserPart = z.discriminatedUnion('type', [TextPart, ImagePart]);
export type UserPart = z.infer<typeof UserPart>;

export const AssistantPart = z.discriminatedUnion('type', [TextPart, ThinkingPart, ToolCallPart]);
export type AssistantPart = z.infer<typeof AssistantPart>;

/** Which endpoint wrote a message. */
export const Origin = z.object({
  provider: z.string(),
  model: z.string(),
  protocol: ProtocolId.or(z.literal('local')),
});
export type Origin = z.infer<typeof Origin>;

export const UserMessage = z.object({ role: z.literal('user'), content: z.array(UserPart) });
export type UserMessage = z.infer<typeof UserMessage>;

export const AssistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.array(AssistantPart),
  origin: Origin,
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/** The answer to one tool call. */
export const ToolMessage = z.object({
  role: z.literal('tool'),
  callId: z.string(),
  name: z.string(),
  content: z.array(UserPart),
  isError: z.boolean(),
});
export type ToolMessage = z.infer<typeof ToolMessage>;

export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage, ToolMessage]);
export type Message = z.infer<typeof Message>;
