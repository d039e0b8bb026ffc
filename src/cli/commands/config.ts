import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import pc from 'picocolors';
import { stringify } from 'yaml';
import { describeConfig, getConfigValue, listConfigValues } from '#config';
import {
  checkProviders,
  openHost,
  prepareConfigFile,
  resolveHome,
  secretNamer,
  setConfigValue,
  unsetConfigValue,
} from '#host';
import { fail } from '#kit/app-error';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';

export const command = defineCommand({
  summary: { en: 'read and change the configuration', zh: '查看与修改配置' },
  build: (cli, run, context) => {
    const { text } = context;
    cli.helpCommand(false);
    cli
      .command('get <key>')
      .description(text.config.get)
      .action((key: string) => run(() => get(key, context)));
    cli
      .command('set <key> <value>')
      .description(text.config.set)
      .action((key: string, value: string) => run(() => set(key, value, context)));
    cli
      .command('unset <key>')
      .description(text.config.unset)
      .action((key: string) => run(() => unset(key, context)));
    cli
      .command('list')
      .description(text.config.list)
      .action(() => run(() => list(context)));
    cli
      .command('edit')
      .description(text.config.edit)
      .action(() => run(() => edit(context)));
    cli
      .command('path')
      .description(text.config.path)
      .action(() => run(() => showPath(context)));
  },
});

async function get(key: string, context: CliContext): Promise<number> {
  const { loaded } = await context.host();
  const value = getConfigValue(loaded.config, key);
  context.stdout.write(`${value === undefined ? '' : stringify(value).trimEnd()}\n`);
  return EXIT.ok;
}

async function set(key: string, value: string, context: CliContext): Promise<number> {
  const { text, stdout, stderr, env } = context;
  const home = resolveHome(context);
  const hasPlugins = existsSync(home.dir('plugins'));
  const done = await setConfigValue(home, key, value, {
    env,
    secretName: await secretNamer(),
    check: (config) => checkProviders(config, hasPlugins),
  });
  for (const { path, variable } of done.secrets) {
    stdout.write(`${text.config.wroteSecret(path, variable, home.file('.env'))}\n`);
  }
  if (!done.secrets.some(({ path }) => path.startsWith(done.path)))
    stdout.write(`${text.config.wrote(done.path, done.file)}\n`);
  if (done.formerKey) stderr.write(`${pc.yellow(text.config.formerKey(done.formerKey))}\n`);
  const shadow = done.overriddenBy ?? done.secrets.find(({ shadowed }) => shadowed)?.variable;
  if (shadow) stderr.write(`${pc.yellow(text.config.overridden(done.path, shadow))}\n`);
  return EXIT.ok;
}

async function unset(key: string, context: CliContext): Promise<number> {
  const { text, stdout, stderr, env } = context;
  const home = resolveHome(context);
  const secretName = await secretNamer();
  const done = await unsetConfigValue(home, key, { env, secretName });
  stdout.write(`${done.changed ? text.config.unsetDone(done.path) : text.config.unsetNothing(done.path)}\n`);
  for (const name of done.removedFromEnv)
    stdout.write(`${text.config.secretGone(name, home.file('.env'))}\n`);
  const shadow = done.overriddenBy ?? done.removedFromEnv.find((name) => env[name]);
  if (shadow) stderr.write(`${pc.yellow(text.config.overridden(done.path, shadow))}\n`);
  return EXIT.ok;
}

async function list(context: CliContext): Promise<number> {
  const { loaded } = await context.host();
  const values = listConfigValues(loaded.config);
  const shown = new Set<string>();
  const rows = describeConfig().flatMap((key) => {
    const pattern = new RegExp(
      `^${key.path
        .replace(/[.[\]]/g, '\\$&')
        .replaceAll('*', '[^.]+')
        .replace('\\[n\\]', '\\[\\d+\\]')}(?![\\w-])`,
    );
    const own = values.filter(({ path }) => pattern.test(path) && !shown.has(path));
    for (const { path } of own) shown.add(path);
    const meaning = pc.dim(key[context.language]);
    if (!own.length) return [[key.path, pc.dim('–'), meaning]];
    return own.map(({ path, value }) => [
      path,
      pc.cyan(typeof value === 'string' ? value : JSON.stringify(value)),
      meaning,
    ]);
  });
  context.stdout.write(`${table(rows)}\n`);
  return EXIT.ok;
}

async function edit(context: CliContext): Promise<number> {
  const { text, env, stdout } = context;
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) throw fail('input.invalid', text.config.noEditor);
  const file = await prepareConfigFile(resolveHome(context));
  const [program = '', ...args] = editor.split(/\s+/);
  const { error, status } = spawnSync(program, [...args, file], { stdio: 'inherit' });
  if (error || status)
    throw fail('input.invalid', `${editor}: ${error?.message ?? `exit ${status}`}`, text.config.noEditor);
  try {
    await openHost(context);
  } catch (thrown) {
    context.stderr.write(`${pc.yellow(text.config.again)}\n`);
    throw thrown;
  }
  stdout.write(`${text.config.fine}\n`);
  return EXIT.ok;
}

async function showPath(context: CliContext): Promise<number> {
  context.stdout.write(`${resolveHome(context).file('config.yaml')}\n`);
  return EXIT.ok;
}
