import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type McpClients, openMcpClients, parseMcpConfig } from '../src/adapters/bridges/index.ts';
import type { AskModel, ToolContext } from '../src/spec/ports/index.ts';
import { toolContext } from '../testkit/tool-context/index.ts';

const program = (name: string): string =>
  fileURLToPath(new URL(`node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url));

let root: string;
let clients: McpClients;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-mcp-servers-')));
  mkdirSync(join(root, 'work'));
  mkdirSync(join(root, 'private'));
  writeFileSync(join(root, 'work/a.txt'), 'alpha');
  writeFileSync(join(root, 'private/b.txt'), 'beta');
  symlinkSync(join(root, 'private'), join(root, 'work/door'));
  const node = { command: process.execPath };
  clients = openMcpClients({
    servers: parseMcpConfig(
      {
        mcp_servers: {
          everything: { ...node, args: [program('server-everything')], sampling: true },
          filesystem: {
            ...node,
            // The server itself would allow more than the rules do.
            args: [program('server-filesystem'), root],
            permissions: {
              allowed_paths: [join(root, 'work')],
              denied_paths: ['/etc'],
              max_file_size: '1KB',
            },
          },
        },
      },
      {},
    ),
    version: '0',
    cache: { read: async () => undefined, write: async () => undefined },
    tokens: { read: async () => undefined, write: async () => undefined },
    roots: () => [join(root, 'work')],
    environment: { PATH: process.env.PATH },
    fetch,
    fetchElsewhere: fetch,
    hidden: [],
    sample: async () => undefined,
    log: () => undefined,
  });
});

afterAll(async () => {
  await clients.close();
  rmSync(root, { recursive: true, force: true });
});

async function call(name: string, input: unknown, given: Partial<ToolContext> = {}): Promise<string> {
  const tool = (await clients.tools()).find((one) => one.name === name);
  if (!tool) throw new Error(`no ${name}`);
  const refuse = tool.deed?.(input).refuse;
  if (refuse) return `refused: ${refuse}`;
  const { content } = await tool.run(tool.input.parse(input), toolContext(given));
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
}

describe('server-everything', () => {
  it('is called, shows progress, pictures and structured answers', async () => {
    expect(await call('mcp_everything_echo', { message: 'hi' })).toBe('Echo: hi');
    const update = vi.fn<(text: string) => void>();
    await call('mcp_everything_trigger-long-running-operation', { duration: 1, steps: 2 }, { update });
    expect(update).toHaveBeenCalledWith('1/2');
    expect(await call('mcp_everything_get-tiny-image', {})).toContain('[image/png]');
    expect(await call('mcp_everything_get-structured-content', { location: 'Chicago' })).toContain(
      'temperature',
    );
  });

  it('asks our model and the person through the call that runs', async () => {
    const askModel = vi.fn<AskModel>(async () => 'a haiku');
    expect(
      await call('mcp_everything_trigger-sampling-request', { prompt: 'write', maxTokens: 5 }, { askModel }),
    ).toContain('a haiku');
    expect(askModel).toHaveBeenCalledWith(
      expect.arrayContaining([{ type: 'text', text: expect.stringContaining('write') }]),
      expect.objectContaining({ maxOutput: 5 }),
    );
    const ask = async (question: string, choices: readonly string[]) =>
      choices[0] ?? (question.includes('String') ? 'Ada' : '');
    expect(await call('mcp_everything_trigger-elicitation-request', {}, { ask })).toContain('"name": "Ada"');
  });

  it('hears of the roots, and shows resources and prompts', async () => {
    expect(await call('mcp_everything_get-roots-list', {})).toContain(join(root, 'work'));
    expect(await call('mcp_list_resources', { server: 'everything' })).toContain('demo://resource/');
    const uri = 'demo://resource/static/document/features.md';
    expect(await call('mcp_read_resource', { server: 'everything', uri })).toContain('Features');
    expect(await call('mcp_list_prompts', { server: 'everything' })).toContain('simple-prompt');
    expect(await call('mcp_get_prompt', { server: 'everything', name: 'simple-prompt' })).toContain('user:');
  });

  it('sees nothing of our environment', async () => {
    expect(Object.keys(JSON.parse(await call('mcp_everything_get-env', {})) as object)).toEqual(['PATH']);
  });
});

describe('server-filesystem', () => {
  it('reads and writes where it may', async () => {
    expect(await call('mcp_filesystem_read_text_file', { path: join(root, 'work/a.txt') })).toContain(
      'alpha',
    );
    await call('mcp_filesystem_write_file', { path: join(root, 'work/c.txt'), content: 'gamma' });
    expect(readFileSync(join(root, 'work/c.txt'), 'utf8')).toBe('gamma');
  });

  it.each([
    ['beside', 'private/b.txt'],
    ['through a link', 'work/door/b.txt'],
    ['out and back', 'work/../private/b.txt'],
  ])('does not read %s', async (_, path) => {
    const answer = await call('mcp_filesystem_read_text_file', { path: join(root, path) });
    expect(answer).toContain('outside of allowed_paths');
  });

  it('does not write more than it may', async () => {
    const input = { path: join(root, 'work/d.txt'), content: 'x'.repeat(2_000) };
    expect(await call('mcp_filesystem_write_file', input)).toContain('at most 1024');
  });
});
