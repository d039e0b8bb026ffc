import pc from 'picocolors';
import type { Host } from '#host';
import { learningLines } from '#app/skills';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'skills'>;

export const command = defineCommand({
  summary: {
    en: 'what was learned: tasks, skills, versions, edits to undo',
    zh: '学到的内容:任务、技能、版本、可撤销的修改',
  },
  build: (cli, run, context) => {
    const { learn: text } = context.text.skills;
    const act = withHost(run, context);
    const learning = async (host: Needs) => (await host.skills(process.cwd())).learning;
    const say = (line: string) => {
      context.stdout.write(`${line}\n`);
      return EXIT.ok;
    };
    cli.helpCommand(false);
    cli
      .command('status', { isDefault: true })
      .description(text.status)
      .action(() => act((host) => status(host, context)));
    for (const verb of ['reflect', 'curate'] as const)
      cli
        .command(verb)
        .description(text[verb])
        .action(() =>
          act(async (host) => {
            const events = await (await learning(host))[verb](context.signal);
            return say((await learningLines(events, context.language)).join('\n') || text.nothing);
          }),
        );
    cli
      .command('undo <edit>')
      .description(text.undo)
      .action((edit: string) =>
        act(async (host) => {
          await (await learning(host)).undo(edit);
          return say(text.done);
        }),
      );
    for (const verb of ['pin', 'unpin'] as const)
      cli
        .command(`${verb} <skill>`)
        .description(text[verb])
        .action((skill: string) =>
          act(async (host) => {
            const { library, learning: loop } = await host.skills(process.cwd());
            await loop.pin((await library.get(skill)).name, verb === 'pin');
            return say(text.done);
          }),
        );
    cli
      .command('restore <skill>')
      .description(text.restore)
      .action((skill: string) =>
        act(async (host) => {
          const events = [await (await learning(host)).restore(skill)];
          return say((await learningLines(events, context.language)).join('\n'));
        }),
      );
  },
});

async function status(host: Needs, { stdout, text }: CliContext): Promise<number> {
  const { learn: words } = text.skills;
  const { learning } = await host.skills(process.cwd());
  const { experiences, kinds, skills, proposals, ledger } = await learning.status();
  const head = (line: string) => stdout.write(`\n${pc.bold(line)}\n`);
  stdout.write(`${words.experiences(experiences)}\n`);
  if (kinds.length) {
    head(words.kinds);
    const rows = kinds.map(({ example, successes, missing }) => [
      `  ${String(successes).padStart(3)}×`,
      short(example),
      pc.dim(words.missing(missing)),
    ]);
    stdout.write(`${table(rows)}\n`);
  }
  if (skills.length) head(words.skills);
  for (const { name, version, form, trust, demoted, pinned, stale, total, curve, versions } of skills) {
    const marks = [demoted && words.demoted, pinned && words.pinned, stale && words.stale]
      .filter(Boolean)
      .join(', ');
    stdout.write(
      `  ${pc.bold(name)} ${version} ${pc.dim(`${form} ${trust}`)}  ${words.uses(total.uses, percent(total.successes, total.uses))}  ${spark(curve)} ${pc.dim(words.calls)} ${pc.yellow(marks)}\n`,
    );
    for (const one of versions)
      stdout.write(
        pc.dim(
          `      ${one.version} ${one.state}  ${words.uses(one.uses, percent(one.successes, one.uses))}  ${short(one.why)}\n`,
        ),
      );
  }
  if (proposals.length) head(words.proposals);
  for (const { kind, skill, what, accepted, why } of proposals.slice(0, 8))
    stdout.write(
      `  ${accepted ? pc.green('✓') : pc.dim('✗')} ${kind} ${pc.bold(skill)}: ${short(what)}  ${pc.dim(short(why, 90))}\n`,
    );
  if (ledger.length) head(words.ledger);
  for (const { id, action, skill, why, undone, at } of ledger)
    stdout.write(
      `  ${pc.dim(id)} ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} ${action} ${pc.bold(skill)}: ${short(why)}${undone ? ` (${words.undone})` : ''}\n`,
    );
  return EXIT.ok;
}

const short = (text: string, most = 70): string => {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
};
const percent = (part: number, whole: number): string =>
  whole ? `${Math.round((part / whole) * 100)} %` : '–';
const BARS = '▁▂▃▄▅▆▇█';
const spark = (values: readonly number[]): string => {
  const most = Math.max(...values, 1);
  return values.map((value) => BARS[Math.min(7, Math.floor((value / most) * 7.99))]).join('');
};
