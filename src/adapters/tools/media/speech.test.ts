import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, Tool } from '#spec/ports';
import { type LoopbackServer, loopbackWeb, mediaService, MP3, startLoopback } from '#testkit/web';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool as speak } from './text-to-speech.ts';
import { tool as transcribe } from './transcribe.ts';

let server: LoopbackServer;
let workspace: TemporaryWorkspace;
let files: Files;
beforeEach(async () => {
  server = await startLoopback(mediaService('sk-right-key'));
  workspace = await temporaryWorkspace();
  files = localFiles({ root: workspace.root, protectedPaths: [] });
});
afterEach(async () => {
  await server.close();
  await workspace.close();
});

async function use(
  tool: Tool,
  input: object,
  keys: Record<string, string> = { OPENAI_API_KEY: 'sk-right-key' },
) {
  const kept: Uint8Array[] = [];
  const web = loopbackWeb({
    'https://api.openai.com': server.url,
    'http://voice.lan:9000': server.url,
    'https://cdn.example': server.url,
  });
  const keep = async (name: string, bytes: Uint8Array) => {
    kept.push(bytes);
    return `/kept/${name}`;
  };
  const context = toolContext({ web, files, keep, key: (name) => keys[name] });
  return { result: await tool.run(tool.input.parse(input), context), kept };
}

describe('text_to_speech', () => {
  it('speaks a text and keeps the sound', async () => {
    const { result, kept } = await use(speak, { text: 'Payments are down.', format: 'opus' });
    expect(result.data).toMatchObject({ path: '/kept/speech.opus', bytes: MP3.length });
    expect(kept[0] && Buffer.from(kept[0])).toEqual(MP3);
    expect(server.requests[0]?.json()).toMatchObject({ voice: 'alloy', response_format: 'opus' });
  });

  it('answers with an error when no sound comes', async () => {
    for (const text of ['EMPTY', 'BROKEN', 'BUSY']) {
      const { result, kept } = await use(speak, { text });
      expect(result).toMatchObject({ isError: true });
      expect(kept).toEqual([]);
    }
  });
});

describe('transcribe', () => {
  it('sends a file as a form and gives the words', async () => {
    await workspace.put('calls/stand up.mp3', MP3);
    const { result } = await use(transcribe, { audio: 'calls/stand up.mp3', language: 'de' });
    expect(result.content).toEqual([
      { type: 'text', text: `${MP3.length} bytes of de speech in stand_up.mp3` },
    ]);
  });

  it('asks a service of the own without a key', async () => {
    await workspace.put('a.mp3', MP3);
    const { result } = await use(
      transcribe,
      { audio: 'a.mp3' },
      { AUDIO_BASE_URL: 'http://voice.lan:9000/v1' },
    );
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(result.content)).toContain('Check AUDIO_BASE_URL and AUDIO_API_KEY');
  });

  it('answers with an error for files that are missing, too large or of the wrong kind', async () => {
    expect((await use(transcribe, { audio: 'none.mp3' })).result.summary).toBe('There is no file none.mp3.');
    await workspace.put('a.pdf', '%PDF-');
    expect((await use(transcribe, { audio: 'a.pdf' })).result.summary).toContain('Unrecognized file format');
    const gone = await use(transcribe, { audio: 'https://cdn.example/v1/gone.mp3' });
    expect(gone.result.summary).toBe('https://cdn.example/v1/gone.mp3 answered 401.');
  });

  it('tells the gate where the sound goes', () => {
    expect(transcribe.deed?.({ audio: 'https://cdn.example/a.mp3' })).toEqual({
      sendsTo: ['speech service', 'cdn.example'],
      brings: ['untrusted'],
    });
    expect(transcribe.missing?.(toolContext())?.fix).toContain('AUDIO_BASE_URL');
  });
});
