import { describe, expect, it } from 'vitest';
import { memoryLedger } from '#testkit/gate';
import {
  ANN,
  answering,
  BOX,
  NEVER,
  NO,
  requestFor,
  type Run,
  runFor,
  sampleTool,
  type Stage,
  stage,
  terminal,
  YES,
} from '#support/engines/gate/gate-stage';
import { RESTARTING } from './settle-request.ts';
import type { CommandPlace, PermitRequest } from './assess.ts';

const BOB = { channel: 'slack', user: 'bob' } as const;

/** Leaves behind a grant that nobody has used, as a process does that was stopped while it waited. */
async function grantedBefore({ gate }: Pick<Stage, 'gate'>, request: PermitRequest): Promise<string> {
  const stop = new AbortController();
  const permit = gate.permit(request, answering(undefined), stop.signal);
  await expect.poll(() => gate.pending()).toHaveLength(1);
  const id = (await gate.pending())[0]?.id ?? '';
  stop.abort(RESTARTING);
  await permit;
  await gate.decide(id, { ...YES, by: BOB });
  return id;
}

const RUN: Run = { text: 'make deploy', cwd: '/w', env: { A: '1' }, background: false };
const elsewhere = (place: Partial<CommandPlace>) => ({ place: () => ({ ...BOX, ...place }) });

