import type { Keeping, ServedRequest } from '#app/agent-api';
import { type ChatContent, type ChatMessage, ChatRequest } from '#spec/api';
import type { AssistantPart, Message, UserPart } from '#spec/data';
import type { RouteRequest } from '#spec/ports';
import { checkCalls, checkLast, CLIENT_ORIGIN, contentParts, imageOf, onlyText } from './client-messages.ts';
import { readRequest } from './read-request.ts';
import { servedRequest } from './shared-request.ts';

export interface ChatAsk {
  readonly request: ServedRequest;
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

const SESSION_HEADER = 'x-hermes-session';

export function readChatRequest(request: RouteRequest): ChatAsk {
  const asked = readRequest(request.body, ChatRequest);
  return {
    model: asked.model,
    stream: asked.stream ?? false,
    includeUsage: asked.stream_options?.include_usage ?? false,
    request: servedRequest(request, asked, {
      ...readMessages(asked.messages),
      tools: (asked.tools ?? []).map((tool) => tool.function),
      keeping: keepingOf(request.headers[SESSION_HEADER]?.trim(), asked.store ?? false),
      limit: asked.max_completion_tokens ?? asked.max_tokens,
      effort: asked.reasoning_effort,
    }),
  };
}

function keepingOf(named: string | undefined, store: boolean): Keeping {
  if (named && named !== 'new') return { kind: 'session', id: named };
  return { kind: named || store ? 'new' : 'passing' };
}

function readMessages(given: readonly ChatMessage[]): {
  readonly instructions: string | undefined;
  readonly messages: readonly Message[];
} {
  const instructions: string[] = [];
  const names = new Map<string, string>();
  const messages = given.flatMap((message, index): Message[] => {
    const at = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'developer':
        instructions.push(textOf(message.content, at));
        return [];
      case 'user':
        return [{ role: 'user', content: partsOf(message.content, at) }];
      case 'tool': {
        const { tool_call_id: callId } = message;
        const content = partsOf(message.content, at);
        return [{ role: 'tool', callId, name: names.get(callId) ?? '', content, isError: false }];
      }
      case 'assistant': {
        const calls = message.tool_calls ?? [];
        for (const call of calls) names.set(call.id, call.function.name);
        const text = message.content ? textOf(message.content, at) : '';
        const content: AssistantPart[] = [
          ...(text ? [{ type: 'text', text } as const] : []),
          ...calls.map((call) => ({ type: 'tool_call', id: call.id, ...call.function }) as const),
        ];
        return content.length ? [{ role: 'assistant', content, origin: CLIENT_ORIGIN }] : [];
      }
    }
  });
  checkCalls(messages, 'messages');
  checkLast(messages, 'messages');
  return { instructions: instructions.join('\n\n') || undefined, messages };
}

const partsOf = (content: ChatContent, at: string): UserPart[] =>
  contentParts(content, at, (part, place) => {
    if (part.type === 'image_url') return imageOf(part.image_url.url, `${place}.image_url.url`);
    return { type: 'text', text: part.type === 'text' ? part.text : part.refusal };
  });

const textOf = (content: ChatContent, at: string): string => onlyText(partsOf(content, at), at);
