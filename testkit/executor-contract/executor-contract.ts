import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import { UncertainEffect } from '#kit/uncertain-effect';
import type { ProposedAction, Rehearsal } from '#spec/data';
import { Rehearsal as RehearsalRecord } from '#spec/data';
import type { Executor, Probeable } from '#spec/ports';
import { orderOf } from './order.ts';

export interface ExecutorUnderTest {
  readonly executor: Executor & Probeable;
  /** Something that can be done to the target as it is. */
  readonly action: ProposedAction;
  /** Another executor of the same target, as another process would open it. */
  readonly reopen: () => Promise<Executor>;
  /** Everything of the target that actions can change, as text. */
  look(): Promise<string>;
  /** How many effects the target has carried out. */
  effects(): Promise<number>;
  /** Somebody else changes what the action touches, so that the action is still possible. */
  disturb(): Promise<void>;
  /** The next effect happens, and its answer is lost. Absent where no answer can be lost. */
  loseAnswer?(): void;
  /** The next effect is broken off before it happens, after it was sent. */
  loseRequest?(): void;
  /** The target cannot be asked from now on. */
  vanish(): Promise<void>;
  /** What must not be seen in anything that the executor says. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

export interface ExecutorTraits {
  /** Whether the target keeps fences. */
  readonly fences: boolean;
}

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => expect.fail(`it was expected to throw, and gave ${String(value)}`),
    (thrown: unknown) => thrown,
  );

