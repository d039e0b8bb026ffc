import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, loopbackWeb, mediaService, PNG, startLoopback } from '#testkit/web';
import { toolContext } from '#testkit/tool-context';
import { tool } from './image-generate.ts';

let server: LoopbackServer | undefined;
afterEach(() => server?.close());

async function draw(keys: Record<string, string>, input: object = {}) {
  server = await startLoopback(mediaService('sk-right-key'));
  const kept: { name: string; bytes: Uint8Array }[] = [];
  const url = server.url;
  const web = loopbackWeb({
    'https://api.openai.com': url,
    'https://fal.run': url,
    'https://fal.media': url,
    'http://draw.lan': url,
  });
  const keep = async (name: string, bytes: Uint8Array) => {
    kept.push({ name, bytes });
    return `/kept/${name}`;
  };
  const context = toolContext({ web, keep, key: (name) => keys[name] });
  return { result: await tool.run(tool.input.parse({ prompt: 'a pool', ...input }), context), kept };
}

describe('image_generate', () => {
  it('draws with OpenAI and keeps the file', async () => {
    const { result, kept } = await draw({ OPENAI_API_KEY: 'sk-right-key' }, { shape: 'landscape' });
    expect(result.data).toMatchObject({
      path: '/kept/image.png',
      mediaType: 'image/png',
      maker: 'api.openai.com',
    });
    expect(Buffer.from(kept[0]?.bytes ?? [])).toEqual(PNG);
    expect(server?.requests[0]?.json()).toMatchObject({ model: 'gpt-image-1', size: '1536x1024', n: 1 });
  });

  it('draws with a service of the own, and with FAL', async () => {
    const own = await draw({
      IMAGE_BASE_URL: 'http://draw.lan/v1/',
      IMAGE_API_KEY: 'sk-right-key',
      IMAGE_MODEL: 'sdxl',
    });
    expect(own.result.data).toMatchObject({ maker: 'draw.lan', model: 'sdxl' });
    await server?.close();
    const fal = await draw({ FAL_KEY: 'sk-right-key' });
    expect(fal.result.data).toMatchObject({ maker: 'fal.run', mediaType: 'image/png' });
    expect(Buffer.from(fal.kept[0]?.bytes ?? [])).toEqual(PNG);
  });

  it.each([
    ['FORBIDDEN', 'rejected by the safety system'],
    ['BUSY', 'Try again after 7 s'],
    ['EMPTY', 'in a form that is not known'],
    ['BROKEN', 'in a form that is not known'],
  ])('answers with an error on %s', async (prompt, words) => {
    const { result, kept } = await draw({ OPENAI_API_KEY: 'sk-right-key' }, { prompt });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain(words);
    expect(kept).toEqual([]);
  });

  it('names the variable of a wrong key, and does not repeat the key', async () => {
    const { result } = await draw({ OPENAI_API_KEY: 'sk-wrong-key-123456' });
    const text = JSON.stringify(result.content);
    expect(text).toContain('Check OPENAI_API_KEY.');
    expect(text).not.toContain('sk-wrong-key-123456');
  });

  it('is missing without a service', () => {
    const place = (keys: Record<string, string>) => toolContext({ key: (name) => keys[name] });
    expect(tool.missing?.(place({}))?.fix).toContain('FAL_KEY');
    expect(tool.missing?.(place({ FAL_KEY: 'k' }))).toBeUndefined();
    expect(tool.missing?.(place({ IMAGE_BASE_URL: 'http://draw.lan/v1' }))).toBeUndefined();
  });
});
