import { newId } from '../new-id.ts';
import { asList, asRecord } from '../read-json.ts';
import { splitText } from '../split-text.ts';
import type { Frame } from '../framing.ts';
import type { Answer, Failure, NormalCall, NormalRequest } from '../wire-protocol.ts';
import { openAiError } from './openai-failure.ts';

type Json = Readonly<Record<string, unknown>>;

/** One output item: how it begins, what happens to it, how it ends. */
interface Output {
  readonly begun: Json;
  readonly events: readonly Json[];
  readonly done: Json;
}

const REASONS = { length: 'max_output_tokens', content_filter: 'content_filter' } as const;

function reasoningOutput(answer: Answer, request: NormalRequest): Output {
  const item_id = newId('rs_');
  const place = { item_id, summary_index: 0 };
  const part = { type: 'summary_text', text: answer.thinking };
  const sealed = asList(request.body.include).includes('reasoning.encrypted_content');
  const deltas = splitText(answer.thinking, answer.chunk);
  const item = { id: item_id, type: 'reasoning', summary: [] };
  return {
    begun: item,
    events: [
      { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
      ...deltas.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
      { type: 'response.reasoning_summary_text.done', ...place, text: answer.thinking },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ],
    done: { ...item, summary: [part], ...(sealed ? { encrypted_content: answer.signature } : {}) },
  };
}

/** Thinking without a summary: nothing to show, but something to send back. */
function hiddenReasoningOutput(answer: Answer, request: NormalRequest): Output {
  const item = { id: newId('rs_'), type: 'reasoning', summary: [] };
  const sealed = asList(request.body.include).includes('reasoning.encrypted_content');
  return {
    begun: item,
    events: [],
    done: { ...item, ...(sealed ? { encrypted_content: answer.redactedThinking } : {}) },
  };
}

function messageOutput(answer: Answer): Output {
  const item_id = newId('msg_');
  const place = { item_id, content_index: 0 };
  const part = { type: 'output_text', annotations: [], logprobs: [], text: answer.text };
  const item = { id: item_id, type: 'message', role: 'assistant' };
  const cut = answer.stop in REASONS;
  return {
    begun: { ...item, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...splitText(answer.text, answer.chunk).map((delta) => ({
        type: 'response.output_text.delta',
        ...place,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', ...place, text: answer.text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part },
    ],
    done: { ...item, status: cut ? 'incomplete' : 'completed', content: [part] },
  };
}

function callOutput(call: NormalCall, chunk: number): Output {
  const item_id = newId('fc_');
  const item = { id: item_id, type: 'function_call', call_id: call.id, name: call.name };
  return {
    begun: { ...item, status: 'in_progress', arguments: '' },
    events: [
      ...splitText(call.arguments, chunk).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        item_id,
        delta,
      })),
      { type: 'response.function_call_arguments.done', item_id, arguments: call.arguments },
    ],
    done: { ...item, status: 'completed', arguments: call.arguments },
  };
}

function outputsOf(answer: Answer, request: NormalRequest): readonly Output[] {
  return [
    ...(answer.thinking ? [reasoningOutput(answer, request)] : []),
    ...(answer.redactedThinking ? [hiddenReasoningOutput(answer, request)] : []),
    ...(answer.text || answer.calls.length === 0 ? [messageOutput(answer)] : []),
    ...answer.calls.map((call) => callOutput(call, answer.chunk)),
  ];
}

function usageOf({ usage }: Answer): Json {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}

function begunResponse(request: NormalRequest): Json {
  const { body } = request;
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: {},
    model: request.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    store: body.store ?? true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
  };
}

function endedResponse(begun: Json, answer: Answer, outputs: readonly Output[]): Json {
  const reason = answer.stop === 'length' || answer.stop === 'content_filter' ? REASONS[answer.stop] : null;
  return {
    ...begun,
    status: reason ? 'incomplete' : 'completed',
    incomplete_details: reason ? { reason } : null,
    output: outputs.map((output) => output.done),
    usage: usageOf(answer),
  };
}

export function responseFrames(answer: Answer, request: NormalRequest): readonly Frame[] {
  const outputs = outputsOf(answer, request);
  const begun = begunResponse(request);
  const ended = endedResponse(begun, answer, outputs);
  const events: readonly Json[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...outputs.flatMap((output, output_index) => [
      { type: 'response.output_item.added', output_index, item: output.begun },
      ...output.events.map((event) => ({ ...event, output_index })),
      { type: 'response.output_item.done', output_index, item: output.done },
    ]),
    { type: `response.${ended.status}`, response: ended },
  ];
  return events.map((event, sequence_number) => ({
    event: String(event.type),
    data: { ...event, sequence_number },
    ...(sequence_number === events.length - 1 ? { final: true } : {}),
  }));
}

export function responseWhole(answer: Answer, request: NormalRequest): unknown {
  return endedResponse(begunResponse(request), answer, outputsOf(answer, request));
}

/** The response that had begun has failed; or, when it had not or `plain` is asked for, a bare `error`. */
export function failedFrame(failure: Failure, sent: readonly Frame[], plain: boolean): Frame {
  const { message, code } = openAiError(failure).error;
  const sequence_number = sent.length;
  const begun = asRecord(asRecord(sent[0]?.data).response);
  if (plain || sent.length === 0) {
    const data = { type: 'error', code: code ?? 'server_error', message, param: null, sequence_number };
    return { event: 'error', data, final: true };
  }
  const response = { ...begun, status: 'failed', error: { code: code ?? 'server_error', message } };
  return {
    event: 'response.failed',
    data: { type: 'response.failed', response, sequence_number },
    final: true,
  };
}
