import pc from 'picocolors';
import { addUser, readUsers, removeUser } from '#host/served/home-users';
import type { Host } from '#host';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { usersText } from '../text/users-text.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'who may use the server of this home', zh: '服务的用户与角色' },
  build: (cli, run, context) => {
    const text = usersText[context.language];
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('list', { isDefault: true })
      .description(text.list)
      .action(() => act((host) => list(host, context)));
    cli
      .command('add <user>')
      .description(text.add)
      .option('-r, --role <role>', text.role, 'approver')
      .action((user: string, { role }: { role: string }) =>
        act(async (host) => {
          const token = await addUser(host, user, role);
          context.stdout.write(`${token}\n`);
          context.stderr.write(`${pc.dim(text.added(user, role))}\n`);
          return EXIT.ok;
        }),
      );
    cli
      .command('remove <user>')
      .description(text.remove)
      .action((user: string) =>
        act(async (host) => {
          await removeUser(host, user);
          context.stdout.write(`${text.removed(user)}\n`);
          return EXIT.ok;
        }),
      );
  },
});

async function list(host: Pick<Host, 'home' | 'loaded'>, { stdout, language }: CliContext): Promise<number> {
  const text = usersText[language];
  const rows = (await readUsers(host)).map(({ user, role, tokenHash }) => [
    pc.bold(user),
    role,
    pc.dim(tokenHash ? text.own : text.inHome),
  ]);
  stdout.write(`${rows.length ? table(rows) : text.none}\n`);
  return EXIT.ok;
}
