import { once } from 'node:events';
import pc from 'picocolors';
import {
  claimServer,
  formatProblem,
  type Host,
  openRotatingLog,
  refuseSecondServer,
  releaseServer,
  saidBy,
} from '#host';
import { fail } from '#kit/app-error';
import { type ServedHome, serveHome } from '#server';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { consoleAddress } from '../serve/console-address.ts';
import { askForLink } from '../serve/ask-for-link.ts';
import { serverLogFile } from '../serve/server-log-file.ts';
import { startDaemon } from '../serve/start-daemon.ts';
import { serveText } from '../text/serve-text.ts';
import { withHost } from '../with-host.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly daemon?: boolean;
}

export const command = defineCommand({
  summary: { en: 'serve this home: console, webhooks, incidents', zh: '启动服务:控制台、告警接入与事故' },
  build: (cli, run, context) => {
    const text = serveText[context.language];
    cli
      .option('--host <address>', text.host)
      .option('--port <port>', text.port)
      .option('-d, --daemon', text.daemon)
      .action((flags: ServeFlags) =>
        withHost(run, context)((host) => (flags.daemon ? inBackground : inForeground)(host, flags, context)),
      );
  },
});

async function inForeground(host: Host, flags: ServeFlags, context: CliContext): Promise<number> {
  const port = portOf(flags.port);
  await refuseSecondServer(host);
  const log = openRotatingLog(serverLogFile(host));
  const served = await serveHome(host, { host: flags.host, port, logger: log.write });
  try {
    const { pid } = process;
    await claimServer(host, { pid, url: served.url, startedAt: new Date().toISOString() });
    tell(host, served, context);
    if (!context.signal.aborted) await once(context.signal, 'abort');
  } finally {
    await served.close();
    await releaseServer(host, process.pid);
  }
  return EXIT.ok;
}

async function inBackground(host: Host, flags: ServeFlags, context: CliContext): Promise<number> {
  const text = serveText[context.language];
  portOf(flags.port);
  const args = [
    ...(flags.host === undefined ? [] : ['--host', flags.host]),
    ...(flags.port === undefined ? [] : ['--port', flags.port]),
  ];
  const { url, pid } = await startDaemon(host, args, context);
  const link = context.stdout.isTTY ? await askForLink(host, url) : undefined;
  const address = link && 'address' in link ? link.address : `${url}/`;
  const lines = [
    text.started(url, pid),
    `${text.console} ${pc.cyan(address)}`,
    ...(link && 'address' in link ? [pc.dim(text.consoleNote)] : []),
    pc.dim(text.log(serverLogFile(host))),
  ];
  context.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.ok;
}

function tell(host: Host, served: ServedHome, { stdout, language }: CliContext): void {
  const text = serveText[language];
  const say = (line: string) => stdout.write(`${line}\n`);
  say(`${pc.bold(text.listening)} ${served.url}`);
  const { address, signsIn } = consoleAddress(served, stdout.isTTY);
  say(`${pc.bold(text.console)} ${pc.cyan(address)}`);
  if (signsIn) say(pc.dim(text.consoleNote));
  if (served.token === undefined) say(pc.yellow(text.noToken));
  else say(pc.dim(text.token(host.home.file('.env'), served.madeToken)));
  say(pc.dim(text.alertmanager(`${served.url}/gateway/alertmanager`)));
  for (const { name, why } of served.off) say(pc.dim(`${name}: ${text.off}: ${why}`));
  for (const problem of served.unread) {
    const message = saidBy(problem.message)[language];
    say(pc.yellow(formatProblem({ ...problem, message })));
  }
  for (const { name, part, missing } of served.incidents.backends.listed)
    if (missing) say(pc.yellow(`${part} ${name}: ${missing.what} ${missing.fix}`));
}

function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw fail('input.invalid', `'${given}' is no port: it is a whole number from 0 to 65535.`);
  return port;
}
