import { isCancel, select } from '@clack/prompts';
import pc from 'picocolors';
import { type Fault, FAULTS, runService } from '#demo';
import { fail } from '#kit/app-error';
import type { Incident } from '#spec/data';
import { type CliContext, defineCommand } from '../command.ts';
import { type DemoOutcome, type DemoRun, faultNamed, openDemo } from '../demo/run-demo.ts';
import { EXIT } from '../exit-code.ts';
import { incidentLines } from '../incident/show-incident.ts';
import { table } from '../table.ts';

interface DemoOptions {
  readonly fault?: string;
  readonly auto?: boolean;
  readonly real?: boolean;
  readonly watch?: boolean;
  readonly keep?: boolean;
}

const [FIRST] = FAULTS;

export const command = defineCommand({
  summary: { en: 'a payment system to break and watch being repaired', zh: '演示:注入故障并观看自动排障' },
  build: (cli, run, context) => {
    const { demo: text } = context.text.incident;
    cli
      .option('-f, --fault <fault>', text.fault)
      .option('--auto', text.auto)
      .option('--real', text.real)
      .option('--watch', text.watch)
      .option('--keep', text.keep)
      .action((options: DemoOptions) => run(() => runDemo(options, context)));
    cli
      .command('faults')
      .description(text.list)
      .action(() =>
        run(async () => {
          const rows = FAULTS.map((fault: Fault) => [
            pc.bold(fault.id),
            fault.title[context.language],
            pc.dim(fault.operation),
          ]);
          context.stdout.write(`${table(rows)}\n`);
          return EXIT.ok;
        }),
      );
    cli
      .command('service <name>', { hidden: true })
      .action((name: string) => run(async () => process.exit(await runService(name, process.env))));
  },
});

async function runDemo(options: DemoOptions, context: CliContext): Promise<number> {
  const asked = options.fault === undefined ? undefined : chosen(options.fault, context);
  const interactive = !options.auto && context.stdin.isTTY && context.stdout.isTTY;
  if (options.watch)
    return inDemo(options, context, async (opened) => {
      await opened.watch();
      return EXIT.ok;
    });
  if (interactive) return inDemo(options, context, (opened) => converse(opened, asked, context));
  let failed = 0;
  // Nobody can be asked here, which is what --auto says. Each in a system of its own: what one leaves behind would be part of the usual for the next.
  for (const fault of asked ?? [FIRST])
    failed += await inDemo(options, context, async (opened) => {
      const outcome = await opened.play(fault, async () => true);
      told(outcome, opened, context);
      return outcome.wrong.length;
    });
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

/** Runs the system for as long as `work` takes. */
async function inDemo<T>(
  { real = false, keep = false }: DemoOptions,
  context: CliContext,
  work: (opened: DemoRun) => Promise<T>,
): Promise<T> {
  const opened = await openDemo(context, { real, keep });
  try {
    opened.view.say(pc.dim(context.text.incident.demo.took));
    opened.view.say(`${context.text.incident.demo.console} ${pc.cyan(opened.address)}`);
    await opened.warmUp();
    return await work(opened);
  } finally {
    await opened.close();
  }
}

function chosen(name: string, { text }: CliContext): readonly Fault[] {
  if (name === 'all') return FAULTS;
  const fault = faultNamed(name);
  if (fault) return [fault];
  throw fail('input.invalid', text.incident.demo.unknown(name, FAULTS.map(({ id }) => id).join(', ')));
}

/** One fault after the other, for as long as somebody wants to see one. */
async function converse(
  opened: DemoRun,
  asked: readonly Fault[] | undefined,
  context: CliContext,
): Promise<number> {
  const { language, text } = context;
  for (let next = asked?.[0]; ; next = undefined) {
    const fault =
      next ??
      (await ask(
        text.incident.demo.fault,
        FAULTS.map((each: Fault) => ({ value: each, label: each.title[language], hint: each.id })),
      ));
    if (!fault) return EXIT.ok;
    await opened.warmUp();
    told(await opened.play(fault, (incident) => agree(incident, opened, context)), opened, context);
  }
}

async function agree(
  incident: Incident,
  { view, served }: DemoRun,
  context: CliContext,
): Promise<boolean | undefined> {
  const { incident: text } = context.text;
  const confirm = await served.incidents.confirmWord(incident);
  view.close();
  context.stdout.write(`\n${incidentLines(incident, context, { confirm }).join('\n')}\n\n`);
  return ask(text.demo.ask, [
    { value: true, label: text.demo.agree },
    { value: false, label: text.demo.decline },
  ]);
}

async function ask<T>(
  message: string,
  options: { value: T; label: string; hint?: string }[],
): Promise<T | undefined> {
  const answer = await select<unknown>({ message, options });
  return isCancel(answer) ? undefined : (answer as T);
}

function told({ incident, seconds, wrong }: DemoOutcome, { view }: DemoRun, { text }: CliContext): void {
  const { demo } = text.incident;
  if (!incident) view.say(`${pc.green('✓')} ${demo.quiet}`);
  const verdict = wrong.length
    ? `${pc.red('✗')} ${demo.wrong}: ${wrong.join('; ')}`
    : `${pc.green('✓')} ${demo.right}`;
  view.say(`${verdict}  ${pc.dim(demo.done(seconds))}`);
}
