/**
 * An effect was begun, and nobody here can say whether it happened: the answer was lost, or said neither. It is never an
 * `AppError`, because an executor throws those only when it is sure that nothing was done. What to do about it is to
 * look at the target, not to try again.
 */
export class UncertainEffect extends Error {
  override readonly name = 'UncertainEffect';
}

export const uncertain = (message: string, cause?: unknown): UncertainEffect =>
  new UncertainEffect(message, cause === undefined ? {} : { cause });
