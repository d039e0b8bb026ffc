import { describe, expect, it } from 'vitest';
import type { Approval } from '#spec/data';
import type { ApprovalStore } from '#spec/ports';
import type { OnLedger } from './ledger-contract.ts';
import { sampleApproval, sampleRequester } from './samples.ts';

const BY = { channel: 'terminal', user: 'ann' } as const;
const ONCE = { granted: true, scope: { kind: 'once' }, by: BY, at: 1_500, expiresAt: 9_000 } as const;
const NO = { ...ONCE, granted: false };
const standing = (kind: 'session' | 'always') => ({ ...ONCE, scope: { kind, prefix: ['git', 'push'] } });

const ids = (approvals: readonly Approval[]) => approvals.map(({ id }) => id);

async function granted(approvals: ApprovalStore, id: string, more: Partial<Approval> = {}): Promise<void> {
  await approvals.add(sampleApproval(id, more));
  expect(await approvals.decide(id, ONCE)).toBe(true);
}

export function describeApprovalStore(name: string, on: OnLedger): void {
  describe(`${name}: approvals`, () => {
    it(
      'gives back what was asked',
      on(async ({ approvals }) => {
        const asked = sampleApproval('a', { prefix: ['git', 'push'], separate: true });
        expect(await approvals.add(asked)).toBe(true);
        expect(await approvals.get('a')).toEqual(asked);
        expect(await approvals.get('b')).toBeUndefined();
      }),
    );

    it(
      'does not take an id twice',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        expect(await approvals.add(sampleApproval('a', { digest: 'other' }))).toBe(false);
        expect(await approvals.get('a')).toMatchObject({ digest: 'd1' });
      }),
    );

    it(
      'lists the newest first, by state, session and digest',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        await approvals.add(sampleApproval('b', { requester: sampleRequester({ session: 's2' }) }));
        await approvals.add(sampleApproval('c', { digest: 'd2' }));
        await approvals.decide('a', NO);
        expect(ids(await approvals.list({ limit: 10 }))).toEqual(['c', 'b', 'a']);
        expect(ids(await approvals.list({ limit: 2 }))).toEqual(['c', 'b']);
        expect(ids(await approvals.list({ limit: 10, session: 's1' }))).toEqual(['c', 'a']);
        expect(ids(await approvals.list({ limit: 10, states: ['pending'] }))).toEqual(['c', 'b']);
        expect(ids(await approvals.list({ limit: 10, states: ['pending', 'denied'], digest: 'd1' }))).toEqual(
          ['b', 'a'],
        );
        expect(await approvals.list({ limit: 10, states: [] })).toEqual([]);
      }),
    );

    it(
      'is decided once, with who and when',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        expect(await approvals.decide('a', ONCE)).toBe(true);
        expect(await approvals.decide('a', NO)).toBe(false);
        expect(await approvals.get('a')).toMatchObject({
          state: 'granted',
          scope: { kind: 'once' },
          decidedAt: 1_500,
          decidedBy: BY,
          expiresAt: 9_000,
        });
        await approvals.add(sampleApproval('b'));
        expect(await approvals.decide('b', NO)).toBe(true);
        expect(await approvals.decide('b', ONCE)).toBe(false);
        const denied = await approvals.get('b');
        expect(denied).toMatchObject({ state: 'denied', decidedBy: BY });
        expect(denied).not.toHaveProperty('scope');
        expect(await approvals.decide('nobody', ONCE)).toBe(false);
      }),
    );

    it(
      'lets one of many decide',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        const all = await Promise.all(
          Array.from({ length: 8 }, (_, at) => approvals.decide('a', at % 2 ? ONCE : NO)),
        );
        expect(all.filter(Boolean)).toHaveLength(1);
      }),
    );

    it(
      'cannot be decided when its time is over',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        expect(await approvals.decide('a', { ...ONCE, at: 2_000 })).toBe(false);
        expect(await approvals.decide('a', { ...ONCE, at: 1_999 })).toBe(true);
      }),
    );

    it(
      'is used once, for its digest, while the grant holds',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        expect(await approvals.use('a', 'd1', 1_600)).toBe(false);
        await approvals.decide('a', ONCE);
        expect(await approvals.use('a', 'd2', 1_600)).toBe(false);
        expect(await approvals.use('a', 'd1', 9_000)).toBe(false);
        const all = await Promise.all(Array.from({ length: 5 }, () => approvals.use('a', 'd1', 1_600)));
        expect(all.filter(Boolean)).toHaveLength(1);
        expect(await approvals.get('a')).toMatchObject({ state: 'used', usedAt: 1_600 });
        await approvals.add(sampleApproval('b'));
        await approvals.decide('b', NO);
        expect(await approvals.use('b', 'd1', 1_600)).toBe(false);
      }),
    );

    it(
      'expires only from pending and only in time, and is withdrawn before it is used',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        expect(await approvals.end('a', 'expired', 1_999)).toBe(false);
        expect(await approvals.end('a', 'expired', 2_000)).toBe(true);
        expect(await approvals.decide('a', ONCE)).toBe(false);
        await granted(approvals, 'b');
        expect(await approvals.end('b', 'expired', 99_999)).toBe(false);
        expect(await approvals.end('b', 'withdrawn', 1_600)).toBe(true);
        expect(await approvals.use('b', 'd1', 1_700)).toBe(false);
        await granted(approvals, 'c');
        await approvals.use('c', 'd1', 1_600);
        expect(await approvals.end('c', 'withdrawn', 1_700)).toBe(false);
        await approvals.add(sampleApproval('d'));
        expect(await approvals.end('d', 'withdrawn', 1_100)).toBe(true);
        expect(await approvals.get('d')).toMatchObject({ state: 'withdrawn' });
      }),
    );

    it(
      'stands for a session, or for one person of a profile and platform',
      on(async ({ approvals }) => {
        for (const id of ['session', 'always', 'once', 'withdrawn']) await approvals.add(sampleApproval(id));
        await approvals.decide('session', standing('session'));
        await approvals.decide('always', standing('always'));
        await approvals.decide('once', ONCE);
        await approvals.decide('withdrawn', standing('always'));
        await approvals.end('withdrawn', 'withdrawn', 1_600);
        const holds = async (more: Parameters<typeof sampleRequester>[0], at = 1_600) =>
          ids(await approvals.standing(sampleRequester(more), at)).toSorted();
        expect(await holds({})).toEqual(['always', 'session']);
        expect(await holds({ session: 's2' })).toEqual(['always']);
        expect(await holds({ platform: 'slack' })).toEqual(['session']);
        expect(await holds({ user: 'bob' })).toEqual([]);
        expect(await holds({ profile: 'work' })).toEqual([]);
        expect(await holds({}, 9_000)).toEqual([]);
      }),
    );

    it(
      'does not use up what stands',
      on(async ({ approvals }) => {
        await approvals.add(sampleApproval('a'));
        await approvals.decide('a', standing('session'));
        expect(await approvals.use('a', 'd1', 1_600)).toBe(false);
        expect(ids(await approvals.standing(sampleRequester(), 1_700))).toEqual(['a']);
      }),
    );
  });
}
