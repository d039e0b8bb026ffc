import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { scriptedConversation } from '#support/cli/chat/scripted-conversation';
import type { CliContext } from '../command.ts';
import { texts } from '../text/index.ts';
import { runPlainChat } from './plain-chat.ts';

async function chat(input: string, person = false) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let out = '';
  let err = '';
  stdout.on('data', (data) => (out += String(data)));
  stderr.on('data', (data) => (err += String(data)));
  const context = {
    text: texts.en,
    signal: new AbortController().signal,
    stdin,
    stdout,
    stderr,
  } as unknown as CliContext;
  Object.assign(stdin, { isTTY: person });
  stdin.end(input);
  const code = await runPlainChat(scriptedConversation(), context);
  return { out, err, code };
}

describe('runPlainChat', () => {
  it('answers every line, also the last one without its end', async () => {
    const { out, err, code } = await chat('echo one\n\necho two');
    expect(out).toBe(
      'heard 1 lines, first «echo one», last «echo one»\nheard 1 lines, first «echo two», last «echo two»\n',
    );
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it('keeps calls and notices off standard output', async () => {
    const { out, err } = await chat('tools\n');
    expect(out).toBe('Looking at three places.\n\nAll three are done.\n');
    expect(err).toContain('✓ read_file src/checkout.ts (120 lines, 400 ms)\n');
  });

  it('leaves with the status of the last turn', async () => {
    const failed = await chat('echo x\nfail\n');
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('Rate limited (openai/gpt-5, HTTP 429)');
    expect((await chat('fail\necho x\n')).code).toBe(0);
  });

  it('runs commands, and leaves when one says so', async () => {
    const { out } = await chat('/help\n/quit\necho never\n');
    expect(out).toBe('ran **/help**\n');
  });

  it('asks before a command that wants a yes, and asks nobody in a pipe', async () => {
    expect((await chat('/new\n2\n', true)).out).toBe('ran **/new**\nran **/title yes**\n');
    expect((await chat('/new\n1\n', true)).out).toBe('ran **/new**\n');
    expect((await chat('/new\n', true)).out).toBe('ran **/new**\n');
    expect((await chat('/new\n')).out).toBe('ran **/new**\n');
  });

  it('writes nothing that a terminal would obey', async () => {
    const { out, err } = await chat('evil\n');
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});
