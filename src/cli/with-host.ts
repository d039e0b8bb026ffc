import type { Host } from '#host';
import type { CliContext } from './command.ts';

/** Runs the work of a subcommand on an open home and closes it, whatever came of it. */
export const withHost =
  (run: (action: () => Promise<number>) => Promise<void>, context: CliContext) =>
  (work: (host: Host) => Promise<number>): Promise<void> =>
    run(async () => {
      const host = await context.host();
      try {
        return await work(host);
      } finally {
        await host.close();
      }
    });
