import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  completable,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One red pixel, and a wave file of nothing. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (written: string): CallToolResult => ({ content: [{ type: 'text', text: written }] });

/**
 * The tools, resources and prompts that the scenarios of the official conformance suite ask for by name. They prove the
 * server underneath; none of them is part of Hermes.
 */
export async function conformanceFixtures(): Promise<McpServer> {
  const server = new McpServer(
    { name: 'hermes-conformance', version: '1' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
    },
  );
  contentTools(server);
  talkingTools(server);
  askingTools(server);
  resources(server);
  prompts(server);
  return server;
}

function contentTools(server: McpServer): void {
  const tool = (name: string, result: CallToolResult) =>
    server.registerTool(name, { description: `Fixture ${name}.` }, () => result);
  const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
  const resource = (uri: string, mimeType: string, written: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType, text: written },
  });
  tool('test_simple_text', text('This is a simple text response for testing.'));
  tool('test_image_content', { content: [image] });
  tool('test_audio_content', { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] });
  tool('test_embedded_resource', {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  });
  tool('test_multiple_content_types', {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  });
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
        },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false,
      }),
    },
    (input) => text(JSON.stringify(input)),
  );
}

function talkingTools(server: McpServer): void {
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs while it runs.' },
    async ({ mcpReq }) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', line);
        await pause(50);
      }
      return text('Logged.');
    },
  );
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await pause(50);
    }
    return text('Done.');
  });
  server.registerTool(
    'test_reconnection',
    { description: 'Closes its stream before it answers.' },
    async ({ http }) => {
      http?.closeSSE?.();
      await pause(100);
      return text('Reconnection test completed successfully.');
    },
  );
}

function askingTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const asks = (name: string, properties: Record<string, unknown>) =>
    server.registerTool(name, { description: 'Asks the user of the client.' }, async (context) =>
      text(`Elicitation completed: ${await elicit(context, 'Please answer', properties, [])}`),
    );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user of the client.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      return text(`User response: ${await elicit(context, message, properties, ['username', 'email'])}`);
    },
  );
  asks('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  });
  const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
  const plain = ['option1', 'option2', 'option3'];
  asks('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: plain },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  });
}

async function elicit(
  { mcpReq }: ServerContext,
  message: string,
  properties: Record<string, unknown>,
  required: string[],
): Promise<string> {
  const requestedSchema = {
    type: 'object' as const,
    properties: properties as Record<string, { type: 'string' }>,
    required,
  };
  const { action, content } = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema });
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

function resources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text.', mimeType: 'text/plain' },
    ({ href }) => ({
      contents: [
        { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
      ],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A picture.', mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'watched',
    'test://watched-resource',
    { description: 'One to subscribe to.', mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: 'watched' }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Fills in an id.', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const filled = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
      return { contents: [{ uri: href, mimeType: 'application/json', text: filled }] };
    },
  );
  const subscribed = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

function prompts(server: McpServer): void {
  const user = (content: { type: 'text'; text: string }) => ({ role: 'user' as const, content });
  const say = (written: string) => user({ type: 'text', text: written });
  server.registerPrompt('test_simple_prompt', { description: 'Takes nothing.' }, () => ({
    messages: [say('This is a simple prompt for testing.')],
  }));
  const suggest = (value: string | undefined) =>
    ['paris', 'park', 'party'].filter((word) => word.startsWith(value ?? ''));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Takes two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), suggest),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          say('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture.' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      say('Please analyze the image above.'),
    ],
  }));
}
