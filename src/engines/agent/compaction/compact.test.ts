import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageTokens } from '#kit/message-tokens';
import type { StoredMessage } from '#spec/data';
import { textOf } from '#support/engines/agent/scripted-turn';
import { validTranscript } from '#support/engines/agent/valid-transcript';
import {
  anyTalk,
  applied,
  assistant,
  result,
  stored,
  turnOf,
  user,
} from '#support/engines/agent/stored-talk';
import { compact, type Compaction } from './compact.ts';

const tokensOf = (messages: readonly StoredMessage[]) =>
  messages.reduce((sum, { message }) => sum + messageTokens(message), 0);

const talk = (turns: number, size?: number) =>
  stored(Array.from({ length: turns }, (_, i) => turnOf(i + 1, size)).flat());

async function compacted(messages: readonly StoredMessage[], target: number, tail: number) {
  const done = (await compact(messages, { target, tail }, undefined)) as Compaction;
  return { done, after: applied(messages, done) };
}

describe('pruning', () => {
  it('is enough when old results are what fills the window', async () => {
    const messages = talk(10);
    const { done, after } = await compacted(messages, 4_000, 1_200);
    expect(done.how).toBe('pruned');
    expect(after.map(({ message }) => message.role)).toEqual(messages.map(({ message }) => message.role));
    expect(validTranscript(after.map(({ message }) => message))).toEqual([]);
    const pruned = after[10]?.message;
    expect(pruned).toMatchObject({ role: 'tool', callId: 'c3', name: 'read_file', isError: false });
    expect(textOf(pruned)).toMatch(/^\[Result of read_file, 2,010 characters, put away: content 3 x+…\]$/);
    expect(tokensOf(after)).toBe(done.after);
    expect(tokensOf(messages)).toBe(done.before);
  });

  it('leaves the head, the tail and short results alone', async () => {
    const messages = talk(10);
    const { done } = await compacted(messages, 4_000, 1_200);
    const touched = new Set(done.archive);
    const kept = messages.filter(({ id }) => !touched.has(id)).map(({ position }) => position);
    expect(kept).toEqual(expect.arrayContaining([1, 2, 3, 37, 38, 39, 40]));
    expect(done.replace.map(({ position }) => position)).toEqual(
      messages.filter(({ id }) => touched.has(id)).map(({ position }) => position),
    );
    expect((await compact(talk(10, 20), { target: 4_000, tail: 100 }, undefined))?.how).not.toBe('pruned');
  });
});

describe('the digest', () => {
  const long = stored(
    Array.from({ length: 30 }, (_, i) => [
      user(`question ${i} ${'q'.repeat(300)}`),
      assistant('a'.repeat(900)),
    ]).flat(),
  );

  it('takes the place of everything between head and tail', async () => {
    const { done, after } = await compacted(long, 3_000, 800);
    expect(done.how).toBe('digested');
    expect(after.length).toBe(long.length - done.archive.length + 1);
    const at = after.findIndex(({ kind }) => kind === 'digest');
    expect(after.slice(0, at)).toEqual(long.slice(0, at));
    expect(after.slice(at + 1)).toEqual(long.slice(at + done.archive.length));
    expect(textOf(after[at]?.message)).toMatch(/^\[Earlier conversation, shortened; .*\]\nUser: question/);
    expect(tokensOf(after)).toBe(done.after);
  });

  it('is taken up by the next one', async () => {
    const first = await compacted(long, 3_000, 800);
    const more = stored(Array.from({ length: 12 }, (_, i) => turnOf(i + 1, 150)).flat()).map((message) => ({
      ...message,
      id: `later_${message.id}`,
      position: message.position + 1_000,
      turn: message.turn + 1_000,
    }));
    const { done, after } = await compacted([...first.after, ...more], 2_000, 400);
    expect(done.archive).toContain(first.after.find(({ kind }) => kind === 'digest')?.id);
    const digests = after.filter(({ kind }) => kind === 'digest').map(({ message }) => textOf(message));
    expect(digests).toHaveLength(1);
    expect(digests[0]?.match(/Earlier conversation/g)).toHaveLength(1);
    expect(digests[0]).toMatch(/question 2\d q/);
    expect(digests[0]).toContain('src/file1.ts');
  });

  it('makes room inside one long turn and keeps its request word for word', async () => {
    const request = user(`find the leak ${'in detail '.repeat(50)}`);
    const rounds = Array.from({ length: 40 }, (_, i) => turnOf(i, 3_000).slice(1, 3)).flat();
    const messages = stored([...turnOf(99, 10), ...turnOf(98, 4_000), request, ...rounds]);
    for (const target of [20_000, 3_000]) {
      const { done, after } = await compacted(messages, target, 1_000);
      expect(tokensOf(after)).toBeLessThan(tokensOf(messages) / 2);
      expect(after.filter(({ message }) => message === request)).toHaveLength(1);
      expect(validTranscript(after.map(({ message }) => message))).toEqual([]);
      expect(after.slice(-6)).toEqual(messages.slice(-6));
      // What came before the request stays before it, and can be told from the work on it.
      const at = after.findIndex(({ message }) => message === request);
      expect(after.slice(0, at).every(({ turn }) => turn < 3)).toBe(true);
      expect(after.slice(at).every(({ turn }) => turn === 3)).toBe(true);
      expect(done.archive).not.toContain(messages.find(({ message }) => message === request)?.id);
    }
  });

  it('is written by the model when it can', async () => {
    const asked: number[] = [];
    const done = await compact(long, { target: 3_000, tail: 800 }, async (messages, most) => {
      asked.push(messages.length, most);
      return 'Active task: the leak';
    });
    expect(done?.how).toBe('summarised');
    expect(textOf(done?.replace[0]?.message)).toMatch(/\]\nActive task: the leak$/);
    expect(asked).toEqual([done?.archive.length, 750]);
    expect((await compact(long, { target: 3_000, tail: 800 }, async () => undefined))?.how).toBe('digested');
  });
});

