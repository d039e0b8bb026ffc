import { say } from '#kit/text';
import pc from 'picocolors';
import { type ToolView, viewTools } from '#app/tools';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { type NeedsOf, withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'tools: what works here, and what the others lack', zh: '工具:可用情况与缺少的条件' },
  reads: true,
  build: (cli, run, context) => {
    const act = withHost(run, context);
    cli
      .option('-a, --all', context.text.tools.all)
      .action(({ all }: { all?: boolean }) => act((host) => list(host, all ?? false, context)));
  },
});

async function list(host: NeedsOf<typeof viewTools>, all: boolean, context: CliContext): Promise<number> {
  const { stdout, text } = context;
  const tools = await viewTools(host);
  const shown = tools.filter(({ missing, off }) => all || !(missing || off));
  for (const toolset of new Set(shown.map((tool) => tool.toolset))) {
    stdout.write(`${pc.bold(toolset)}\n`);
    const rows = shown.filter((tool) => tool.toolset === toolset).map((tool) => row(tool, context));
    stdout.write(`${table(rows)}\n`);
  }
  const hidden = tools.length - shown.length;
  if (hidden) stdout.write(`\n${pc.dim(text.tools.hidden(hidden))}\n`);
  return EXIT.ok;
}

function row(tool: ToolView, { text, language }: CliContext): string[] {
  const { missing, off, deferred } = tool;
  const mark = missing || off ? pc.red('✗') : pc.green('✓');
  const state = missing
    ? `${text.tools.missing}: ${say(missing.what, language)} → ${say(missing.fix, language)}`
    : off
      ? text.tools.off
      : deferred
        ? text.tools.deferred
        : text.tools.on;
  return [`  ${mark}`, tool.name, pc.dim(state), pc.dim(tool.requiresEnv.join(', '))];
}
