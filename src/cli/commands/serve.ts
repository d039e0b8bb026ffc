import { once } from 'node:events';
import pc from 'picocolors';
import { serveHome } from '#server';
import { fail } from '#kit/app-error';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'serve this home: webhooks, incidents, telemetry', zh: '启动服务:告警接入、事故与遥测' },
  build: (cli, run, context) => {
    const { serve: text } = context.text.incident;
    cli
      .option('--host <address>', text.host)
      .option('--port <port>', text.port)
      .action(({ host: address, port }: { host?: string; port?: string }) =>
        withHost(
          run,
          context,
        )(async (host) => {
          const served = await serveHome(host, { host: address, port: portOf(port) });
          const say = (line: string) => context.stdout.write(`${line}\n`);
          say(`${pc.bold(text.listening)} ${served.url}`);
          if (served.token === undefined) say(pc.yellow(text.noToken));
          else say(pc.dim(text.token(host.home.file('.env'), served.madeToken)));
          say(pc.dim(text.alertmanager(`${served.url}/gateway/alertmanager`)));
          for (const { name, why } of served.off) say(pc.dim(`${name}: ${text.off}: ${why}`));
          for (const { name, part, missing } of served.incidents.backends.listed)
            if (missing) say(pc.yellow(`${part} ${name}: ${missing.what} ${missing.fix}`));
          if (!context.signal.aborted) await once(context.signal, 'abort');
          await served.close();
          return EXIT.ok;
        }),
      );
  },
});

function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw fail('input.invalid', `'${given}' is no port: it is a whole number from 0 to 65535.`);
  return port;
}
