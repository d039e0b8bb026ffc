import pc from 'picocolors';
import { createProfile, listProfiles, resolveHome, secretNamer, switchProfile } from '#host';
import { importProfileFile } from '#host/config/import-profile';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';

export const command = defineCommand({
  summary: { en: 'separate homes, each with its own settings and memory', zh: '相互独立的配置档' },
  build: (cli, run, context) => {
    const { text } = context;
    cli.helpCommand(false);
    cli
      .command('list')
      .description(text.profile.list)
      .action(() => run(() => list(context)));
    cli
      .command('create <name>')
      .description(text.profile.create)
      .option('--base <profile>', text.profile.base)
      .action((name: string, { base }: { base?: string }) => run(() => create(name, base, context)));
    cli
      .command('switch <name>')
      .description(text.profile.switch)
      .action((name: string) => run(() => switchTo(name, context)));
    cli
      .command('import <name>')
      .description(text.profile.import)
      .action((name: string) => run(() => importFile(name, context)));
  },
});

async function list(context: CliContext): Promise<number> {
  const rows = listProfiles(resolveHome(context)).map(({ name, root, active }) => [
    active ? pc.green('●') : ' ',
    name,
    pc.dim(root),
    active ? `(${context.text.profile.active})` : '',
  ]);
  context.stdout.write(`${table(rows)}\n`);
  return EXIT.ok;
}

async function create(name: string, base: string | undefined, context: CliContext): Promise<number> {
  const made = await createProfile(resolveHome(context), name, base ? { base } : {});
  return report(name, made, context);
}

async function importFile(name: string, context: CliContext): Promise<number> {
  const made = await importProfileFile(resolveHome(context), name, { secretName: await secretNamer() });
  return report(made.home.profile, made, context);
}

function report(
  name: string,
  made: { home: { root: string }; notes: readonly string[] },
  context: CliContext,
): number {
  context.stdout.write(`${context.text.profile.created(name, made.home.root)}\n`);
  for (const note of made.notes) context.stderr.write(`${pc.yellow(note)}\n`);
  return EXIT.ok;
}

async function switchTo(name: string, context: CliContext): Promise<number> {
  await switchProfile(resolveHome({ env: context.env, profile: 'default' }), name);
  context.stdout.write(`${context.text.profile.switched(name)}\n`);
  return EXIT.ok;
}
