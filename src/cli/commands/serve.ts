import { once } from 'node:events';
import pc from 'picocolors';
import {
  claimServer,
  formatProblem,
  type Host,
  openRotatingLog,
  openSecretsFile,
  refuseSecondServer,
  releaseServer,
  requireWritableHome,
  saidBy,
} from '#host';
import { toErrorRecord } from '#kit/app-error';
import { isStoreFailure } from '#kit/store-failure';
import { type ServedHome, type ServerLogger, type ServerLogLine, serveHome } from '#server';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { consoleAddress } from '../serve/console-address.ts';
import { askForLink } from '../serve/ask-for-link.ts';
import { serverLogFile } from '../serve/server-log-file.ts';
import { startDaemon } from '../serve/start-daemon.ts';
import { serveText } from '../text/serve-text.ts';
import { PORTS, wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly daemon?: boolean;
}

export const command = defineCommand({
  summary: { en: 'serve this home: console, webhooks, incidents', zh: '启动服务:控制台、告警接入与事故' },
  build: (cli, run, context) => {
    const text = serveText[context.language];
    cli
      .option('--host <address>', text.host)
      .option('--port <number>', text.port, wholeNumber('--port', context, PORTS))
      .option('-d, --daemon', text.daemon)
      .action((flags: ServeFlags) =>
        withHost(
          run,
          context,
        )(async (host) => {
          await requireWritableHome(host);
          return (flags.daemon ? inBackground : inForeground)(host, flags, context);
        }),
      );
  },
});

async function inForeground(host: Host, flags: ServeFlags, context: CliContext): Promise<number> {
  await refuseSecondServer(host);
  const { text: clean } = await host.redactor();
  const log = openRotatingLog(serverLogFile(host), { clean });
  // Node writes warnings as they are; here they go into a file.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => context.stderr.write(`${name}: ${clean(message)}\n`));
  const logger: ServerLogger = (line) => {
    log.write(line);
    tellTrouble(line, context);
  };
  const served = await serveHome(host, { host: flags.host, port: flags.port, logger });
  try {
    const { pid } = process;
    await claimServer(host, { pid, url: served.url, startedAt: new Date().toISOString() });
    const open = await openSecretsFile(host.home);
    tell(host, served, context, open);
    if (open)
      log.write({
        level: 'warn',
        event: 'secrets.open',
        at: new Date().toISOString(),
        error: `${open.path}: ${open.fix}`,
      });
    if (!context.signal.aborted) await once(context.signal, 'abort');
  } finally {
    await served.close();
    // A file that stays behind on a broken disk names a process that is gone: nobody believes it.
    await releaseServer(host, process.pid).catch((thrown: unknown) => {
      if (!isStoreFailure(toErrorRecord(thrown).code)) throw thrown;
    });
  }
  return EXIT.ok;
}

async function inBackground(host: Host, flags: ServeFlags, context: CliContext): Promise<number> {
  const text = serveText[context.language];
  const args = [
    ...(flags.host === undefined ? [] : ['--host', flags.host]),
    ...(flags.port === undefined ? [] : ['--port', String(flags.port)]),
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

/** Whoever sits at the terminal hears when the home can no longer be written, and when it can again. */
function tellTrouble({ event, code, error }: ServerLogLine, { stderr, language, text }: CliContext): void {
  if (event === 'home.healed') stderr.write(`${pc.green('✓')} ${serveText[language].healed}\n`);
  if (event !== 'home.failing' || !code) return;
  const { title, hint } = text.errors[code];
  stderr.write(
    `${pc.red('✗')} ${pc.bold(title)}\n  ${error}\n  → ${serveText[language].failing} ${hint ?? ''}\n`,
  );
}

function tell(
  host: Host,
  served: ServedHome,
  { stdout, language }: CliContext,
  open: Awaited<ReturnType<typeof openSecretsFile>>,
): void {
  const text = serveText[language];
  const say = (line: string) => stdout.write(`${line}\n`);
  say(`${pc.bold(text.listening)} ${served.url}`);
  const { address, signsIn } = consoleAddress(served, stdout.isTTY);
  say(`${pc.bold(text.console)} ${pc.cyan(address)}`);
  if (signsIn) say(pc.dim(text.consoleNote));
  if (served.token === undefined) say(pc.yellow(text.noToken));
  else say(pc.dim(text.token(host.home.file('.env'), served.madeToken)));
  if (open) say(pc.red(text.openSecrets(open.path, open.fix)));
  say(pc.dim(text.alertmanager(`${served.url}/gateway/alertmanager`)));
  for (const { name, why } of served.off) say(pc.dim(`${name}: ${text.off}: ${why}`));
  for (const problem of served.unread) {
    const message = saidBy(problem.message)[language];
    say(pc.yellow(formatProblem({ ...problem, message })));
  }
  for (const { name, part, missing } of served.incidents.backends.listed)
    if (missing) say(pc.yellow(`${part} ${name}: ${missing.what} ${missing.fix}`));
}
