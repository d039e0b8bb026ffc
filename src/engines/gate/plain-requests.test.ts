import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import type { Action, Requester } from '#spec/data';
import { memoryLedger } from '#testkit/gate';
import { stage } from '#support/engines/gate/gate-stage';
import type { PlainRequest } from './plain-requests.ts';

const HERMES: Requester = {
  caller: 'flow',
  platform: 'incident',
  profile: 'default',
  session: 'inc_1',
  user: 'hermes',
};
const ROLLBACK: Action = {
  tool: 'execute_controlled_action',
  level: 3,
  input: { service: 'payment-service', to: 'v1' },
  shown: 'roll back',
};
const request = (more: Partial<PlainRequest> = {}): PlainRequest => ({
  id: 'apr_1',
  action: ROLLBACK,
  requester: HERMES,
  reasons: [asText('it fails')],
  separate: false,
  waitMs: 1_000,
  ...more,
});
const ANN = { channel: 'console', user: 'ann' };
const YES = { granted: true, by: ANN };

describe('a request that waits for hours', () => {
  it('is the same when it is asked again, and refused for something else under its id', async () => {
    const { gate, kinds } = stage(memoryLedger());
    const first = await gate.ask(request());
    expect(await gate.ask(request())).toEqual(first);
    expect(await kinds()).toEqual(['approval.requested']);
    const other = request({ action: { ...ROLLBACK, input: { service: 'order-service' } } });
    await expect(gate.ask(other)).rejects.toThrow('something else');
  });

  it('is used up once, for exactly what was asked', async () => {
    const { gate } = stage(memoryLedger());
    await gate.ask(request());
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES)).toMatchObject({ allowed: false });
    await gate.decide('apr_1', YES);
    const changed = { ...ROLLBACK, input: { service: 'payment-service', to: 'v0' } };
    expect(await gate.redeem('apr_1', changed, HERMES)).toMatchObject({
      allowed: false,
      reason: { en: expect.stringContaining('not what was agreed to') },
    });
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES)).toEqual({ allowed: true, approval: 'apr_1' });
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES)).toMatchObject({ allowed: false });
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES, { mayBeMine: true })).toMatchObject({
      allowed: true,
    });
  });

  it('does not count after its time, nor when it was denied', async () => {
    let now = 1_000;
    const { gate, kinds } = stage(memoryLedger(), {}, { now: () => now });
    await gate.ask(request());
    now = 2_500;
    await expect(gate.decide('apr_1', YES)).rejects.toThrow('expired');
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES)).toMatchObject({ allowed: false });
    expect(await kinds()).toContain('approval.refused');
    await gate.ask(request({ id: 'apr_2' }));
    await gate.decide('apr_2', { granted: false, by: ANN });
    expect(await gate.redeem('apr_2', ROLLBACK, HERMES)).toMatchObject({ allowed: false });
  });

  it('asks for the word of the second confirmation', async () => {
    const { gate, kinds } = stage(memoryLedger());
    await gate.ask(request({ confirm: 'CONFIRM_EXECUTE' }));
    await expect(gate.decide('apr_1', YES)).rejects.toThrow('CONFIRM_EXECUTE');
    await expect(gate.decide('apr_1', { ...YES, confirmation: 'yes' })).rejects.toThrow('CONFIRM_EXECUTE');
    expect(await gate.pending()).toHaveLength(1);
    expect(await gate.decide('apr_1', { ...YES, confirmation: 'CONFIRM_EXECUTE' })).toMatchObject({
      state: 'granted',
    });
    expect((await kinds()).filter((kind) => kind === 'approval.refused')).toHaveLength(2);
  });

  it('is not granted by who asked for it where somebody else has to, nor by a model', async () => {
    const { gate } = stage(memoryLedger());
    const asked = { ...HERMES, user: 'ann' };
    await gate.ask(request({ requester: asked, separate: true }));
    await expect(gate.decide('apr_1', YES)).rejects.toThrow('Somebody else');
    await gate.ask(request({ id: 'apr_2', requester: { ...HERMES, user: 'feishu:ann' }, separate: true }));
    await expect(
      gate.decide('apr_2', { granted: true, by: { channel: 'feishu', user: 'ann' } }),
    ).rejects.toThrow('Somebody else');
    await expect(
      gate.decide('apr_1', { granted: true, by: { channel: 'model', user: 'x' } }),
    ).rejects.toThrow('person');
    expect(
      await gate.decide('apr_1', { granted: true, by: { channel: 'console', user: 'bob' } }),
    ).toMatchObject({
      state: 'granted',
    });
  });
});

describe('what a person granted beforehand', () => {
  const GRANT = { id: 'degrade-coupons', rule: 'doing without coupons is low risk' };

  it('answers a request at once, stands in the audit log, and is used up like any other', async () => {
    const { gate, kinds } = stage(memoryLedger());
    await gate.ask(request());
    expect(await gate.grantByRule('apr_1', GRANT)).toBeUndefined();
    expect(await gate.grantByRule('apr_1', GRANT)).toBeUndefined();
    expect(await kinds()).toEqual(['approval.requested', 'approval.granted']);
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES)).toMatchObject({ allowed: true });
    expect(await gate.redeem('apr_1', ROLLBACK, HERMES)).toMatchObject({ allowed: false });
  });

  it('does not count where a second person, a second confirmation or a list of approvers is asked for', async () => {
    const { gate } = stage(memoryLedger());
    await gate.ask(request({ separate: true }));
    await gate.ask(request({ id: 'apr_2', confirm: 'CONFIRM_EXECUTE' }));
    for (const id of ['apr_1', 'apr_2'])
      expect(await gate.grantByRule(id, GRANT)).toMatchObject({ en: 'Only a person can agree to this.' });
    expect(await gate.pending()).toHaveLength(2);
    const listed = stage(memoryLedger(), { approvers: ['console:ann'] });
    await listed.gate.ask(request());
    expect(await listed.gate.grantByRule('apr_1', GRANT)).toMatchObject({ en: expect.any(String) as string });
    expect(await listed.gate.redeem('apr_1', ROLLBACK, HERMES)).toMatchObject({ allowed: false });
  });

  it('is nothing that a channel can claim to be', async () => {
    const { gate } = stage(memoryLedger());
    await gate.ask(request());
    const by = { channel: 'grant', user: GRANT.id };
    await expect(gate.decide('apr_1', { granted: true, by })).rejects.toThrow('Only a person');
  });
});
