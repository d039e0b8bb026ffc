import { say } from '#kit/text';
import pc from 'picocolors';
import type { Host } from '#host';
import { viewBackends } from '#host/tools/home-backends';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'where commands can run, and what each place lacks', zh: '命令运行后端及其状态' },
  reads: true,
  build: (cli, run, context) => {
    const act = withHost(run, context);
    cli.action(() => act((host) => list(host, context)));
  },
});

async function list(
  host: Pick<Host, 'home' | 'loaded' | 'log' | 'plugins'>,
  { text, language, stdout }: CliContext,
): Promise<number> {
  const { columns, ready, standard } = text.backends;
  const rows = (await viewBackends(host)).map(({ name, type, missing, isDefault }) => [
    missing ? pc.red('✗') : pc.green('✓'),
    isDefault ? pc.bold(name) : name,
    pc.dim(type),
    missing
      ? `${say(missing.what, language)} → ${say(missing.fix, language)}`
      : isDefault
        ? `${ready}, ${standard}`
        : ready,
  ]);
  const head = ['', columns.name, columns.type, columns.state].map((word) => pc.dim(word));
  stdout.write(`${table([head, ...rows])}\n`);
  return EXIT.ok;
}
