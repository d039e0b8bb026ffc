import { describe, expect, it } from 'vitest';
import { toolResultOf } from './mcp-result.ts';
import { knownTools } from './tool-list.ts';

const keep = async (name: string, bytes: Uint8Array) => `/kept/${name}/${bytes.length}`;
const powers = { keep, clean: (text: string) => text };
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('toolResultOf', () => {
  it('shows text, pictures and resources, and keeps what a model cannot see', async () => {
    const { content } = await toolResultOf(
      {
        content: [
          { type: 'text', text: 'a\u200bb' },
          { type: 'image', data: base64('png'), mimeType: 'image/png' },
          { type: 'image', data: base64('tiff'), mimeType: 'image/tiff' },
          { type: 'audio', data: base64('sound'), mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'x://1', text: 'inside' } },
          { type: 'resource_link', uri: 'x://2', name: 'two' },
        ],
      },
      {},
      powers,
    );
    expect(content).toEqual([
      { type: 'text', text: 'a⟪U+200B⟫b' },
      { type: 'image', mediaType: 'image/png', data: base64('png') },
      { type: 'text', text: '[image/tiff, 4 bytes, kept at /kept/mcp-result.tiff/4]' },
      { type: 'text', text: '[audio/wav, 5 bytes, kept at /kept/mcp-result.wav/5]' },
      { type: 'text', text: '[x://1]\ninside' },
      { type: 'text', text: '[resource x://2: two]' },
    ]);
  });

  it('shows structured content where there is no text, with its rows cut', async () => {
    const rows = Array.from({ length: 9 }, (_, id) => ({ id }));
    const result = await toolResultOf({ content: [], structuredContent: { rows } }, { maxRows: 2 }, powers);
    const [part] = result.content;
    expect(part?.type === 'text' && part.text.match(/"id"/g)).toHaveLength(2);
  });

  it('gives nothing of an answer that is bigger than max_file_size', async () => {
    const text = 'x'.repeat(500);
    const { content } = await toolResultOf(
      { content: [{ type: 'text', text }] },
      { maxFileBytes: 100 },
      powers,
    );
    expect(content).toEqual([{ type: 'text', text: '[The answer has 500 bytes; max_file_size is 100.]' }]);
  });

  it('takes secrets out before it cuts anything', async () => {
    const secret = 'hunter2hunter2';
    const text = `${'x'.repeat(155)}${secret}`;
    const clean = (said: string) => said.replaceAll(secret, '***');
    const result = await toolResultOf(
      { content: [{ type: 'text', text }], structuredContent: { secret } },
      {},
      { keep, clean },
    );
    expect(result.summary).toBe(`${'x'.repeat(155)}***`);
    expect(JSON.stringify(result)).not.toContain('hunter');
  });

  it('bounds the number of parts', async () => {
    const parts = Array.from({ length: 1_000 }, () => ({ type: 'text' as const, text: 'x'.repeat(10_000) }));
    const { content } = await toolResultOf({ content: parts }, {}, powers);
    expect(content).toHaveLength(101);
    expect(JSON.stringify(content).length).toBeLessThan(220_000);
  });
});

describe('knownTools', () => {
  const tool = (over: object = {}) => ({
    name: 't',
    description: 'd',
    inputSchema: { type: 'object' },
    ...over,
  });

  it('has one hash for one meaning', () => {
    const hash = (over: object) => knownTools([tool(over)])[0]?.hash;
    expect(hash({ inputSchema: { a: 1, b: 2 } })).toBe(hash({ inputSchema: { b: 2, a: 1 } }));
    expect(hash({ description: 'e' })).not.toBe(hash({}));
    expect(hash({ inputSchema: { type: 'object', properties: { x: { description: 'y' } } } })).not.toBe(
      hash({}),
    );
    expect(hash({ annotations: { readOnlyHint: true } })).not.toBe(hash({}));
    // What is cut off still counts.
    expect(hash({ description: 'x'.repeat(5_000) })).not.toBe(hash({ description: 'x'.repeat(5_001) }));
  });

  it('bounds schemas', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`p${i}`, { type: 'string' }]),
    );
    expect(knownTools([tool({ inputSchema: { type: 'object', properties } })])[0]?.input).toEqual({
      type: 'object',
    });
  });
});
