import pc from 'picocolors';
import type { Host } from '#host';
import type { AuditEntry } from '#spec/data';
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
      .action(() => act((host) => verify(host, context)));
    cli
      .command('show', { isDefault: true })
      .description(text.show)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 20)
      .action(({ limit }: { limit: number }) => act((host) => show(host, limit, context)));
  },
});

async function verify(host: Host, { text, stdout, stderr }: CliContext): Promise<number> {
  const { audit } = await host.gate();
  const found = await audit.verify();
  if (found.sound) {
    stdout.write(`${pc.green('✓')} ${text.audit.sound(found.entries, found.head.slice(0, 16))}\n`);
    return EXIT.ok;
  }
  stderr.write(`${pc.red('✗')} ${text.audit.broken(found.seq, found.problem)}\n`);
  return EXIT.failed;
}

async function show(host: Host, limit: number, { stdout }: CliContext): Promise<number> {
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
