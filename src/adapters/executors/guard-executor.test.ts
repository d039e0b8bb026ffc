import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import type { Executor } from '#spec/ports';
import { orderOf, sampleAction } from '#testkit/executor-contract';
import { guardExecutor } from './guard-executor.ts';

function recording() {
  const asked: string[] = [];
  const executor: Executor = {
    name: 'recording',
    operations: ['rollback_canary', 'restart_deployment'],
    rehearse: async () => {
      asked.push('rehearse');
      return { allowed: true, preview: 'p', diff: 'd', state: { a: 1 } };
    },
    execute: async () => {
      asked.push('execute');
      return asText('done');
    },
    reconcile: async () => {
      asked.push('reconcile');
      return { found: 'done', detail: asText('') };
    },
  };
  return { asked, executor };
}

const signal = new AbortController().signal;

describe('guardExecutor', () => {
  it('lets through what is on the list', async () => {
    const { asked, executor } = recording();
    const guarded = guardExecutor(executor, {
      operations: ['rollback_canary', 'flush_cache'],
      services: ['payment-service'],
      namespaces: ['prod'],
    });
    expect(guarded.operations).toEqual(['rollback_canary']);
    const action = sampleAction({
      operation: 'rollback_canary',
      service: 'payment-service',
      params: { namespace: 'prod' },
    });
    expect(await guarded.rehearse(action, signal)).toMatchObject({ allowed: true });
    expect(await guarded.execute(action, orderOf('key-1'))).toEqual(asText('done'));
    expect(asked).toEqual(['rehearse', 'execute']);
  });

  it.each([
    [{ operation: 'flush_cache' as const }, "recording cannot do 'flush_cache'."],
    [
      { operation: 'restart_deployment' as const },
      "'restart_deployment' is not on the list of allowed operations.",
    ],
    [{ service: 'order-service' }, "'order-service' is not on the list of allowed services."],
    [
      { params: { deployment: 'order-service' } },
      "'deployment' names something that is not on the list of allowed services.",
    ],
    [
      { params: { namespace: 'kube-system' } },
      "The namespace 'kube-system' is not on the list of allowed namespaces.",
    ],
  ])('shows %j to nobody', async (more, why) => {
    const { asked, executor } = recording();
    const guarded = guardExecutor(executor, {
      operations: ['rollback_canary', 'flush_cache'],
      services: ['payment-service'],
      namespaces: ['prod'],
    });
    const action = sampleAction({ operation: 'rollback_canary', service: 'payment-service', ...more });
    expect(await guarded.rehearse(action, signal)).toMatchObject({
      allowed: false,
      why: { en: why, zh: expect.stringMatching(/[一-鿿]/) },
      diff: '',
      state: {},
    });
    await expect(guarded.execute(action, orderOf('key-1'))).rejects.toMatchObject({
      record: { code: 'input.forbidden', message: `${why} Nothing was done.` },
    });
    expect(asked).toEqual([]);
    expect(await guarded.reconcile(action, 'key-1', {}, signal)).toMatchObject({ found: 'done' });
  });

  it('allows nothing with an empty list', async () => {
    const { executor } = recording();
    const guarded = guardExecutor(executor, { operations: [] });
    const action = sampleAction({ operation: 'rollback_canary', service: 'payment-service' });
    expect(await guarded.rehearse(action, signal)).toMatchObject({ allowed: false });
  });
});
