import type { Keeping, ServedRequest } from '#app/agent-api';
import { InputItem, type ItemContent, ResponsesRequest } from '#spec/api';
import type { AssistantPart, Message, UserPart } from '#spec/data';
import type { RouteRequest } from '#spec/ports';
import { checkCalls, checkLast, CLIENT_ORIGIN, contentParts, imageOf, onlyText } from './client-messages.ts';
import { notKept } from './openai-error.ts';
import { checked, readRequest } from './read-request.ts';
import { readResponseId } from './response-id.ts';
import type { Echoed } from './response-shape.ts';
import { servedRequest } from './shared-request.ts';

export interface ResponsesAsk {
  readonly request: ServedRequest;
  readonly stream: boolean;
  /** What the answer repeats of the request. */
  readonly echoed: Echoed;
}

export function readResponsesRequest(request: RouteRequest): ResponsesAsk {
  const asked = readRequest(request.body, ResponsesRequest);
  const items =
    typeof asked.input === 'string'
      ? [said(asked.input)]
      : asked.input.map((item, at) => checked(item, InputItem, ['input', at]));
  const { messages, instructions } = readItems(items);
  const keeping = keepingOf(asked.previous_response_id ?? undefined, asked.store ?? true);
  // Results of calls that an earlier response made are checked against what is kept of it.
  if (keeping.kind !== 'after') checkCalls(messages, 'input');
  return {
    stream: asked.stream ?? false,
    echoed: {
      model: asked.model,
      instructions: asked.instructions ?? null,
      previous_response_id: asked.previous_response_id ?? null,
      store: asked.store ?? true,
      temperature: asked.temperature ?? null,
      max_output_tokens: asked.max_output_tokens ?? null,
      metadata: asked.metadata ?? {},
      tools: asked.tools ?? [],
      tool_choice: asked.tool_choice ?? 'auto',
    },
    request: servedRequest(request, asked, {
      instructions: [asked.instructions ?? '', ...instructions].filter(Boolean).join('\n\n') || undefined,
      messages,
      keeping,
      tools: asked.tools ?? [],
      limit: asked.max_output_tokens,
      effort: asked.reasoning?.effort,
    }),
  };
}

function keepingOf(previous: string | undefined, keep: boolean): Keeping {
  if (previous === undefined) return { kind: keep ? 'new' : 'passing' };
  const place = readResponseId(previous);
  if (!place) throw notKept();
  return { kind: 'after', ...place, keep };
}

const said = (text: string): InputItem => ({ type: 'message', role: 'user', content: text });

function readItems(items: readonly InputItem[]): {
  readonly messages: readonly Message[];
  readonly instructions: readonly string[];
} {
  const instructions: string[] = [];
  const messages: Message[] = [];
  const names = new Map<string, string>();
  /** What the agent said and the calls it made in one breath are one message. */
  const addOfAgent = (part: AssistantPart) => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') last.content.push(part);
    else messages.push({ role: 'assistant', content: [part], origin: CLIENT_ORIGIN });
  };
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    if (item.type === 'function_call') {
      names.set(item.call_id, item.name);
      addOfAgent({ type: 'tool_call', id: item.call_id, name: item.name, arguments: item.arguments });
    } else if (item.type === 'function_call_output') {
      const { call_id: callId, output } = item;
      const name = names.get(callId) ?? '';
      messages.push({ role: 'tool', callId, name, content: partsOf(output, at), isError: false });
    } else if (item.type === 'message') {
      const content = partsOf(item.content, at);
      if (item.role === 'user') messages.push({ role: 'user', content });
      else if (item.role === 'assistant') addOfAgent({ type: 'text', text: onlyText(content, at) });
      else instructions.push(onlyText(content, at));
    }
  }
  checkLast(messages, 'input');
  return { messages, instructions };
}

const partsOf = (content: ItemContent, at: string): UserPart[] =>
  contentParts(content, at, (part, place) => {
    if (part.type === 'input_image') return imageOf(part.image_url, `${place}.image_url`);
    return { type: 'text', text: part.type === 'refusal' ? part.refusal : part.text };
  });
