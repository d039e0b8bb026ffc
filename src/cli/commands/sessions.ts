import { readFile } from 'node:fs/promises';
import pc from 'picocolors';
import { stringify } from 'yaml';
import { exportSession, findInSessions, importSession } from '#app/sessions';
import { findSession, localAudience } from '#app/terminal';
import { type Host, resolveHome } from '#host';
import { repairSessions } from '#host/home-databases';
import { fail } from '#kit/app-error';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'database'>;

const DAY_MS = 86_400_000;

export const command = defineCommand({
  summary: { en: 'stored conversations: list, search, read, export, prune, repair', zh: '已保存的对话' },
  build: (cli, run, context) => {
    const { sessions: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('list [text]')
      .description(text.list)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 20)
      .option('-a, --all', text.all)
      .action((words: string | undefined, options: { limit: number; all?: boolean }) =>
        act((host) => list(host, words, options, context)),
      );
    cli
      .command('search <query...>')
      .description(text.search)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 10)
      .option('-a, --all', text.all)
      .action((words: string[], options: { limit: number; all?: boolean }) =>
        act((host) => search(host, words.join(' '), options, context)),
      );
    cli
      .command('show <session>')
      .description(text.show)
      .action((id: string) => act((host) => write(host, id, 'markdown', context)));
    cli
      .command('export <session>')
      .description(text.export)
      .option('-f, --format <format>', text.format, 'markdown')
      .action((id: string, { format }: { format: string }) =>
        act((host) => write(host, id, format, context)),
      );
    cli
      .command('import <file>')
      .description(text.import)
      .action((file: string) => act((host) => importFile(host, file, context)));
    cli
      .command('delete <session...>')
      .description(text.remove)
      .action((ids: string[]) => act((host) => remove(host, ids, context)));
    cli
      .command('prune')
      .description(text.prune)
      .option('--days <number>', text.days, wholeNumber('--days', context), 90)
      .action((options: { days: number }) => act((host) => prune(host, options, context)));
    cli
      .command('check')
      .description(text.check)
      .action(() => act((host) => check(host, context)));
    cli
      .command('repair')
      .description(text.repair)
      .action(() => run(() => repair(context)));
  },
});

const when = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

async function list(
  host: Needs,
  words: string | undefined,
  options: { limit: number; all?: boolean },
  { text, stdout }: CliContext,
): Promise<number> {
  const { sessions } = await host.database();
  const found = await sessions.list({
    limit: options.limit,
    ...(words ? { text: words } : {}),
    ...(options.all ? {} : { audience: localAudience() }),
  });
  if (!found.length) stdout.write(`${text.sessions.none}\n`);
  const rows = found.map(({ id, updatedAt, messages, title, cost }) => [
    pc.dim(when(updatedAt)),
    id,
    String(messages).padStart(4),
    pc.dim(`$${cost.toFixed(2)}`),
    title ?? '',
  ]);
  if (rows.length) stdout.write(`${table(rows)}\n`);
  return EXIT.ok;
}

async function search(
  host: Pick<Host, 'database' | 'redactor'>,
  query: string,
  options: { limit: number; all?: boolean },
  { text, stdout }: CliContext,
): Promise<number> {
  const hits = await findInSessions(host, query, options.limit, options.all ?? false);
  if (!hits.length) stdout.write(`${text.sessions.nothing}\n`);
  for (const { session, title, at, role, text: said } of hits) {
    stdout.write(
      `${pc.dim(when(at))}  ${pc.cyan(session)}  ${title}\n  ${role}: ${said.replaceAll(/\s+/g, ' ').slice(0, 200)}\n`,
    );
  }
  return EXIT.ok;
}

async function write(
  host: Pick<Host, 'database' | 'redactor'>,
  id: string,
  format: string,
  { text, stdout }: CliContext,
): Promise<number> {
  if (format !== 'json' && format !== 'markdown')
    throw fail('input.invalid', text.sessions.badFormat(format));
  stdout.write(await exportSession(host, id, format));
  return EXIT.ok;
}

async function importFile(
  host: Pick<Host, 'database' | 'redactor'>,
  file: string,
  { text, stdout }: CliContext,
): Promise<number> {
  const content = await readFile(file, 'utf8').catch((cause: Error) => {
    throw fail('input.invalid', `${file}: ${cause.message}`, undefined, cause);
  });
  const { id, messages } = await importSession(host, content, file);
  stdout.write(`${text.sessions.imported(id, messages)}\n`);
  return EXIT.ok;
}

async function remove(host: Needs, named: readonly string[], { text, stdout }: CliContext): Promise<number> {
  const ids = await Promise.all(named.map((name) => findSession(host, name)));
  const { sessions } = await host.database();
  stdout.write(`${text.sessions.removed(await sessions.remove(ids))}\n`);
  return EXIT.ok;
}

async function prune(host: Needs, options: { days: number }, { text, stdout }: CliContext): Promise<number> {
  const olderThan = options.days * DAY_MS;
  const removed = await (await host.database()).prune({ olderThan });
  stdout.write(`${text.sessions.removed(removed)}\n`);
  return EXIT.ok;
}

async function check(host: Needs, { text, stdout }: CliContext): Promise<number> {
  const report = await (await host.database()).check();
  if (report.problems.length) {
    stdout.write(`${report.problems.map((problem) => `${pc.red('✗')} ${problem.detail}`).join('\n')}\n`);
    return EXIT.failed;
  }
  stdout.write(`${pc.green('✓')} ${text.sessions.sound(report.sessions)}\n`);
  return EXIT.ok;
}

async function repair(context: CliContext): Promise<number> {
  const report = await repairSessions(resolveHome(context));
  context.stdout.write(`${stringify(report)}`);
  return EXIT.ok;
}