describe('an approval', () => {
  it('is found after a restart by the same call, and used once', async () => {
    const ledger = memoryLedger();
    const id = await grantedBefore(stage(ledger), runFor(RUN));
    const { gate, kinds } = stage(ledger);
    expect(await gate.permit(runFor(RUN, { call: 'c2' }), undefined, NEVER)).toEqual({
      allowed: true,
      approval: id,
    });
    expect(await gate.permit(runFor(RUN), undefined, NEVER)).toMatchObject({ allowed: false });
    expect(await kinds()).toEqual([
      'approval.requested',
      'approval.granted',
      'approval.used',
      'action.denied',
    ]);
  });

  it('is not asked for twice when the call comes back while it waits', async () => {
    const ledger = memoryLedger();
    const stop = new AbortController();
    const before = stage(ledger).gate.permit(runFor(RUN), answering(undefined), stop.signal);
    const { gate } = stage(ledger);
    await expect.poll(() => gate.pending()).toHaveLength(1);
    stop.abort(RESTARTING);
    await before;
    const channel = answering(YES);
    expect(await gate.permit(runFor(RUN), channel, NEVER)).toMatchObject({ allowed: true });
    expect(await ledger.approvals.list({ limit: 10 })).toHaveLength(1);
  });

  it.each<[string, PermitRequest]>([
    ['one byte of the text', runFor({ ...RUN, text: 'make deplox' })],
    ['a trailing space', runFor({ ...RUN, text: 'make deploy ' })],
    ['a letter that looks the same', runFor({ ...RUN, text: 'make dерloy' })],
    ['the folder', runFor({ ...RUN, cwd: '/w/sub' })],
    ['the folder that the shell stands in', runFor({ ...RUN, cwd: 'sub' })],
    ['the environment', runFor({ ...RUN, env: { A: '2' } })],
    ['a variable more', runFor({ ...RUN, env: { A: '1', B: '' } })],
    ['the backend', runFor(RUN, elsewhere({ backend: 'prod' }))],
    ['the isolation', runFor(RUN, elsewhere({ isolation: 'none' }))],
    ['running on', runFor({ ...RUN, background: true })],
    ['the tool', requestFor({ ...terminal, name: 'other' }, RUN)],
    ['another argument', runFor({ ...RUN, note: 'x' } as Run)],
    ...(['caller', 'platform', 'profile', 'session', 'user'] as const).map(
      (field): [string, PermitRequest] => [
        `the requester's ${field}`,
        runFor(RUN, { requester: { ...ANN, [field]: field === 'caller' ? 'cron' : 'other' } }),
      ],
    ),
  ])('does not hold when %s differs', async (_, request) => {
    const ledger = memoryLedger();
    const id = await grantedBefore(stage(ledger), runFor(RUN));
    expect(await stage(ledger).gate.permit(request, undefined, NEVER)).toMatchObject({ allowed: false });
    expect(await ledger.approvals.get(id)).toMatchObject({ state: 'granted' });
  });

  it('does not hold for what became of a call while it waited', async () => {
    const { gate, ledger } = stage(memoryLedger());
    const input = { text: 'make test' };
    const mutating = {
      ...answering(YES),
      show: async () => {
        input.text = 'make deploy';
        return YES;
      },
    };
    expect(await gate.permit(runFor(input), mutating, NEVER)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('not what was agreed to') as string,
    });
    let cwd = '/w';
    const moving = { ...answering(YES), show: async () => ((cwd = '/other'), YES) };
    const place = async () => ({ ...BOX, cwd });
    expect(await gate.permit(runFor('make test', { place }), moving, NEVER)).toMatchObject({
      allowed: false,
    });
    expect(await ledger.approvals.list({ states: ['used'], limit: 10 })).toEqual([]);
  });

  it('runs one of two calls that are the same, and asks for each', async () => {
    const { gate } = stage(memoryLedger());
    const [first, second] = [answering(YES), answering(NO)];
    const permits = await Promise.all([
      gate.permit(runFor(RUN), first, NEVER),
      gate.permit(runFor(RUN), second, NEVER),
    ]);
    expect(permits.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(first.asked[0]?.id).not.toBe(second.asked[0]?.id);
  });

  it('does not answer a second call while the first one waits for it', async () => {
    const { gate } = stage(memoryLedger());
    const first = gate.permit(runFor(RUN), answering(undefined), NEVER);
    await expect.poll(() => gate.pending(), { interval: 5 }).toHaveLength(1);
    const [waiting] = await gate.pending();
    const second = answering(NO);
    expect(await gate.permit(runFor(RUN), second, NEVER)).toMatchObject({ allowed: false });
    expect(second.asked[0]?.id).not.toBe(waiting?.id);
    await gate.decide(waiting?.id ?? '', { ...YES, by: BOB });
    expect(await first).toEqual({ allowed: true, approval: waiting?.id });
  });

  it('holds for a while', async () => {
    let now = 1_000;
    const ledger = memoryLedger();
    const clock = { now: () => now };
    const policy = { grantMs: { once: 60_000, session: 1, always: 1 } };
    await grantedBefore(stage(ledger, policy, clock), runFor(RUN));
    now += 60_000;
    expect(await stage(ledger, policy, clock).gate.permit(runFor(RUN), undefined, NEVER)).toMatchObject({
      allowed: false,
    });
  });

  it('does not hold where the rules have changed so that another person has to agree', async () => {
    const ledger = memoryLedger();
    await grantedBefore(stage(ledger), runFor(RUN));
    const { gate } = stage(ledger, { approvers: ['slack:eve'] });
    expect(await gate.permit(runFor(RUN), undefined, NEVER)).toMatchObject({
      allowed: false,
      reason: 'bob may not agree to this.',
    });
  });

  it('can be taken back before it is used', async () => {
    const ledger = memoryLedger();
    const { gate, kinds } = stage(ledger);
    const id = await grantedBefore({ gate }, runFor(RUN));
    expect(await gate.revoke(id, BOB)).toBe(true);
    expect(await gate.revoke(id, BOB)).toBe(false);
    expect(await gate.permit(runFor(RUN), undefined, NEVER)).toMatchObject({ allowed: false });
    expect((await kinds()).at(-2)).toBe('approval.withdrawn');
  });

  it('shows what a person has to see, and no secret', async () => {
    const { gate, entries } = stage(
      memoryLedger(),
      {},
      { redact: (text) => text.replaceAll('hunter2', '[redacted]') },
    );
    const channel = answering(NO);
    const text = 'make \u202edeploy\r hunter2';
    await gate.permit(runFor({ text, env: { KEY: 'hunter2' }, background: true }), channel, NEVER);
    expect(channel.asked[0]?.action.shown).toBe(
      'make ⟪U+202E⟫deploy⟪U+000D⟫ [redacted]\nin /w on box\nwith KEY=[redacted]\nleft running',
    );
    expect(JSON.stringify(await entries())).not.toContain('hunter2');
  });

  it('says how much of a long call is not shown', async () => {
    const { gate } = stage(memoryLedger());
    const channel = answering(NO);
    await gate.permit(requestFor(sampleTool('t', 3), { text: 'x'.repeat(9_000) }), channel, NEVER);
    expect(channel.asked[0]?.action.shown).toMatch(/characters left out/);
    expect(channel.asked[0]?.action.shown.length).toBeLessThanOrEqual(4_000);
  });
});
