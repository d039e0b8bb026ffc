import type { SandboxPlace } from '#spec/ports';

/** For a step beside a command that may fail, such as a clean-up: the work goes on, and the log says why it failed. */
export const goOnWithout =
  ({ name, log }: Pick<SandboxPlace, 'name' | 'log'>, doing: string) =>
  (thrown: unknown): undefined => {
    log.warn('sandbox.failed', { sandbox: name, doing, thrown });
  };
