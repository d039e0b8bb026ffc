import type { CreateMessageRequest, CreateMessageResult } from '@modelcontextprotocol/client';
import { showHidden } from '#kit/hidden-characters';
import { ImagePart, type UserPart } from '#spec/data';
import type { AskModel, AskUser } from '#spec/ports';
import type { Callers } from './callers.ts';
import type { McpServerConfig } from './mcp-server-config.ts';

const MOST_A_MINUTE = 10;
const MOST_A_CALL = 5;
const MOST_TOKENS = 4_096;
const MOST_CHARS = 50_000;
const SHOWN_CHARS = 500;

export interface SamplingPowers {
  readonly sample?: AskModel;
  readonly ask?: AskUser;
  readonly now: () => number;
  /** Takes secrets out of what the server says. */
  readonly clean: (text: string) => string;
}

type Answer = (params: CreateMessageRequest['params'], signal: AbortSignal) => Promise<CreateMessageResult>;

/** Answers a server that asks our model something: rarely, briefly, and only after a person agreed or the file says so. */
export function samplingAnswers(
  { name, sampling }: Pick<McpServerConfig, 'name' | 'sampling'>,
  callers: Callers,
  powers: SamplingPowers,
): Answer {
  const asked: number[] = [];
  return async (params, signal) => {
    const caller = callers.only();
    const sample = caller?.askModel ?? powers.sample;
    if (sampling === 'never' || !sample) throw new Error('sampling is not available');
    const now = powers.now();
    while ((asked[0] ?? now) < now - 60_000) asked.shift();
    if (asked.length >= MOST_A_MINUTE) throw new Error(`at most ${MOST_A_MINUTE} requests a minute`);
    if (caller && ++caller.sampled > MOST_A_CALL) throw new Error(`at most ${MOST_A_CALL} requests a call`);
    asked.push(now);
    const release = caller?.hold();
    try {
      const question = questionOf(params, powers.clean);
      if (sampling === 'ask') await agree(name, question, caller?.ask ?? powers.ask);
      const maxOutput = Math.min(MOST_TOKENS, Math.max(1, params.maxTokens));
      const text = await sample(question, { maxOutput, signal });
      if (text === undefined) throw new Error('no model is connected');
      return { role: 'assistant', model: 'hermes', content: { type: 'text', text }, stopReason: 'endTurn' };
    } finally {
      release?.();
    }
  };
}

async function agree(name: string, question: readonly UserPart[], ask: AskUser | undefined): Promise<void> {
  if (!ask) throw new Error('nobody can be asked whether the model may be used');
  const shown = question.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  const answer = await ask(
    `The MCP server ${name} wants to ask your model:\n${showHidden(shown.slice(0, SHOWN_CHARS))}`,
    ['allow', 'decline'],
  );
  if (answer !== 'allow') throw new Error('the user declined');
}

function questionOf(
  { messages, systemPrompt }: CreateMessageRequest['params'],
  clean: (text: string) => string,
): UserPart[] {
  const parts: UserPart[] = systemPrompt ? [{ type: 'text', text: systemPrompt }] : [];
  for (const { role, content } of messages) {
    for (const block of [content].flat()) {
      const speaker = messages.length > 1 ? `${role}: ` : '';
      if (block.type === 'text') parts.push({ type: 'text', text: `${speaker}${block.text}` });
      else if (block.type === 'image') {
        const image = ImagePart.safeParse({ type: 'image', mediaType: block.mimeType, data: block.data });
        if (image.success) parts.push(image.data);
      }
    }
  }
  let room = MOST_CHARS;
  return parts.map((part) => {
    if (part.type !== 'text') return part;
    const text = clean(part.text).slice(0, room).toWellFormed();
    room -= text.length;
    return { ...part, text };
  });
}
