import pc from 'picocolors';
import { allowPlugin, disallowPlugin, viewPlugins } from '#host/home-plugins';
import type { Host } from '#host';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'plugins: list, allow, disallow', zh: '插件:列出、启用、停用' },
  build: (cli, run, context) => {
    const { plugins: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('list', { isDefault: true })
      .description(text.list)
      .action(() => act((host) => list(host, context)));
    cli
      .command('allow <name>')
      .description(text.allow)
      .action((name: string) =>
        act(async (host) => {
          await allowPlugin(host, context.env, name, context.language);
          context.stdout.write(`${text.allowed(name)}\n`);
          return EXIT.ok;
        }),
      );
    cli
      .command('disallow <name>')
      .description(text.disallow)
      .action((name: string) =>
        act(async (host) => {
          await disallowPlugin(host, context.env, name);
          context.stdout.write(`${text.disallowed(name)}\n`);
          return EXIT.ok;
        }),
      );
  },
});

async function list(
  host: Pick<Host, 'home' | 'loaded'>,
  { text, stdout, language }: CliContext,
): Promise<number> {
  const found = await viewPlugins(host, language);
  if (!found.length) stdout.write(`${text.plugins.none}\n`);
  const rows = found.map(({ name, version, description, state, problem, provides }) => [
    state === 'on' ? pc.green('✓') : state === 'broken' ? pc.red('✗') : pc.dim('–'),
    name,
    pc.dim(version),
    text.plugins.states[state],
    problem ?? [description, ...provides].join(' · '),
  ]);
  if (rows.length) stdout.write(`${table(rows)}\n`);
  return EXIT.ok;
}
