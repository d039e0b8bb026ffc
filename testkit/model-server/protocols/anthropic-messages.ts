import { type Frame, sseFraming } from '../framing.ts';
import { newId } from '../new-id.ts';
import { asList, asRecord, asText, parsedArguments } from '../read-json.ts';
import { splitText } from '../split-text.ts';
import { newTranscript, type Transcript } from '../transcript.ts';
import type { Answer, CacheTtl, NormalRequest, Route, WireProtocol } from '../wire-protocol.ts';
import { anthropicError, anthropicFailure } from './anthropic-failure.ts';
import { refuseAnthropic } from './anthropic-refusal.ts';

type Block = Readonly<Record<string, unknown>>;

const STOP = {
  end: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
} as const;

const route = (path: string): Route | undefined => (path.endsWith('/messages') ? {} : undefined);

/** A string is short for one text block. */
const blocksOf = (content: unknown): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asRecord);

function cacheOf(block: Block): CacheTtl | undefined {
  if (block.cache_control === undefined || block.cache_control === null) return undefined;
  return asRecord(block.cache_control).ttl === '1h' ? '1h' : '5m';
}

const imageOf = (block: Block): string => {
  const source = asRecord(block.source);
  return asText(source.data) || asText(source.url);
};

function readResult(block: Block, into: Transcript, cache: CacheTtl | undefined): void {
  const inner = blocksOf(block.content);
  const text = inner.map((part) => asText(part.text)).join('\n');
  const images = inner.filter((part) => part.type === 'image').map(imageOf);
  into.result({ id: asText(block.tool_use_id), text, images }, cache);
}

function readBlock(block: Block, into: Transcript): void {
  const cache = cacheOf(block);
  switch (block.type) {
    case 'text':
      return into.text(asText(block.text), cache);
    case 'image':
      return into.image(imageOf(block), cache);
    case 'tool_use': {
      const args = JSON.stringify(block.input ?? {});
      return into.call({ id: asText(block.id), name: asText(block.name), arguments: args }, cache);
    }
    case 'tool_result':
      return readResult(block, into, cache);
    default:
      return into.hidden(asText(block.thinking) || asText(block.data) || JSON.stringify(block), cache);
  }
}

function normalise(body: Readonly<Record<string, unknown>>): NormalRequest {
  const transcript = newTranscript();
  for (const tool of asList(body.tools).map(asRecord)) {
    const { cache_control: _, ...spec } = tool;
    transcript.tool(asText(tool.name), spec, cacheOf(tool));
  }
  for (const block of blocksOf(body.system ?? [])) transcript.system(asText(block.text), cacheOf(block));
  for (const message of asList(body.messages).map(asRecord)) {
    transcript.open(message.role === 'assistant' ? 'assistant' : 'user');
    for (const block of blocksOf(message.content)) {
      if (message.role === 'system') transcript.system(asText(block.text), cacheOf(block));
      else readBlock(block, transcript);
    }
  }
  const automatic = cacheOf(body);
  if (automatic) transcript.mark(automatic);
  return {
    protocol: 'anthropic_messages',
    model: asText(body.model),
    stream: body.stream === true,
    ...transcript.done(),
    body,
  };
}

/** Input counts are the same at both ends of a stream; the output count grows. */
function usageOf({ usage, cacheWrite1h }: Answer) {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite - cacheWrite1h,
      ephemeral_1h_input_tokens: cacheWrite1h,
    },
    output_tokens: usage.output,
    service_tier: 'standard',
  };
}

/** A content block: as it begins, the deltas that fill it, and whole. */
interface Content {
  readonly begun: Block;
  readonly deltas: readonly Block[];
  readonly whole: Block;
}

function contentOf(answer: Answer): readonly Content[] {
  const pieces = (text: string) => splitText(text, answer.chunk);
  const { thinking, signature, redactedThinking: data, text } = answer;
  const thought: Content = {
    begun: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
    whole: { type: 'thinking', thinking, signature },
  };
  const redacted = { type: 'redacted_thinking', data };
  const said: Content = {
    begun: { type: 'text', text: '' },
    deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
    whole: { type: 'text', text },
  };
  const called = answer.calls.map(({ id, name, arguments: args }): Content => {
    const block = { type: 'tool_use', id, name };
    const inputs = ['', ...pieces(args)];
    return {
      begun: { ...block, input: {} },
      deltas: inputs.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      whole: { ...block, input: parsedArguments(args) },
    };
  });
  return [
    ...(thinking ? [thought] : []),
    ...(data ? [{ begun: redacted, deltas: [], whole: redacted }] : []),
    ...(text ? [said] : []),
    ...called,
  ];
}

const begunMessage = (answer: Answer, request: NormalRequest) => ({
  id: newId('msg_'),
  type: 'message',
  role: 'assistant',
  model: request.model,
  content: [] as readonly Block[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: { ...usageOf(answer), output_tokens: 1 },
});

const event = (data: Block, final = false): Frame => ({
  event: asText(data.type),
  data,
  ...(final ? { final } : {}),
});

function frames(answer: Answer, request: NormalRequest): readonly Frame[] {
  const { service_tier: _tier, cache_creation: _parts, ...usage } = usageOf(answer);
  const delta = { stop_reason: STOP[answer.stop], stop_sequence: null };
  return [
    event({ type: 'message_start', message: begunMessage(answer, request) }),
    ...contentOf(answer).flatMap((content, index) => [
      event({ type: 'content_block_start', index, content_block: content.begun }),
      ...(index === 0 ? [event({ type: 'ping' })] : []),
      ...content.deltas.map((step) => event({ type: 'content_block_delta', index, delta: step })),
      event({ type: 'content_block_stop', index }),
    ]),
    event({ type: 'message_delta', delta, usage }, true),
    event({ type: 'message_stop' }, true),
  ];
}

function whole(answer: Answer, request: NormalRequest): unknown {
  return {
    ...begunMessage(answer, request),
    content: contentOf(answer).map((content) => content.whole),
    stop_reason: STOP[answer.stop],
    usage: usageOf(answer),
  };
}

export const anthropicMessages: WireProtocol = {
  id: 'anthropic_messages',
  framing: sseFraming,
  caching: 'marked',
  callIdPrefix: 'toolu_',
  requestIdHeader: 'request-id',
  newRequestId: () => newId('req_'),
  resetHeader: (seconds) => ({
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': new Date(Date.now() + seconds * 1000).toISOString(),
  }),
  route,
  normalise,
  refuse: refuseAnthropic,
  frames,
  whole,
  failure: anthropicFailure,
  streamFailure: (failure) => ({
    event: 'error',
    data: { type: 'error', error: anthropicError(failure).error, request_id: failure.requestId },
    final: true,
  }),
};
