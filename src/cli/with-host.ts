import type { Host } from '#host';
import { toErrorRecord } from '#kit/app-error';
import type { CliContext } from './command.ts';

/** What a use case is given: a subcommand that only calls it takes no more. */
export type NeedsOf<UseCase extends (needs: never, ...rest: never[]) => unknown> = Parameters<UseCase>[0];

/** Runs the work of a subcommand on an open home and closes it, whatever came of it. A mistake of ours is in the log. */
export const withHost =
  (run: (action: () => Promise<number>) => Promise<void>, context: CliContext) =>
  (work: (host: Host) => Promise<number>): Promise<void> =>
    run(async () => {
      const host = await context.host();
      try {
        return await work(host);
      } catch (thrown) {
        if (toErrorRecord(thrown).code === 'internal') host.log.error('command.failed', { thrown });
        throw thrown;
      } finally {
        await host.close();
      }
    });
