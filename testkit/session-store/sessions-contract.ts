import { describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import { sampleEntry, sampleSession } from './samples.ts';
import type { OnStorage } from './session-store-contract.ts';

const PREFIX = {
  system: [{ text: 'You are Hermes.\n"quoted" 你好 \u2028', cache: '1h' as const }],
  tools: [{ name: 'read', description: 'Reads a file', input: { type: 'object', b: 1, a: [2] } }],
};

export function describeSessions(name: string, on: OnStorage): void {
  describe(`${name}: sessions`, () => {
    it(
      'gives back a session and its prefix to the byte',
      on(async ({ sessions }) => {
        const session = sampleSession('s1', {
          title: 'Pool',
          parent: { id: 's0', seq: 4 },
          model: 'a/b',
          cwd: '/srv',
        });
        await sessions.create(session, PREFIX);
        const found = await sessions.get('s1');
        expect(found?.session).toEqual(session);
        expect(JSON.stringify(found?.prefix)).toBe(JSON.stringify(PREFIX));
        expect(await sessions.get('s2')).toBeUndefined();
      }),
    );

    it(
      'refuses an id that is taken and keeps the first',
      on(async ({ sessions }) => {
        await sessions.create(sampleSession('s1', { title: 'first' }), PREFIX);
        await expect(
          sessions.create(sampleSession('s1', { title: 'second' }), PREFIX),
        ).rejects.toBeInstanceOf(AppError);
        expect((await sessions.get('s1'))?.session.title).toBe('first');
      }),
    );

    it(
      'lists the newest first, of one audience, before a time, up to a limit',
      on(async ({ sessions }) => {
        for (const [id, updatedAt, user] of [
          ['a', 3, 'ann'],
          ['b', 1, 'bob'],
          ['c', 2, 'ann'],
          ['d', 4, 'bob'],
        ] as const) {
          await sessions.create(sampleSession(id, { updatedAt, user }), PREFIX);
        }
        const ids = async (filter: Parameters<typeof sessions.list>[0]) =>
          (await sessions.list(filter)).map(({ id }) => id);
        expect(await ids({})).toEqual(['d', 'a', 'c', 'b']);
        expect(await ids({ audience: { user: 'ann' } })).toEqual(['a', 'c']);
        expect(await ids({ audience: { user: 'ann', chat: 'elsewhere' } })).toEqual([]);
        expect(await ids({ before: 3 })).toEqual(['c', 'b']);
        expect(await ids({ limit: 1 })).toEqual(['d']);
      }),
    );

    it(
      'finds by a part of the title or the beginning of the id, taking nothing for a pattern',
      on(async ({ sessions }) => {
        await sessions.create(sampleSession('ses_abc', { title: 'Pool 100% exhausted' }), PREFIX);
        await sessions.create(sampleSession('ses_abd', { title: '支付 回滚' }), PREFIX);
        const ids = async (text: string) => (await sessions.list({ text })).map(({ id }) => id);
        expect(await ids('pool')).toEqual(['ses_abc']);
        expect(await ids('回滚')).toEqual(['ses_abd']);
        expect(await ids('ses_abd')).toEqual(['ses_abd']);
        expect(await ids('abd')).toEqual([]);
        expect(await ids('0% e')).toEqual(['ses_abc']);
        expect(await ids('P_ol')).toEqual([]);
      }),
    );

    it(
      'changes what is named and nothing else',
      on(async ({ sessions }) => {
        await sessions.create(sampleSession('s1', { model: 'a/b' }), PREFIX);
        await sessions.update('s1', { title: 'New' });
        expect((await sessions.get('s1'))?.session).toEqual(
          sampleSession('s1', { model: 'a/b', title: 'New' }),
        );
        await expect(sessions.update('s2', { title: 'New' })).rejects.toMatchObject({
          record: { code: 'input.invalid' },
        });
      }),
    );

    it(
      'removes sessions with their messages, facts and entries',
      on(async ({ sessions, transcript, index }) => {
        for (const id of ['s1', 's2']) {
          await sessions.create(sampleSession(id), PREFIX);
          await transcript.append(
            id,
            [sampleEntry(`${id} m1`, 'pool')],
            [{ type: 'turn.started', at: 1, data: {} }],
          );
          const fields = { text: 'pool', speaker: '', previous: '', next: '', date: '' };
          await index.put([{ id: `${id} m1`, session: id, fields }]);
        }
        expect(await sessions.remove(['s1', 's1', 'unknown'])).toBe(1);
        expect(await sessions.get('s1')).toBeUndefined();
        expect(await transcript.read('s1')).toEqual([]);
        expect(await transcript.facts('s1', 0, 10)).toEqual([]);
        const weights = { text: 1, speaker: 1, previous: 1, next: 1, date: 1 };
        expect((await index.query(['pool'], weights, {}, 10)).map(({ id }) => id)).toEqual(['s2 m1']);
        expect(await index.frequencies(['pool'])).toEqual({ counts: [1], total: 1 });
        expect((await sessions.get('s2'))?.prefix).toEqual(PREFIX);
      }),
    );
  });
}
