import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import pc from 'picocolors';
import type { Host } from '#host';
import { refuseUnproven } from '#host/gate/refuse-from-command';
import { verifyAudit } from '#host/gate/audit-anchor';
import { fail } from '#kit/app-error';
import type { AuditEntry, Requester } from '#spec/data';
import { askInTerminal } from '../ask-in-terminal.ts';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'the record of what was allowed, asked and denied', zh: '审计记录' },
  build: (cli, run, context) => {
    const { audit: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('verify')
      .description(text.verify)
      .option('--anchor <file>', text.anchor)
      .action(({ anchor }: { anchor?: string }) => act((host) => verify(host, anchor, context)));
    cli
      .command('accept')
      .description(text.accept)
      .requiredOption('--reason <text>', text.reason)
      .action(({ reason }: { reason: string }) => act((host) => accept(host, reason, context)));
    cli
      .command('show', { isDefault: true })
      .description(text.show)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 20)
      .action(({ limit }: { limit: number }) => act((host) => show(host, limit, context)));
  },
});

/** Compared with the file that `audit.anchor` names, or another one that is said. */
async function verify(
  host: Pick<Host, 'gate' | 'home' | 'loaded'>,
  given: string | undefined,
  { text, stdout, stderr }: CliContext,
): Promise<number> {
  const configured = host.loaded.config.audit.anchor;
  const file =
    given === undefined ? (configured && isAbsolute(configured) ? configured : undefined) : resolve(given);
  const found = await verifyAudit(host, file);
  if (found.sound) {
    if (found.anchored !== undefined)
      stdout.write(`${pc.green('✓')} ${text.audit.anchored(found.anchored)}\n`);
    stdout.write(`${pc.green('✓')} ${text.audit.sound(found.entries, found.head.slice(0, 16))}\n`);
    for (const { seq, problem, reason } of found.breaks)
      stdout.write(`${pc.yellow('!')} ${text.audit.accepted(seq, problem, reason)}\n`);
    return EXIT.ok;
  }
  stderr.write(`${pc.red('✗')} ${text.audit.broken(found.seq, found.problem)}\n${text.audit.mend}\n`);
  return EXIT.failed;
}

/** Only a person, as for any agreement of the gate; what is refused is written down beside the break. */
async function accept(
  host: Pick<Host, 'gate' | 'home'>,
  given: string,
  context: CliContext,
): Promise<number> {
  const { text, stdout } = context;
  const reason = given.trim();
  if (!reason) throw fail('input.invalid', text.audit.noReason);
  await refuseUnproven(host, ['audit', 'accept']);
  const { audit } = await host.gate();
  const found = await audit.verify();
  if (found.sound) throw fail('input.conflict', text.audit.nothingToAccept);
  const ask = askInTerminal(context);
  if (!ask) throw fail('input.forbidden', text.audit.needsTerminal);
  stdout.write(`${pc.red('✗')} ${text.audit.broken(found.seq, found.problem)}\n`);
  const said = await ask(text.audit.confirm(ACCEPT_WORD), [], context.signal);
  if (said?.trim() !== ACCEPT_WORD) throw fail('input.forbidden', text.audit.notAccepted);
  const entry = await audit.accept(personHere(host), reason);
  stdout.write(`${pc.yellow('!')} ${text.audit.accepted(entry.seq, found.problem, reason)}\n`);
  return EXIT.ok;
}

const ACCEPT_WORD = 'accept';

const personHere = (host: Pick<Host, 'home'>): Requester => ({
  caller: 'chat',
  platform: 'cli',
  profile: host.home.profile,
  session: 'terminal',
  user: userInfo().username,
});

async function show(host: Pick<Host, 'gate'>, limit: number, { stdout }: CliContext): Promise<number> {
  const { audit } = await host.gate();
  for (const entry of await audit.last(limit)) stdout.write(`${line(entry)}\n`);
  return EXIT.ok;
}

function line({ seq, at, kind, requester, data }: AuditEntry): string {
  const when = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const [what] = wordsOf(data.shown ?? data.reason ?? data.taint).split('\n');
  const mark = kind.endsWith('denied') ? pc.red(kind) : kind;
  return `${String(seq).padStart(5)}  ${pc.dim(when)}  ${mark.padEnd(18)} ${pc.dim(requester.caller)}  ${wordsOf(data.tool)} ${what}`;
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');