/** What every executor must do, whatever it drives. */
export function executorContract(
  name: string,
  open: () => Promise<ExecutorUnderTest>,
  traits: ExecutorTraits,
): void {
  let test: ExecutorUnderTest;
  const signal = new AbortController().signal;
  const rehearse = () => test.executor.rehearse(test.action, signal);
  const reconcile = async (key: string, before: Rehearsal['state']) =>
    (await (await test.reopen()).reconcile(test.action, key, before, signal)).found;

  describe(`${name}: the contract of Executor`, () => {
    beforeEach(async () => {
      test = await open();
    });
    afterEach(() => test.close());

    it('rehearses without changing anything, and the same each time', async () => {
      const before = await test.look();
      const first = await rehearse();
      expect(RehearsalRecord.parse(first)).toMatchObject({ allowed: true });
      expect(first.preview).not.toBe('');
      expect(first.diff).toMatch(/^[-+]/m);
      expect(Object.keys(first.state)).not.toEqual([]);
      expect(await rehearse()).toEqual(first);
      expect(await test.look()).toBe(before);
      expect(await test.effects()).toBe(0);
    });

    it('shows in a rehearsal what somebody else has changed', async () => {
      const first = await rehearse();
      await test.disturb();
      const second = await rehearse();
      expect(second.allowed).toBe(true);
      expect(second.state).not.toEqual(first.state);
      expect(second.diff).not.toBe(first.diff);
    });

    it('does it once for a key, however often it is asked', async () => {
      const before = await test.look();
      const order = orderOf('key-1');
      expect(await test.executor.execute(test.action, order)).not.toBe('');
      const after = await test.look();
      expect(after).not.toBe(before);
      expect(await test.executor.execute(test.action, order)).not.toBe('');
      expect(await test.look()).toBe(after);
      expect(await test.effects()).toBe(1);
    });

    it('does it once when it is asked at the same time, also through another process', async () => {
      const other = await test.reopen();
      const asked = [test.executor, other, test.executor, other].map((executor) =>
        executor.execute(test.action, orderOf('key-1')),
      );
      await Promise.allSettled(asked);
      expect(await test.effects()).toBe(1);
      expect(await test.executor.execute(test.action, orderOf('key-1'))).not.toBe('');
      expect(await test.effects()).toBe(1);
    });

    it('finds out that it was done, and that it was not', async () => {
      const { state } = await rehearse();
      expect(await reconcile('key-1', state)).toBe('not_done');
      await test.executor.execute(test.action, orderOf('key-1', { expects: state }));
      expect(await reconcile('key-1', state)).toBe('done');
      expect(await test.effects()).toBe(1);
    });

    it('does not call a lost answer a refusal, and finds out afterwards', async (context) => {
      if (!test.loseAnswer) return context.skip('no answer of this target can be lost');
      const { state } = await rehearse();
      test.loseAnswer();
      const thrown = await caught(test.executor.execute(test.action, orderOf('key-1')));
      expect(thrown).toBeInstanceOf(UncertainEffect);
      expect(await reconcile('key-1', state)).toBe('done');
      expect(await test.effects()).toBe(1);
    });

    it('does not call a request that was cut off a refusal either, and finds that nothing happened', async (context) => {
      if (!test.loseRequest) return context.skip('no request to this target can be cut off');
      const { state } = await rehearse();
      test.loseRequest();
      const thrown = await caught(test.executor.execute(test.action, orderOf('key-1')));
      expect(thrown).toBeInstanceOf(UncertainEffect);
      expect(await reconcile('key-1', state)).toBe('not_done');
      expect(await test.effects()).toBe(0);
    });

    it('is asked itself by its probe, without an effect', async () => {
      const before = await test.look();
      expect(await test.executor.probe(signal)).toMatchObject({ state: 'reached' });
      expect(await test.look()).toBe(before);
      expect(await test.effects()).toBe(0);
      await test.vanish();
      const thrown = await caught(test.executor.probe(signal));
      expect(thrown).toBeInstanceOf(AppError);
      for (const secret of test.secrets)
        expect(JSON.stringify((thrown as AppError).record)).not.toContain(secret);
    });

    it('says that it cannot tell when the target cannot be asked', async () => {
      const { state } = await rehearse();
      await test.vanish();
      expect(await reconcile('key-1', state)).toBe('unknown');
      expect(await caught(rehearse())).toBeInstanceOf(AppError);
      expect(await caught(test.executor.execute(test.action, orderOf('key-1')))).toBeInstanceOf(AppError);
    });

    it('does nothing when the target is not in the state that was agreed to', async () => {
      const { state } = await rehearse();
      await test.disturb();
      const before = await test.look();
      const thrown = await caught(test.executor.execute(test.action, orderOf('key-1', { expects: state })));
      expect(thrown).toMatchObject({ record: { code: 'input.conflict' } });
      expect(await test.look()).toBe(before);
    });

    it('does nothing when it is no longer ours right before the effect', async () => {
      const before = await test.look();
      let asked = 0;
      const stillMine = () => {
        asked += 1;
        return Promise.resolve(false);
      };
      const thrown = await caught(test.executor.execute(test.action, orderOf('key-1', { stillMine })));
      expect(thrown).toBeInstanceOf(AppError);
      expect(asked).toBe(1);
      expect(await test.look()).toBe(before);
      expect(await test.effects()).toBe(0);
    });

    it('does nothing when it is stopped before the effect', async () => {
      const before = await test.look();
      expect(
        await caught(test.executor.execute(test.action, orderOf('key-1', { signal: AbortSignal.abort() }))),
      ).toBeInstanceOf(AppError);
      const during = new AbortController();
      const stillMine = () => {
        during.abort();
        return Promise.resolve(true);
      };
      const order = orderOf('key-2', { signal: during.signal, stillMine });
      expect(await caught(test.executor.execute(test.action, order))).toBeInstanceOf(AppError);
      expect(await test.look()).toBe(before);
      expect(await test.effects()).toBe(0);
    });

    it('refuses an older fence of the same scope, and not one of another', async (context) => {
      if (!traits.fences) return context.skip('this target keeps no fences');
      await test.executor.execute(test.action, orderOf('key-1', { fence: 5 }));
      await test.disturb();
      const before = await test.look();
      const effects = await test.effects();
      const old = caught(test.executor.execute(test.action, orderOf('key-2', { fence: 4 })));
      expect(await old).toBeInstanceOf(AppError);
      expect(await test.look()).toBe(before);
      await test.executor.execute(test.action, orderOf('key-3', { fence: 1, scope: 'flow-2' }));
      expect(await test.effects()).toBe(effects + 1);
    });

    it('shows no secret in what it says', async () => {
      const first = await rehearse();
      test.loseAnswer?.();
      const thrown: unknown = await test.executor
        .execute(test.action, orderOf('key-1'))
        .catch((error: unknown) => error);
      const found = await test.executor.reconcile(test.action, 'key-1', first.state, signal);
      await test.vanish();
      const refused = await caught(rehearse());
      for (const said of [first, thrown, found, refused])
        for (const secret of test.secrets) expect(wordsOf(said)).not.toContain(secret);
    });
  });
}

/** All that a person could come to see of a value or an error, down its causes. */
function wordsOf(said: unknown): string {
  if (!(said instanceof Error)) return JSON.stringify(said) ?? '';
  return JSON.stringify(said, Object.getOwnPropertyNames(said)) + (said.cause ? wordsOf(said.cause) : '');
}
