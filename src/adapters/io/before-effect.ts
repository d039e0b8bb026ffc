import { type AppError, fail } from '#kit/app-error';
import { joinTexts, tell, type Text } from '#kit/text';
import type { ExecutionOrder } from '#spec/ports';

/** Whatever went wrong, certainly nothing was changed. */
export const nothingDone = (why: Text): Text =>
  joinTexts([why, tell('Nothing was done.', '没有做任何改变。')], { en: ' ', zh: '' });

const TAKEN_OVER = tell('Another process has taken this action over.', '另一个进程已接管这个动作。');
/** A fence that is older than one that the target has seen. */
export const oldFence = (fence: number, highest: number, target: Text): AppError =>
  fail(
    'input.conflict',
    {
      en: `The fence ${fence} is older than ${highest}, which ${target.en} has seen. Nothing was done.`,
      zh: `围栏 ${fence} 早于${target.zh}见过的 ${highest}。没有做任何改变。`,
    },
    TAKEN_OVER,
  );

/** The last question before an effect. Throws when the answer is no, and then nothing has been done. */
export async function beforeEffect({ signal, stillMine }: Pick<ExecutionOrder, 'signal' | 'stillMine'>) {
  if (signal.aborted) throw stopped();
  const mine = await stillMine().catch((cause: unknown) => {
    throw fail(
      'input.conflict',
      tell(
        'Cannot tell whether this action is still ours. Nothing was done.',
        '无法确定这个动作是否仍由本进程负责。没有做任何改变。',
      ),
      undefined,
      cause,
    );
  });
  if (!mine) throw fail('input.conflict', nothingDone(TAKEN_OVER));
  if (signal.aborted) throw stopped();
}

export const stopped = (): AppError =>
  fail('tool.refused', tell('Stopped before anything was done.', '在做任何改变之前已停止。'));
