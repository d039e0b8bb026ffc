import { findServer, releaseServer } from '#host/served/running-server';
import { isAlive } from '#host';
import { sleep } from '#kit/sleep';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { serveText } from '../text/serve-text.ts';
import { withHost } from '../with-host.ts';

const LOOK_MS = 100;
/** Longer than a server takes to let requests end. */
const MOST_MS = 30_000;

export const command = defineCommand({
  summary: { en: 'stop the server of this home', zh: '停止服务' },
  build: (cli, run, context) => {
    const text = serveText[context.language];
    cli.action(() =>
      withHost(
        run,
        context,
      )(async (host) => {
        const say = (line: string) => context.stdout.write(`${line}\n`);
        const found = await findServer(host);
        if (found.state === 'absent') {
          say(`${text.core}: ${text.notRunning}`);
          return EXIT.ok;
        }
        const { pid } = found.server;
        process.kill(pid, 'SIGTERM');
        const until = performance.now() + MOST_MS;
        while (isAlive(pid) && performance.now() < until)
          if (!(await sleep(LOOK_MS, context.signal))) return EXIT.aborted;
        if (isAlive(pid)) {
          say(text.stopping(pid));
          return EXIT.failed;
        }
        await releaseServer(host, pid);
        say(text.stopped(pid));
        return EXIT.ok;
      }),
    );
  },
});
