import { type Frame, sseFraming } from '../framing.ts';
import { newId } from '../new-id.ts';
import { asList, asRecord, asText } from '../read-json.ts';
import { splitText } from '../split-text.ts';
import { newTranscript, type Transcript } from '../transcript.ts';
import type { Answer, NormalRequest, Refusal, Route, WireProtocol } from '../wire-protocol.ts';
import { openAiError, openAiFailure, openAiReset } from './openai-failure.ts';

const FINISH = {
  end: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
} as const;

const AZURE_DEPLOYMENT = /\/openai\/deployments\/([^/]+)\/chat\/completions$/;

function route(path: string): Route | undefined {
  const deployment = AZURE_DEPLOYMENT.exec(path)?.[1];
  if (deployment !== undefined) return { model: decodeURIComponent(deployment) };
  return path.endsWith('/chat/completions') ? {} : undefined;
}

/** Content is a string or a list of typed parts. */
function readContent(content: unknown): { texts: string[]; images: string[] } {
  if (typeof content === 'string') return { texts: [content], images: [] };
  const parts = asList(content).map(asRecord);
  return {
    texts: parts.filter((part) => part.type === 'text').map((part) => asText(part.text)),
    images: parts
      .filter((part) => part.type === 'image_url')
      .map((part) => asText(asRecord(part.image_url).url)),
  };
}

function readMessage(message: Readonly<Record<string, unknown>>, into: Transcript): void {
  const { texts, images } = readContent(message.content);
  if (message.role === 'system' || message.role === 'developer') return into.system(texts.join('\n'));
  if (message.role === 'tool') {
    return into.result({ id: asText(message.tool_call_id), text: texts.join('\n'), images });
  }
  into.open(message.role === 'assistant' ? 'assistant' : 'user');
  const thinking = asText(message.reasoning_content) || asText(message.reasoning);
  if (thinking) into.hidden(thinking);
  for (const text of texts) into.text(text);
  for (const image of images) into.image(image);
  for (const call of asList(message.tool_calls).map(asRecord)) {
    const called = asRecord(call.function);
    into.call({ id: asText(call.id), name: asText(called.name), arguments: asText(called.arguments) });
  }
}

function normalise(body: Readonly<Record<string, unknown>>, taken: Route): NormalRequest {
  const transcript = newTranscript();
  for (const tool of asList(body.tools)) {
    transcript.tool(asText(asRecord(asRecord(tool).function).name), tool);
  }
  for (const message of asList(body.messages)) readMessage(asRecord(message), transcript);
  const cacheKey = asText(body.prompt_cache_key);
  return {
    protocol: 'chat_completions',
    model: taken.model ?? asText(body.model),
    stream: body.stream === true,
    ...(cacheKey ? { cacheKey } : {}),
    ...transcript.done(),
    body,
  };
}

/** Every tool call must be answered before anyone else speaks, and every answer needs its call. */
function refuse(request: NormalRequest): Refusal | undefined {
  if (!request.model) return { message: 'you must provide a model parameter' };
  if (request.messages.length === 0 && !request.system) {
    return { message: "Missing required parameter: 'messages'.", code: 'missing_required_parameter' };
  }
  let open = new Set<string>();
  for (const [index, message] of [...request.messages, undefined].entries()) {
    if (message?.role === 'tool') {
      if (open.delete(message.callId ?? '')) continue;
      return {
        message: `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (message ${index})`,
      };
    }
    if (open.size > 0) {
      return {
        message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
      };
    }
    open = new Set(message?.calls.map((call) => call.id));
  }
  return undefined;
}

function usageOf({ usage }: Answer) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: 0,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

const envelope = (object: string, request: NormalRequest) => ({
  id: newId('chatcmpl-'),
  object,
  created: Math.floor(Date.now() / 1000),
  model: request.model,
  service_tier: 'default',
  system_fingerprint: 'fp_scripted',
});

function deltas(answer: Answer): readonly Record<string, unknown>[] {
  const pieces = (text: string) => splitText(text, answer.chunk);
  const silent = answer.text === '' && answer.calls.length > 0;
  return [
    { role: 'assistant', content: silent ? null : '', refusal: null },
    ...pieces(answer.thinking).map((piece) => ({ [answer.thinkingField]: piece })),
    ...pieces(answer.text).map((piece) => ({ content: piece })),
    ...answer.calls.flatMap((call, index) => [
      {
        tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
      },
      ...pieces(call.arguments).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
}

function frames(answer: Answer, request: NormalRequest): readonly Frame[] {
  const base = envelope('chat.completion.chunk', request);
  const withUsage = asRecord(request.body.stream_options).include_usage === true;
  const chunk = (delta: Record<string, unknown>, finish: string | null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(withUsage ? { usage: null } : {}),
  });
  return [
    ...deltas(answer).map((delta) => ({ event: '', data: chunk(delta, null) })),
    { event: '', data: chunk({}, FINISH[answer.stop]), final: true },
    ...(withUsage
      ? [{ event: '', data: { ...base, choices: [], usage: usageOf(answer) }, final: true }]
      : []),
    { event: '', data: '[DONE]', final: true },
  ];
}

function whole(answer: Answer, request: NormalRequest): unknown {
  const message = {
    role: 'assistant',
    content: answer.text === '' && answer.calls.length > 0 ? null : answer.text,
    refusal: null,
    ...(answer.thinking ? { [answer.thinkingField]: answer.thinking } : {}),
    ...(answer.calls.length > 0
      ? {
          tool_calls: answer.calls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          })),
        }
      : {}),
  };
  return {
    ...envelope('chat.completion', request),
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[answer.stop] }],
    usage: usageOf(answer),
  };
}

export const chatCompletions: WireProtocol = {
  id: 'chat_completions',
  framing: sseFraming,
  caching: 'automatic',
  callIdPrefix: 'call_',
  requestIdHeader: 'x-request-id',
  newRequestId: () => newId('req_'),
  resetHeader: openAiReset,
  route,
  normalise,
  refuse,
  frames,
  whole,
  failure: openAiFailure,
  streamFailure: (failure) => ({ event: '', data: { error: openAiError(failure).error }, final: true }),
};
