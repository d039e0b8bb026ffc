import { describe, expect, it } from 'vitest';
import type { OnLedger } from './ledger-contract.ts';
import { sampleRequester } from './samples.ts';

export function describeAuditLog(name: string, on: OnLedger): void {
  describe(`${name}: audit log`, () => {
    it(
      'is sound when it is empty',
      on(async ({ audit }) => {
        expect(await audit.verify()).toMatchObject({ sound: true, entries: 0 });
        expect(await audit.read(0, 10)).toEqual([]);
      }),
    );

    it(
      'numbers and chains what is appended, also at once',
      on(async ({ audit }) => {
        const kinds = Array.from({ length: 20 }, (_, at) => (at % 2 ? 'action.allowed' : 'action.denied'));
        await Promise.all(
          kinds.map((kind, at) => audit.append(kind as 'action.allowed', sampleRequester(), { at })),
        );
        const entries = await audit.read(0, 100);
        expect(entries.map(({ seq }) => seq)).toEqual(kinds.map((_, at) => at + 1));
        expect(entries.slice(1).map(({ previous }) => previous)).toEqual(
          entries.slice(0, -1).map(({ hash }) => hash),
        );
        expect(new Set(entries.map(({ hash }) => hash)).size).toBe(20);
        expect(await audit.verify()).toEqual({
          sound: true,
          breaks: [],
          entries: 20,
          head: entries.at(-1)?.hash,
        });
      }),
    );

    it(
      'gives back what was written, after a number and up to a limit',
      on(async ({ audit }) => {
        const data = { text: 'ü\u{1f600} \u2028 "q"', deep: { list: [1, null, true] }, left: undefined };
        const first = await audit.append('approval.requested', sampleRequester({ user: 'bob' }), data);
        await audit.append('approval.granted', sampleRequester(), {});
        await audit.append('approval.used', sampleRequester(), {});
        expect(first).toMatchObject({ seq: 1, kind: 'approval.requested', requester: { user: 'bob' } });
        const read = await audit.read(0, 1);
        expect(read).toEqual([first]);
        expect((await audit.last(2)).map(({ seq }) => seq)).toEqual([2, 3]);
        expect(await audit.last(9)).toHaveLength(3);
        expect(await audit.last(0)).toEqual([]);
        expect(read[0]?.data).toEqual({ text: data.text, deep: data.deep });
        expect((await audit.read(1, 10)).map(({ kind }) => kind)).toEqual([
          'approval.granted',
          'approval.used',
        ]);
      }),
    );
  });
}
