import pc from 'picocolors';
import { decideRequest, listRequests, revokeGrant } from '#app/approvals';
import type { Host } from '#host';
import { spoken, type Spoken } from '#kit/text';
import { fail } from '#kit/app-error';
import type { Approval } from '#spec/data';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'gate' | 'incidents'>;

const REACHES = ['once', 'session', 'always'] as const;
type Reach = (typeof REACHES)[number];

export const command = defineCommand({
  summary: { en: 'requests that wait for a person to agree', zh: '等待批准的请求' },
  build: (cli, run, context) => {
    const { approvals: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('list', { isDefault: true })
      .description(text.list)
      .option('-a, --all', text.all)
      .action(({ all }: { all?: boolean }) => act((host) => list(host, all ?? false, context)));
    cli
      .command('approve <id>')
      .description(text.approve)
      .option('-r, --reach <reach>', text.reach, 'once')
      .option('--confirm <word>', context.text.incident.confirm)
      .action((id: string, { reach, confirm }: { reach: string; confirm?: string }) =>
        act((host) => decide(host, id, true, reach, context, confirm)),
      );
    cli
      .command('revoke <id>')
      .description(text.revoke)
      .action((id: string) => act((host) => revoke(host, id, context)));
    cli
      .command('deny <id>')
      .description(text.deny)
      .action((id: string) => act((host) => decide(host, id, false, 'once', context)));
  },
});

async function list(host: Needs, all: boolean, { text, language, stdout }: CliContext): Promise<number> {
  const found = await listRequests(host, all);
  if (!found.length) stdout.write(`${text.approvals.none}\n`);
  for (const approval of found)
    stdout.write(`${lines(spoken(approval, language), text.approvals.states[approval.state])}\n`);
  return EXIT.ok;
}

function lines(
  { id, createdAt, action, reasons, requester, decidedBy }: Spoken<Approval>,
  state: string,
): string {
  const when = new Date(createdAt).toISOString().slice(0, 19).replace('T', ' ');
  const who = decidedBy ? ` ${decidedBy.channel}:${decidedBy.user}` : '';
  const from = `${requester.caller} ${requester.platform} ${requester.user}`;
  return [
    `${pc.bold(id)}  ${state}${who}  ${pc.dim(`${when}  ${action.tool}, level ${action.level}, ${from}`)}`,
    ...action.shown.split('\n').map((line) => `    ${line}`),
    ...reasons.map((reason) => pc.dim(`  • ${reason}`)),
  ].join('\n');
}

async function revoke(host: Needs, id: string, { text, stdout }: CliContext): Promise<number> {
  if (!(await revokeGrant(host, id))) throw fail('input.invalid', text.approvals.nothingToRevoke(id));
  stdout.write(`${text.approvals.decided(id, text.approvals.states.withdrawn)}\n`);
  return EXIT.ok;
}

async function decide(
  host: Needs,
  id: string,
  granted: boolean,
  reach: string,
  { text, stdout }: CliContext,
  confirmation?: string,
): Promise<number> {
  if (!REACHES.includes(reach as Reach)) throw fail('input.invalid', text.approvals.badReach(reach));
  const { state } = await decideRequest(
    host,
    id,
    granted,
    reach as Reach,
    confirmation === undefined ? {} : { confirmation },
  );
  stdout.write(`${text.approvals.decided(id, text.approvals.states[state])}\n`);
  return EXIT.ok;
}
