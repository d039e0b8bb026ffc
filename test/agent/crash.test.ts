import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredMessage } from '#spec/data';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { ended, makeWorkplace, turn, type Workplace } from './workplace.ts';

const KILLS = 8;
const CHILD = join(import.meta.dirname, 'crash-child.ts');

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({
    script: {
      rules: [
        {
          when: { afterTool: 'write_file' },
          reply: { text: `Done. ${'abcdefghij '.repeat(30)}`, chunk: 7, delayMs: 1 },
        },
        {
          when: { contains: 'go on' },
          reply: {
            text: `Working. ${'0123456789 '.repeat(20)}`,
            chunk: 7,
            delayMs: 1,
            toolCalls: [
              { name: 'read_file', arguments: { path: 'notes.txt' } },
              { name: 'write_file', arguments: { path: 'out.txt', content: 'x'.repeat(2_000) } },
            ],
          },
        },
      ],
      fallback: { text: 'Still here.' },
    },
  });
});
afterAll(() => server.close());

/** Lets a process talk and kills it without warning; gives what it had shown. */
function talkAndDie(place: Workplace, session: string, ms: number): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CHILD, place.home, place.cwd, session], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let shown = '';
    child.stdout.on('data', (data) => {
      if (!shown) setTimeout(() => child.kill('SIGKILL'), ms);
      shown += String(data);
    });
    child.on('close', () => resolve(shown));
  });
}

function openCalls(messages: readonly StoredMessage[]): string[] {
  const answered = new Set(
    messages.flatMap(({ message }) => (message.role === 'tool' ? [message.callId] : [])),
  );
  return messages.flatMap(({ message }) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) =>
          part.type === 'tool_call' && !answered.has(part.id) ? [part.id] : [],
        )
      : [],
  );
}

describe('kill -9 in the middle of a turn, a tool call and a write', () => {
  it('loses nothing that was shown, and the conversation goes on', async () => {
    const place = await makeWorkplace(server, 'anthropic_messages');
    let session = '';
    for (let i = 0; i < KILLS; i++) {
      const shown = await talkAndDie(place, session, 3 + ((i * 37) % 140));
      session = /^session (\S+)$/m.exec(shown)?.[1] ?? session;
      const host = await place.open();
      const conversation = await place.talk(host, { latest: true });
      expect(conversation.session.id).toBe(session);
      const messages = await conversation.messages();
      const stored = messages
        .map(({ message }) => message.content.map((part) => ('text' in part ? part.text : '')).join(''))
        .join('\n');
      for (const line of shown.split('\n').filter((text) => text && !/^(session|tool) /.test(text)))
        expect(stored).toContain(line);
      for (const [, call] of shown.matchAll(/^tool (\S+)$/gm))
        expect(JSON.stringify(messages)).toContain(call);
      expect(openCalls(messages)).toEqual([]);
      expect((await (await host.database()).check()).problems).toEqual([]);
      expect(ended(await turn(conversation, 'are you there?'))).toBe('done');
      await host.close();
    }
    await place.remove();
  }, 120_000);
});