describe('no progress', () => {
  it('is told as undefined', async () => {
    expect(await compact([], { target: 100, tail: 10 }, undefined)).toBeUndefined();
    expect(await compact(talk(1), { target: 100, tail: 10 }, undefined)).toBeUndefined();
    const short = stored([user('a'), ...Array.from({ length: 9 }, () => assistant('b'))]);
    expect(await compact(short, { target: 10, tail: 1 }, undefined)).toBeUndefined();
  });

  it('is told when the summary is as long as what it stands for', async () => {
    const messages = talk(8, 150);
    expect(
      await compact(messages, { target: 100, tail: 50 }, async () => 'w'.repeat(40_000)),
    ).toBeUndefined();
  });
});

describe('any conversation', () => {
  it('stays valid, gets smaller, loses nothing and comes to an end', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTalk,
        fc.nat({ max: 6_000 }),
        fc.nat({ max: 2_000 }),
        async (talked, target, tail) => {
          let messages = talked;
          const request = talked.findLast(({ message }) => message.role === 'user');
          for (let round = 0; ; round++) {
            expect(round).toBeLessThan(60);
            const done = await compact(messages, { target, tail }, undefined);
            if (!done) break;
            const after = applied(messages, done);
            const archived = messages.filter(({ id }) => done.archive.includes(id));
            expect(archived).toHaveLength(done.archive.length);
            expect(new Set([...archived, ...after.filter((m) => messages.includes(m))])).toEqual(
              new Set(messages),
            );
            expect(tokensOf(after)).toBeLessThan(tokensOf(messages));
            expect(validTranscript(after.map(({ message }) => message))).toEqual([]);
            expect(after).toContain(request);
            expect(after.slice(0, 1)).toEqual(messages.slice(0, 1));
            expect(after.at(-1)).toBe(messages.at(-1));
            messages = after;
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a result with a picture', () => {
  it('is digested without it', async () => {
    const picture = result('p', 'see', 'x'.repeat(400));
    picture.content.push({ type: 'image', mediaType: 'image/png', data: 'AAAA' } as never);
    const messages = stored([
      ...turnOf(1),
      user('b'),
      assistant('', ['p', 'see', '{}']),
      picture,
      ...talkMessages(6),
    ]);
    const { after } = await compacted(messages, 1_200, 100);
    expect(JSON.stringify(after)).not.toContain('image/png');
  });
});

const talkMessages = (turns: number) => Array.from({ length: turns }, (_, i) => turnOf(i + 20, 100)).flat();
