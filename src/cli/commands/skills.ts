import pc from 'picocolors';
import type { Host } from '#host';
import { openHub } from '#host/skills/open-hub';
import type { HiddenReason as SkillHiddenReason } from '#app/skills';
import { askInTerminal } from '../ask-in-terminal.ts';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'skills'>;

type Hub = Awaited<ReturnType<typeof openHub>>;
type Agree = NonNullable<Parameters<Hub['install']>[1]['agree']>;

export const command = defineCommand({
  summary: {
    en: 'skills: list, view, search, install, update, publish, audit',
    zh: '技能:查看、搜索、安装、更新、发布、审计',
  },
  build: (cli, run, context) => {
    const { skills: text } = context.text;
    const act = withHost(run, context);
    const hub = (work: (hub: Hub) => Promise<number>) =>
      act(async (host) => work(await openHub(host, process.cwd())));
    cli.helpCommand(false);
    cli
      .command('list', { isDefault: true })
      .description(text.list)
      .option('-a, --all', text.all)
      .action(({ all }: { all?: boolean }) => act((host) => list(host, all ?? false, context)));
    cli
      .command('view <name> [file]')
      .description(text.view)
      .action((name: string, file: string | undefined) => act((host) => view(host, name, file, context)));
    cli
      .command('search <words...>')
      .description(text.search)
      .action((words: string[]) => act((host) => search(host, words.join(' '), context)));
    cli
      .command('install <source>')
      .description(text.install)
      .option('-c, --category <name>', text.category)
      .option('-s, --skill <name>', text.which)
      .option('-y, --yes', text.yes)
      .action((source: string, options: { category?: string; skill?: string; yes?: boolean }) =>
        hub(async (open) => {
          const { yes, ...rest } = options;
          const agree = agreement(yes ?? false, context);
          const given = { ...rest, ...(agree ? { agree } : {}), signal: context.signal };
          return tell([await open.install(open.source(source, process.cwd()), given)], context);
        }),
      );
    cli
      .command('update [name]')
      .description(text.update)
      .option('--keep', text.keep)
      .option('--replace', text.replace)
      .option('-y, --yes', text.yes)
      .action((name: string | undefined, options: { keep?: boolean; replace?: boolean; yes?: boolean }) =>
        hub(async (open) => {
          const agree = agreement(options.yes ?? false, context);
          const edited = options.keep ? 'keep' : options.replace ? 'replace' : undefined;
          const given = {
            ...(edited ? { edited } : {}),
            ...(agree ? { agree } : {}),
            signal: context.signal,
          };
          return tell(await open.update(name, given as Parameters<Hub['update']>[1]), context);
        }),
      );
    cli
      .command('uninstall <name>')
      .description(text.uninstall)
      .option('--force', text.force)
      .action((name: string, { force }: { force?: boolean }) =>
        hub(async (open) => tell([await open.uninstall(name, force ? 'remove' : undefined)], context)),
      );
    cli
      .command('audit')
      .description(text.audit)
      .action(() => hub((open) => audit(open, context)));
    cli
      .command('publish <name>')
      .description(text.publish)
      .requiredOption('--to <folder>', text.to)
      .requiredOption('--publisher <name>', text.publisher)
      .option('-y, --yes', text.yes)
      .action((name: string, options: { to: string; publisher: string; yes?: boolean }) =>
        act(async (host) => {
          const { library } = await host.skills(process.cwd());
          const skill = await library.get(name);
          const open = await openHub(host, process.cwd());
          const agree = agreement(options.yes ?? false, context);
          const path = skill.path.replace(/\/SKILL\.md$/, '');
          const { to, publisher } = options;
          return tell([await open.publish({ path, to, publisher, ...(agree ? { agree } : {}) })], context);
        }),
      );
  },
});

