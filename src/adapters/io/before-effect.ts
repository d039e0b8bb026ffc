import { type AppError, fail } from '#kit/app-error';
import type { ExecutionOrder } from '#spec/ports';

/** The last question before an effect. Throws when the answer is no, and then nothing has been done. */
export async function beforeEffect({ signal, stillMine }: Pick<ExecutionOrder, 'signal' | 'stillMine'>) {
  if (signal.aborted) throw stopped();
  const mine = await stillMine().catch((cause: unknown) => {
    throw fail(
      'input.conflict',
      'Cannot tell whether this action is still ours. Nothing was done.',
      undefined,
      cause,
    );
  });
  if (!mine) throw fail('input.conflict', 'Another process has taken this action over. Nothing was done.');
  if (signal.aborted) throw stopped();
}

export const stopped = (): AppError => fail('tool.refused', 'Stopped before anything was done.');
