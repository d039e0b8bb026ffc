import { once } from 'node:events';
import pc from 'picocolors';
import { formatProblem } from '#config';
import { type HomeTrouble, type Host, openSecretsFile, requireWritableHome } from '#host';
import { claimServer, refuseSecondServer, releaseServer } from '#host/served/running-server';
import type { Logger } from '#spec/ports';
import { asText } from '#kit/text';
import { toErrorRecord } from '#kit/app-error';
import { isStoreFailure } from '#kit/store-failure';
import { type ServedHome, serveHome } from '#server';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { consoleAddress } from '../serve/console-address.ts';
import { askForLink } from '../serve/ask-for-link.ts';
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
  await host.log.ready();
  logProcess(host.log);
  const served = await serveHome(host, {
    host: flags.host,
    port: flags.port,
    onTrouble: (trouble) => tellTrouble(trouble, context),
  }).catch((thrown: unknown) => {
    host.log.error('server.failed', { thrown });
    throw thrown;
  });
  try {
    const { pid } = process;
    await claimServer(host, { pid, url: served.url, startedAt: new Date().toISOString() });
    const open = await openSecretsFile(host.home);
    tell(host, served, context, open);
    if (open) host.log.warn('secrets.open', { path: open.path, fix: open.fix });
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

async function inBackground(
  host: Pick<Host, 'home' | 'loaded'>,
  flags: ServeFlags,
  context: CliContext,
): Promise<number> {
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
    pc.dim(text.log(host.home.dir('logs'))),
  ];
  context.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.ok;
}

/** What Node warns of goes into the log, and so does what ends the process. */
function logProcess(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn('process.warned', { name, error: message }));
  // Node goes on to print it and to end the process.
  process.on('uncaughtExceptionMonitor', (thrown) => log.error('process.crashed', { thrown }));
}

/** Whoever sits at the terminal hears when the home can no longer be written, and when it can again. */
function tellTrouble(trouble: HomeTrouble | undefined, { stderr, language, text }: CliContext): void {
  if (!trouble) return void stderr.write(`${pc.green('✓')} ${serveText[language].healed}\n`);
  const { title, hint } = text.errors[trouble.error.code];
  stderr.write(
    `${pc.red('✗')} ${pc.bold(title)}\n  ${trouble.error.message}\n  → ${serveText[language].failing} ${hint ?? ''}\n`,
  );
}

function tell(
  host: Pick<Host, 'home'>,
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
  for (const { name, why } of served.off) say(pc.dim(`${name}: ${text.off}: ${asText(why)[language]}`));
  for (const problem of served.unread) {
    say(pc.yellow(formatProblem(problem, language)));
  }
  for (const { name, part, missing } of served.incidents.backends.listed)
    if (missing)
      say(pc.yellow(`${part} ${name}: ${asText(missing.what)[language]} ${asText(missing.fix)[language]}`));
}
