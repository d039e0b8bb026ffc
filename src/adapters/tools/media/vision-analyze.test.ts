import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserPart } from '#spec/data';
import type { Files } from '#spec/ports';
import { type LoopbackServer, loopbackWeb, PNG, startLoopback } from '#testkit/web';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool } from './vision-analyze.ts';

let server: LoopbackServer;
let workspace: TemporaryWorkspace;
let files: Files;
beforeEach(async () => {
  server = await startLoopback(({ path }) =>
    path === '/a.png' ? { body: PNG } : { status: 404, body: 'gone' },
  );
  workspace = await temporaryWorkspace();
  files = localFiles({ root: workspace.root, protectedPaths: [] });
});
afterEach(async () => {
  await server.close();
  await workspace.close();
});

async function look(input: object, said: string | undefined = 'A graph that rises.') {
  const asked: (readonly UserPart[])[] = [];
  const askModel = async (question: readonly UserPart[]) => {
    asked.push(question);
    return said;
  };
  const web = loopbackWeb({ 'https://cdn.example': server.url });
  const result = await tool.run(tool.input.parse(input), toolContext({ web, files, sees: true, askModel }));
  return { result, asked };
}

describe('vision_analyze', () => {
  it('shows a file or a page of the web to the model, with the question', async () => {
    await workspace.put('graph.png', PNG);
    for (const image of ['graph.png', 'https://cdn.example/a.png']) {
      const { result, asked } = await look({ image, question: 'Does it rise?' });
      expect(result).toMatchObject({
        content: [{ text: 'A graph that rises.' }],
        data: { mediaType: 'image/png' },
      });
      expect(asked[0]).toEqual([
        { type: 'text', text: 'Does it rise?' },
        { type: 'image', mediaType: 'image/png', data: PNG.toString('base64') },
      ]);
    }
  });

  it('answers with an error for what is no image, missing, or not answered', async () => {
    await workspace.put('a.txt', 'words');
    await workspace.put('b.png', PNG);
    expect((await look({ image: 'a.txt' })).result).toMatchObject({ isError: true });
    expect((await look({ image: 'none.png' })).result.summary).toBe('There is no file none.png.');
    expect((await look({ image: 'https://cdn.example/b.png' })).result.summary).toContain('answered 404');
    expect((await look({ image: 'b.png' }, '')).result.summary).toBe(
      'The model gave no answer about the image.',
    );
  });

  it('is missing where no model sees, and tells the gate where it goes', () => {
    expect(tool.missing?.(toolContext())?.what).toContain('pictures');
    expect(tool.missing?.(toolContext({ sees: true }))).toBeUndefined();
    expect(tool.deed?.({ image: 'https://cdn.example/a.png' })).toEqual({
      sendsTo: ['cdn.example'],
      brings: ['untrusted'],
    });
    expect(tool.deed?.({ image: 'a.png' })).toEqual({ brings: ['untrusted'] });
  });
});
