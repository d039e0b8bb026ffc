import { randomUUID } from 'node:crypto';
import { type Frame, awsFraming } from '../framing.ts';
import { asList, asRecord, asText, parsedArguments } from '../read-json.ts';
import { splitText } from '../split-text.ts';
import { newTranscript, type Transcript } from '../transcript.ts';
import type { Answer, CacheTtl, NormalRequest, Route, WireProtocol } from '../wire-protocol.ts';
import { bedrockException, bedrockFailure } from './bedrock-failure.ts';
import { refuseBedrock } from './bedrock-refusal.ts';

type Json = Readonly<Record<string, unknown>>;

const STOP = {
  end: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'content_filtered',
} as const;

const PATH = /^\/model\/([^/]+)\/converse(-stream)?$/;

function route(path: string): Route | undefined {
  const match = PATH.exec(path);
  if (!match?.[1]) return undefined;
  return { model: decodeURIComponent(match[1]), stream: match[2] !== undefined };
}

const ttlOf = (cachePoint: unknown): CacheTtl => (asRecord(cachePoint).ttl === '1h' ? '1h' : '5m');
const imageOf = (image: unknown): string => asText(asRecord(asRecord(image).source).bytes);

function readResult(result: Json, into: Transcript): void {
  const parts = asList(result.content).map(asRecord);
  const texts = parts.flatMap((part) => {
    if (typeof part.text === 'string') return [part.text];
    return part.json === undefined ? [] : [JSON.stringify(part.json)];
  });
  const images = parts.filter((part) => part.image !== undefined).map((part) => imageOf(part.image));
  into.result({ id: asText(result.toolUseId), text: texts.join('\n'), images });
}

function readBlock(block: Json, into: Transcript): void {
  if (block.cachePoint !== undefined) return into.mark(ttlOf(block.cachePoint));
  if (typeof block.text === 'string') return into.text(block.text);
  if (block.image !== undefined) return into.image(imageOf(block.image));
  if (block.toolResult !== undefined) return readResult(asRecord(block.toolResult), into);
  if (block.toolUse === undefined) return into.hidden(JSON.stringify(block));
  const { toolUseId, name, input } = asRecord(block.toolUse);
  into.call({ id: asText(toolUseId), name: asText(name), arguments: JSON.stringify(input ?? {}) });
}

function normalise(body: Json, taken: Route): NormalRequest {
  const transcript = newTranscript();
  for (const tool of asList(asRecord(body.toolConfig).tools).map(asRecord)) {
    if (tool.cachePoint !== undefined) transcript.mark(ttlOf(tool.cachePoint));
    else transcript.tool(asText(asRecord(tool.toolSpec).name), tool);
  }
  for (const block of asList(body.system).map(asRecord)) {
    if (block.cachePoint !== undefined) transcript.mark(ttlOf(block.cachePoint));
    else transcript.system(asText(block.text));
  }
  for (const message of asList(body.messages).map(asRecord)) {
    transcript.open(message.role === 'assistant' ? 'assistant' : 'user');
    for (const block of asList(message.content)) readBlock(asRecord(block), transcript);
  }
  return {
    protocol: 'bedrock_converse',
    model: taken.model ?? '',
    stream: taken.stream === true,
    ...transcript.done(),
    body,
  };
}

function usageOf({ usage }: Answer) {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    totalTokens: usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    cacheReadInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  };
}

/** Blobs travel as base64. */
const blob = (text: string) => Buffer.from(text).toString('base64');

/** A content block: how it starts (only tool use says so), the deltas that fill it, and whole. */
interface Content {
  readonly start?: Json;
  readonly deltas: readonly Json[];
  readonly whole: Json;
}

function contentOf(answer: Answer): readonly Content[] {
  const pieces = (text: string) => splitText(text, answer.chunk);
  const { thinking, signature, text } = answer;
  const redacted = { reasoningContent: { redactedContent: blob(answer.redactedThinking) } };
  const thought: Content = {
    deltas: [
      ...pieces(thinking).map((piece) => ({ reasoningContent: { text: piece } })),
      { reasoningContent: { signature } },
    ],
    whole: { reasoningContent: { reasoningText: { text: thinking, signature } } },
  };
  return [
    ...(thinking ? [thought] : []),
    ...(answer.redactedThinking ? [{ deltas: [redacted], whole: redacted }] : []),
    ...(text ? [{ deltas: pieces(text).map((piece) => ({ text: piece })), whole: { text } }] : []),
    ...answer.calls.map(({ id: toolUseId, name, arguments: args }) => ({
      start: { toolUse: { toolUseId, name } },
      deltas: pieces(args).map((input) => ({ toolUse: { input } })),
      whole: { toolUse: { toolUseId, name, input: parsedArguments(args) } },
    })),
  ];
}

const PADDING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ';

/** Every payload is padded with a field `p` of varying length, which readers ignore. */
const frame = (event: string, data: Json, final = false): Frame => ({
  event,
  data: { ...data, p: PADDING.slice(0, 4 + (JSON.stringify(data).length % 30)) },
  ...(final ? { final } : {}),
});

function frames(answer: Answer): readonly Frame[] {
  return [
    frame('messageStart', { role: 'assistant' }),
    ...contentOf(answer).flatMap(({ start, deltas }, contentBlockIndex) => [
      ...(start ? [frame('contentBlockStart', { contentBlockIndex, start })] : []),
      ...deltas.map((delta) => frame('contentBlockDelta', { contentBlockIndex, delta })),
      frame('contentBlockStop', { contentBlockIndex }),
    ]),
    frame('messageStop', { stopReason: STOP[answer.stop] }, true),
    frame('metadata', { usage: usageOf(answer), metrics: { latencyMs: 1 } }, true),
  ];
}

function whole(answer: Answer): unknown {
  return {
    output: { message: { role: 'assistant', content: contentOf(answer).map((content) => content.whole) } },
    stopReason: STOP[answer.stop],
    usage: usageOf(answer),
    metrics: { latencyMs: 1 },
  };
}

export const bedrockConverse: WireProtocol = {
  id: 'bedrock_converse',
  framing: awsFraming,
  caching: 'marked',
  callIdPrefix: 'tooluse_',
  requestIdHeader: 'x-amzn-requestid',
  newRequestId: () => randomUUID(),
  /** AWS has no such header; the general one is the nearest. */
  resetHeader: (seconds) => ({ 'retry-after': String(seconds) }),
  route,
  normalise,
  refuse: refuseBedrock,
  frames,
  whole,
  failure: bedrockFailure,
  streamFailure: bedrockException,
};