async function list(host: Needs, all: boolean, { stdout, stderr, text }: CliContext): Promise<number> {
  const { library } = await host.skills(process.cwd());
  const { skills: words } = text;
  const offered = await library.offered();
  if (!offered.length) stdout.write(`${words.none}\n`);
  for (const category of [...new Set(offered.map((skill) => skill.category))].toSorted()) {
    stdout.write(`${pc.bold(category)}\n`);
    const rows = offered
      .filter((skill) => skill.category === category)
      .map(({ name, form, version, trust, description }) => [
        `  ${form === 'workflow' ? '⚙' : '¶'}`,
        name,
        pc.dim(version),
        pc.dim(trust),
        pc.dim(short(description)),
      ]);
    stdout.write(`${table(rows)}\n`);
  }
  const hidden = all ? await library.hidden() : [];
  for (const { skill, reasons } of hidden)
    stdout.write(
      `${pc.red('✗')} ${skill.name}  ${pc.dim(`${words.hidden}: ${reasons.map((reason) => why(reason, words.reasons)).join('; ')}`)}\n`,
    );
  const shadowed = all ? await library.shadowed() : [];
  for (const { skill } of shadowed)
    stdout.write(`${pc.yellow('~')} ${skill.root}/${skill.path}  ${pc.dim(words.shadows)}\n`);
  for (const { root, path, line, problem, fix } of await library.problems())
    stderr.write(
      `${pc.yellow('!')} ${root}/${path}${line === undefined ? '' : `:${line}`} ${words.problems}: ${problem}. ${pc.dim(fix)}\n`,
    );
  return EXIT.ok;
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

function why(reason: SkillHiddenReason, words: CliContext['text']['skills']['reasons']): string {
  const names =
    'missing' in reason
      ? reason.missing
      : 'wanted' in reason
        ? reason.wanted
        : 'there' in reason
          ? reason.there
          : [];
  return [words[reason.kind], ...names].join(' ');
}

async function view(
  host: Needs,
  name: string,
  file: string | undefined,
  { stdout }: CliContext,
): Promise<number> {
  const { library } = await host.skills(process.cwd());
  const { skill, text, files } = await library.view(name, file);
  if (!file)
    stdout.write(
      `${pc.bold(`${skill.name} ${skill.version}`)}  ${pc.dim(`${skill.root}/${skill.path}  ${skill.trust}`)}\n${skill.description}\n\n`,
    );
  stdout.write(`${text.trimEnd()}\n`);
  for (const beside of file ? [] : files) stdout.write(`${pc.dim(beside)}\n`);
  return EXIT.ok;
}

async function search(
  host: Pick<Host, 'home' | 'loaded' | 'onClose' | 'skills'>,
  words: string,
  { stdout, stderr, text, signal }: CliContext,
): Promise<number> {
  const { library } = await host.skills(process.cwd());
  const here = await library.search(words, 8);
  const hub = await openHub(host, process.cwd());
  const { found, problems } = await hub.search(words, signal);
  const rows = [
    ...here.map(({ skill }) => [
      skill.name,
      pc.dim(skill.version),
      pc.dim(skill.root),
      short(skill.description),
    ]),
    ...found.map(({ name, version, trust, installed, description }) => [
      name,
      pc.dim(installed ?? version),
      pc.dim(installed ? text.skills.status.installed : trust),
      short(description),
    ]),
  ];
  stdout.write(rows.length ? `${table(rows)}\n` : `${text.skills.nothingFound}\n`);
  for (const { registry, message } of problems) stderr.write(`${pc.yellow('!')} ${registry}: ${message}\n`);
  return EXIT.ok;
}

/** What was found is shown, then somebody says yes; without anybody, only what needs no yes is done. */
function agreement(yes: boolean, context: CliContext): Agree | undefined {
  const ask = askInTerminal(context);
  const { skills: text } = context.text;
  if (!yes && !ask) return undefined;
  return async (proposal) => {
    for (const { path, line, rule, shown } of proposal.findings)
      context.stderr.write(`${pc.yellow('!')} ${path}:${line} ${rule}  ${pc.dim(shown)}\n`);
    if (proposal.diff) context.stderr.write(`${proposal.diff}\n`);
    if (yes || !ask) return yes;
    const [no, agreed] = text.yesNo as [string, string];
    return (await ask(text.agree(proposal.name, proposal.trust, proposal.verdict), [no, agreed])) === agreed;
  };
}

type Told = Awaited<ReturnType<Hub['install'] | Hub['uninstall'] | Hub['publish']>>;

function tell(outcomes: readonly Told[], { stdout, stderr, text }: CliContext): number {
  const { skills: words } = text;
  if (!outcomes.length) stdout.write(`${words.nothingInstalled}\n`);
  let failed = false;
  for (const outcome of outcomes) {
    if (outcome.status === 'refused') {
      failed = true;
      stderr.write(
        `${pc.red('✗')} ${outcome.name}: ${words.refusals[outcome.reason]}${outcome.details.length ? ` (${outcome.details.join(', ')})` : ''}\n`,
      );
      for (const { path, line, rule, shown } of outcome.findings)
        stderr.write(`  ${path}:${line} ${rule}  ${pc.dim(shown)}\n`);
      continue;
    }
    const where =
      outcome.status === 'published' ? outcome.archive : `${outcome.skill.path} ${outcome.skill.version}`;
    stdout.write(`${pc.green('✓')} ${outcome.name}: ${words.status[outcome.status]}  ${pc.dim(where)}\n`);
  }
  return failed ? EXIT.failed : EXIT.ok;
}

async function audit(hub: Hub, { stdout, text }: CliContext): Promise<number> {
  const { skills: words } = text;
  const audits = await hub.audit();
  if (!audits.length) stdout.write(`${words.nothingInstalled}\n`);
  let worst = EXIT.ok as number;
  for (const { name, state, verdict, changes, findings, trust } of audits) {
    const bad = state !== 'intact' || verdict === 'dangerous';
    if (bad) worst = EXIT.failed;
    stdout.write(
      `${bad ? pc.red('✗') : pc.green('✓')} ${name}  ${words.states[state]}  ${verdict}  ${pc.dim(trust)}\n`,
    );
    for (const { path, change } of changes) stdout.write(`    ${change} ${path}\n`);
    for (const { path, line, rule } of findings) stdout.write(pc.dim(`    ${path}:${line} ${rule}\n`));
  }
  return worst;
}
