import { request as httpRequest, type IncomingMessage } from 'node:http';
import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
  type Tool,
} from '@aws-sdk/client-bedrock-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../testkit/model-server/model-server.ts';
import {
  conversation,
  FIRST,
  PIXEL,
  QUESTION,
  RESULTS,
  SECOND,
  SYSTEM,
  TOOL_SCHEMAS,
} from './scripted-conversation.ts';

interface SdkRequest {
  readonly method: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** The SDK speaks HTTP/2 to this service unless told otherwise; this carries its requests over HTTP/1.1. */
const overHttp1 = {
  handle: ({ method, hostname, port, path, headers, body }: SdkRequest) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ method, hostname, port, path, headers }, (got: IncomingMessage) =>
        resolve({ response: { statusCode: got.statusCode, headers: got.headers, body: got } }),
      );
      sent.on('error', reject).end(body);
    }),
} as unknown as NonNullable<BedrockRuntimeClientConfig['requestHandler']>;

let server: ModelServer;
let client: BedrockRuntimeClient;
beforeEach(async () => {
  server = await startModelServer({ script: conversation });
  client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: server.url,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: overHttp1,
  });
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

const MODEL = 'us.anthropic.claude-x-v1:0';
const cachePoint = { cachePoint: { type: 'default' as const } };
const opening: Message = {
  role: 'user',
  content: [
    { text: QUESTION },
    { image: { format: 'png', source: { bytes: Buffer.from(PIXEL, 'base64') } } },
  ],
};
const input = (messages: Message[]) => ({
  modelId: MODEL,
  system: [{ text: SYSTEM }, cachePoint],
  messages,
  toolConfig: {
    tools: TOOL_SCHEMAS.map(
      ({ name, description, schema }): Tool => ({
        toolSpec: { name, description, inputSchema: { json: schema } },
      }),
    ),
  },
});

/** Puts deltas back together the way a client does. */
function collect(blocks: Map<number, ContentBlock & { raw?: string }>, event: ConverseStreamOutput): void {
  const index =
    event.contentBlockStart?.contentBlockIndex ?? event.contentBlockDelta?.contentBlockIndex ?? -1;
  const start = event.contentBlockStart?.start?.toolUse;
  if (start)
    blocks.set(index, { toolUse: { toolUseId: start.toolUseId, name: start.name, input: {} }, raw: '' });
  const delta = event.contentBlockDelta?.delta;
  const block = blocks.get(index);
  if (delta?.text !== undefined) blocks.set(index, { text: (block?.text ?? '') + delta.text });
  if (delta?.toolUse && block?.toolUse) {
    block.raw = (block.raw ?? '') + (delta.toolUse.input ?? '');
  }
  if (delta?.reasoningContent) {
    const before = block?.reasoningContent?.reasoningText ?? { text: '' };
    const { text = '', signature, redactedContent } = delta.reasoningContent;
    const reasoningContent = redactedContent
      ? { redactedContent }
      : { reasoningText: { text: (before.text ?? '') + text, signature: signature ?? before.signature } };
    blocks.set(index, { reasoningContent });
  }
}

async function run(messages: Message[]) {
  const { stream, $metadata } = await client.send(new ConverseStreamCommand(input(messages)));
  const blocks = new Map<number, ContentBlock & { raw?: string }>();
  let stopReason: string | undefined;
  let usage: NonNullable<ConverseStreamOutput['metadata']>['usage'];
  for await (const event of stream ?? []) {
    collect(blocks, event);
    stopReason ??= event.messageStop?.stopReason;
    usage ??= event.metadata?.usage;
  }
  const content = [...blocks.values()].map(({ raw, ...block }) =>
    raw === undefined ? block : { toolUse: { ...block.toolUse, input: JSON.parse(raw) } },
  ) as ContentBlock[];
  return { content, stopReason, usage, requestId: $metadata.requestId };
}

const callsIn = (content: readonly ContentBlock[]) => content.flatMap((block) => block.toolUse ?? []);
const resultsFor = (calls: ReturnType<typeof callsIn>): Message => ({
  role: 'user',
  content: calls.map(({ toolUseId }, index) => ({
    toolResult: { toolUseId, content: [{ text: RESULTS[index] as string }] },
  })),
});

describe('the AWS SDK', () => {
  it('reads back a conversation with thinking, an image and two parallel tool calls', async () => {
    const first = await run([opening]);
    const calls = callsIn(first.content);
    expect(first.content[0]?.reasoningContent?.reasoningText?.text).toBe(FIRST.thinking);
    expect(first.content[1]?.text).toBe(FIRST.text);
    expect(calls.map(({ name, input: args }) => ({ name, arguments: args }))).toEqual(FIRST.calls);
    expect(first.stopReason).toBe('tool_use');
    expect(first.requestId).toMatch(/^[0-9a-f-]{36}$/);

    const second = await run([opening, { role: 'assistant', content: first.content }, resultsFor(calls)]);
    expect(second.content[0]?.reasoningContent?.reasoningText?.text).toBe(SECOND.thinking);
    expect(second.content[1]?.text).toBe(SECOND.text);
    expect(second.stopReason).toBe('end_turn');
    expect(first.usage).toMatchObject({ cacheReadInputTokens: 0 });
    expect(first.usage?.cacheWriteInputTokens).toBeGreaterThan(200);
    expect(second.usage).toMatchObject({
      cacheReadInputTokens: first.usage?.cacheWriteInputTokens,
      cacheWriteInputTokens: 0,
    });
    expect(server.requests[0]).toMatchObject({
      model: MODEL,
      key: 'AKIDEXAMPLE',
      protocol: 'bedrock_converse',
    });
  });

  it('reads redacted thinking as bytes, and a reply that is not streamed', async () => {
    server.script({ rules: [], fallback: { redactedThinking: 'opaque', text: 'done' } });
    const [redacted] = (await run([opening])).content;
    expect(Buffer.from(redacted?.reasoningContent?.redactedContent ?? []).toString()).toBe('opaque');
    const { output, stopReason } = await client.send(new ConverseCommand(input([opening])));
    expect(output?.message?.content?.[1]).toEqual({ text: 'done' });
    expect(stopReason).toBe('end_turn');
  });

  it('raises the service exceptions, over HTTP and inside the stream', async () => {
    server.plan([
      { kind: 'rate_limit', times: 1 },
      { kind: 'auth', times: 1 },
      { kind: 'error_in_stream', error: 'rate_limit', times: 1 },
    ]);
    await expect(run([opening])).rejects.toMatchObject({ name: 'ThrottlingException' });
    await expect(run([opening])).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(run([opening])).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  it('is refused a missing tool result, altered thinking and two user messages in a row', async () => {
    const { content } = await run([opening]);
    const calls = callsIn(content);
    const said: Message = { role: 'assistant', content };
    await expect(run([opening, said, resultsFor(calls.slice(0, 1))])).rejects.toThrow(
      /Expected toolResult blocks/,
    );
    const [, ...rest] = content;
    const altered = { reasoningContent: { reasoningText: { text: 'else', signature: 'abc' } } };
    await expect(
      run([opening, { role: 'assistant', content: [altered, ...rest] }, resultsFor(calls)]),
    ).rejects.toThrow(/Invalid `signature`/);
    await expect(run([opening, opening])).rejects.toThrow(/must alternate/);
  });
});
