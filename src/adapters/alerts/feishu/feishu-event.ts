import { z } from 'zod';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { Received, RouteAnswer } from '#spec/ports';
import { readApprovalWords } from '../approval-words.ts';
import { parseJson, readShape } from '../read-request.ts';

export const FeishuEvent = z.object({
  schema: z.literal('2.0', { error: 'only events of version 2.0 are understood' }),
  header: z.object({ event_id: z.string().min(1), event_type: z.string(), token: z.string() }),
  event: z.unknown(),
});
export type FeishuEvent = z.infer<typeof FeishuEvent>;

const Message = z.object({
  sender: z.object({
    sender_id: z.object({ open_id: z.string().min(1) }),
    sender_type: z.string().optional(),
  }),
  message: z.object({
    message_type: z.string(),
    chat_id: z.string().optional(),
    content: z.string(),
    mentions: z.array(z.object({ key: z.string().min(1), name: z.string().optional() })).nullish(),
  }),
});

const Value = z.preprocess(
  // A card may carry its value as an object or as JSON in a text.
  (value) => (typeof value === 'string' ? parseJson(value, "The card's value") : value),
  z.object({
    approval: z.string().min(1).max(128),
    decision: z.enum(['approve', 'reject']),
  }),
);
const CardAction = z.object({
  operator: z.object({ open_id: z.string().min(1) }),
  action: z.object({ value: Value, form_value: z.record(z.string(), z.unknown()).nullish() }),
});

const OK: RouteAnswer = { status: 200, body: {} };
const NOTED: RouteAnswer = {
  status: 200,
  body: { toast: { type: 'info', content: 'Received.', i18n: { zh_cn: '已收到。', en_us: 'Received.' } } },
};
/** The name of the field of a card's form in which the second confirmation is typed. */
const CONFIRMATION = 'confirmation';

/** What an event asks for. Who it is from is what Feishu says, never what the card or the text says. */
export function readFeishuEvent({ header, event }: FeishuEvent): Received {
  if (header.event_type === 'im.message.receive_v1') return readMessage(event);
  if (header.event_type === 'card.action.trigger') return readCard(event);
  return { kind: 'answer', answer: OK };
}

function readMessage(event: unknown): Received {
  const { sender, message } = readShape(Message, event, "Feishu's message");
  if (sender.sender_type === 'app') return { kind: 'answer', answer: OK };
  const user = sender.sender_id.open_id;
  const chat = message.chat_id ? { chat: message.chat_id } : {};
  const content = parseJson(message.content, "The content of Feishu's message");
  // Pictures, files and formatted posts are no words to act on, but somebody sent them.
  if (message.message_type !== 'text') {
    const text = [`[${message.message_type}]`, ...textsIn(content)].join(' ').trim();
    return { kind: 'message', text, user, ...chat, ack: OK };
  }
  if (!isRecord(content) || typeof content['text'] !== 'string')
    throw fail('input.invalid', "The content of Feishu's message has no 'text'.");
  // Longer keys first: `@_user_1` is the beginning of `@_user_10`.
  const mentions = (message.mentions ?? []).toSorted((a, b) => b.key.length - a.key.length);
  const text = mentions
    .reduce(
      (all, { key, name }) => all.replaceAll(key, `@${(name ?? '').replaceAll(/\s+/g, '_')}`),
      content['text'],
    )
    .trim();
  const word = readApprovalWords(text, user);
  return word ? { kind: 'approval', word, ack: OK } : { kind: 'message', text, user, ...chat, ack: OK };
}

/** The words of a formatted message, wherever they stand in it. */
function textsIn(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(textsIn);
  if (!isRecord(content)) return [];
  return Object.entries(content).flatMap(([name, value]) =>
    typeof value === 'string' ? (name === 'text' || name === 'title' ? [value] : []) : textsIn(value),
  );
}

function readCard(event: unknown): Received {
  const { operator, action } = readShape(
    CardAction,
    event,
    "The action of Feishu's card",
    'The value of a button is {"approval": "<id>", "decision": "approve" or "reject"}.',
  );
  const { approval, decision } = action.value;
  const typed = action.form_value?.[CONFIRMATION];
  const confirmation = typeof typed === 'string' ? typed.trim() : '';
  const word = { approval, granted: decision === 'approve', user: operator.open_id };
  return { kind: 'approval', word: confirmation ? { ...word, confirmation } : word, ack: NOTED };
}
