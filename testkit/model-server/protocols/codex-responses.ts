import { sseFraming } from '../framing.ts';
import { newId } from '../new-id.ts';
import { asList, asRecord, asText } from '../read-json.ts';
import type { Seals } from '../seals.ts';
import { newTranscript, type Transcript } from '../transcript.ts';
import type { NormalRequest, Refusal, WireProtocol } from '../wire-protocol.ts';
import { responseFrames, responseWhole, failedFrame } from './codex-response-events.ts';
import { openAiFailure, openAiReset } from './openai-failure.ts';

type Item = Readonly<Record<string, unknown>>;

function readContent(content: unknown): { texts: string[]; images: string[] } {
  if (typeof content === 'string') return { texts: [content], images: [] };
  const parts = asList(content).map(asRecord);
  return {
    texts: parts.filter((part) => typeof part.text === 'string').map((part) => asText(part.text)),
    images: parts.filter((part) => part.type === 'input_image').map((part) => asText(part.image_url)),
  };
}

/** Reasoning, text and calls of one answer are separate items; together they are one assistant message. */
function readItem(item: Item, into: Transcript): void {
  if (item.type === 'function_call_output') {
    const { texts, images } = readContent(item.output);
    return into.result({ id: asText(item.call_id), text: texts.join('\n'), images });
  }
  if (item.type === 'function_call') {
    into.proceed('assistant');
    const { call_id: id, name, arguments: args } = item;
    return into.call({ id: asText(id), name: asText(name), arguments: asText(args) });
  }
  if (item.type === 'reasoning') {
    into.proceed('assistant');
    return into.hidden(asText(item.encrypted_content) || JSON.stringify(item.summary ?? []));
  }
  const { texts, images } = readContent(item.content);
  if (item.role === 'system' || item.role === 'developer') return into.system(texts.join('\n'));
  if (item.role === 'assistant') into.proceed('assistant');
  else into.open('user');
  for (const text of texts) into.text(text);
  for (const image of images) into.image(image);
}

const inputItems = (input: unknown): readonly Item[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : asList(input).map(asRecord);

function normalise(body: Readonly<Record<string, unknown>>): NormalRequest {
  const transcript = newTranscript();
  for (const tool of asList(body.tools)) transcript.tool(asText(asRecord(tool).name), tool);
  if (asText(body.instructions)) transcript.system(asText(body.instructions));
  for (const item of inputItems(body.input)) readItem(item, transcript);
  const cacheKey = asText(body.prompt_cache_key);
  return {
    protocol: 'codex_responses',
    model: asText(body.model),
    stream: body.stream === true,
    ...(cacheKey ? { cacheKey } : {}),
    ...transcript.done(),
    body,
  };
}

function refuseReasoning(item: Item, stored: boolean, seals: Seals): Refusal | undefined {
  const sealed = asText(item.encrypted_content);
  if (!sealed && !stored) {
    return {
      message: `Item with id '${asText(item.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      status: 404,
    };
  }
  if (sealed && !seals.genuine(sealed)) {
    const ends = `${sealed.slice(0, 4)}...${sealed.slice(-4)}`;
    return {
      message: `The encrypted content ${ends} could not be verified.`,
      code: 'invalid_encrypted_content',
    };
  }
  return undefined;
}

function refuse(request: NormalRequest, seals: Seals): Refusal | undefined {
  const { body } = request;
  if (!request.model) return { message: "Missing required parameter: 'model'." };
  if (asText(body.previous_response_id)) {
    return {
      message: `Previous response with id '${asText(body.previous_response_id)}' not found.`,
      code: 'previous_response_not_found',
    };
  }
  const items = inputItems(body.input);
  const called = new Set(
    items.filter((item) => item.type === 'function_call').map((item) => asText(item.call_id)),
  );
  const answered = new Set(
    items.filter((item) => item.type === 'function_call_output').map((item) => asText(item.call_id)),
  );
  const unanswered = [...called].find((id) => !answered.has(id));
  if (unanswered !== undefined) {
    return { message: `No tool output found for function call ${unanswered}.` };
  }
  const uncalled = [...answered].find((id) => !called.has(id));
  if (uncalled !== undefined) {
    return { message: `No tool call found for function call output with call_id ${uncalled}.` };
  }
  return items
    .filter((item) => item.type === 'reasoning')
    .map((item) => refuseReasoning(item, body.store !== false, seals))
    .find((refusal) => refusal !== undefined);
}

export const codexResponses: WireProtocol = {
  id: 'codex_responses',
  framing: sseFraming,
  caching: 'automatic',
  callIdPrefix: 'call_',
  requestIdHeader: 'x-request-id',
  newRequestId: () => newId('req_'),
  resetHeader: openAiReset,
  route: (path) => (path.endsWith('/responses') ? {} : undefined),
  normalise,
  refuse,
  frames: responseFrames,
  whole: responseWhole,
  failure: (failure) =>
    openAiFailure(
      failure.kind === 'context_overflow'
        ? {
            ...failure,
            message:
              'Your input exceeds the context window of this model. Please adjust your input and try again.',
          }
        : failure,
    ),
  streamFailure: failedFrame,
};
