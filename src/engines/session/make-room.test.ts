import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import { script, scriptedTalk } from '#support/engines/session/scripted-conversation';
import { COMPACTION, type CompactionSettings } from './make-room.ts';

/** About 750 tokens each, in a window that leaves messages some 19,000. */
const question = (i: number) => `question ${i} ${'word '.repeat(600)}`;

/** The number of the message that was compacted for, or undefined when none was. */
async function firstCompaction(settings: Partial<CompactionSettings>, turns = 40) {
  const talk = await scriptedTalk([], {
    compaction: { ...COMPACTION, ...settings },
    info: { protocol: 'local' },
  });
  for (let i = 1; i <= turns; i++) {
    const { events } = await talk.send(question(i));
    if (events.some(({ type }) => type === 'context.compacted')) return { at: i, talk };
  }
  return undefined;
}

describe('when a conversation is compacted', () => {
  it('follows a share of the window', async () => {
    const early = await firstCompaction({ threshold: 0.3 });
    const late = await firstCompaction({ threshold: 0.9 });
    expect(early?.at).toBeGreaterThan(4);
    expect(late?.at).toBeGreaterThan((early?.at ?? 0) * 2);
  });

  it('follows a number of tokens, and never lets the window overflow for it', async () => {
    expect((await firstCompaction({ threshold: 4_000 }))?.at).toBeLessThan(9);
    expect((await firstCompaction({ threshold: 1_000_000 }))?.at).toBeLessThan(30);
  });

  it('is never before a refusal where it is switched off', async () => {
    expect(await firstCompaction({ enabled: false })).toBeUndefined();
  });

  it('leaves the newest messages as they are', async () => {
    const kept = async (keepLast: number) => {
      const done = await firstCompaction({ threshold: 0.75, keepLast });
      const messages = (await done?.talk.talk.messages()) ?? [];
      return messages.length - messages.findIndex(({ kind }) => kind === 'digest') - 1;
    };
    const [few, many] = [await kept(0), await kept(8)];
    expect(many).toBeGreaterThan(few);
    expect(many).toBeGreaterThanOrEqual(8);
  });
});

describe('who writes the summary', () => {
  const long = async (compaction: CompactionSettings) => {
    const talk = await scriptedTalk(
      Array.from({ length: 20 }, () => 'by the one that answers'),
      { compaction },
    );
    for (let i = 0; i < 9; i++) await talk.send(question(i));
    const { events } = await talk.send('and now?');
    await talk.command('/compress');
    const digest = (await talk.talk.messages()).find(({ kind }) => kind === 'digest');
    return { digest: JSON.stringify(digest), notices: events.filter(({ type }) => type === 'notice') };
  };

  it('is the model that is named for it', async () => {
    const writer = script(['by the other one']);
    const { digest } = await long({ ...COMPACTION, threshold: 4_000, writer: async () => writer });
    expect(writer.requests.length).toBeGreaterThan(0);
    expect(digest).not.toContain('by the one that answers\\"');
  });

  it('is the one that answers where the other cannot be had', async () => {
    const { digest } = await long({
      ...COMPACTION,
      threshold: 4_000,
      writer: () => Promise.reject(fail('model.unconfigured', 'it has no key')),
    });
    expect(digest).toContain('by the one that answers');
  });
});
