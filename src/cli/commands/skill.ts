import pc from 'picocolors';
import { checkSkill, explainSkill, runSkill, skillRuns } from '#app/skills';
import { viewBackends } from '#host/tools/home-backends';
import { fail } from '#kit/app-error';
import { askInTerminal } from '../ask-in-terminal.ts';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { stepLine, workflowProgress } from '../workflow-progress.ts';
import { table } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';
import { type NeedsOf, withHost } from '../with-host.ts';

interface RunOptions {
  readonly arg: readonly string[];
  readonly dryRun?: boolean;
  readonly fresh?: boolean;
  readonly from?: string;
  readonly run?: string;
  readonly json?: boolean;
  readonly backend?: string;
}

export const command = defineCommand({
  summary: {
    en: 'one workflow skill: run, validate, explain, look at its runs',
    zh: '工作流技能:运行、检查、解释、查看记录',
  },
  build: (cli, run, context) => {
    const { skills: text } = context.text;
    const act = withHost(run, context);
    const collect = (value: string, before: string[]) => [...before, value];
    cli.helpCommand(false);
    cli
      .command('run <name>')
      .description(text.run)
      .option('-a, --arg <name=value>', text.arg, collect, [])
      .option('-n, --dry-run', text.dryRun)
      .option('--fresh', text.fresh)
      .option('--from <step>', text.from)
      .option('--run <id>', text.fromRun)
      .option('-b, --backend <name>', text.backend)
      .option('--json', text.json)
      .action((name: string, options: RunOptions) => act((host) => runOne(host, name, options, context)));
    cli
      .command('validate <name>')
      .description(text.validate)
      .action((name: string) => act((host) => validate(host, name, context)));
    cli
      .command('explain <name>')
      .description(text.explain)
      .option('-a, --arg <name=value>', text.arg, collect, [])
      .action((name: string, { arg }: { arg: string[] }) => act((host) => explain(host, name, arg, context)));
    cli
      .command('runs')
      .description(text.runs)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 20)
      .action(({ limit }: { limit: number }) => act((host) => listRuns(host, limit, context)));
    cli
      .command('show <run>')
      .description(text.showRun)
      .action((id: string) => act((host) => showRun(host, id, context)));
  },
});

function argsOf(given: readonly string[], { text }: CliContext): Record<string, unknown> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0) throw fail('input.invalid', text.skills.badArg(pair));
      return [pair.slice(0, at), valueOf(pair.slice(at + 1))];
    }),
  );
}

/** Lists, objects, numbers and booleans as JSON writes them; anything else is text. */
function valueOf(text: string): unknown {
  if (!/^(?:[[{"]|true$|false$|-?\d+(?:\.\d+)?$)/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function runOne(
  host: NeedsOf<typeof runSkill> & NeedsOf<typeof viewBackends>,
  name: string,
  options: RunOptions,
  context: CliContext,
): Promise<number> {
  const { text, stdout, stderr, language, signal } = context;
  const progress = workflowProgress(context);
  const place = (await viewBackends(host)).find((one) =>
    options.backend ? one.name === options.backend : one.isDefault,
  );
  if (place) stderr.write(`${pc.dim(text.skills.runsIn(place.name))}\n`);
  const reply = await runSkill(host, name, {
    args: argsOf(options.arg, context),
    dryRun: options.dryRun ?? false,
    fresh: options.fresh ?? false,
    ...(options.from && options.run ? { from: { step: options.from, run: options.run } } : {}),
    cwd: process.cwd(),
    backend: options.backend,
    language,
    ask: askInTerminal(context),
    report: progress,
    signal,
  });
  if (!reply) {
    stderr.write(`${text.skills.leftRunning}\n`);
    return EXIT.aborted;
  }
  const { run, ageMs } = reply;
  if (options.json) stdout.write(`${JSON.stringify(run.result ?? run)}\n`);
  else {
    if (ageMs !== undefined) stderr.write(`${pc.dim(text.skills.keptResult(Math.round(ageMs / 1000)))}\n`);
    stdout.write(`${run.result?.text ?? run.problem ?? ''}\n`);
    for (const warning of run.result?.warnings ?? []) stderr.write(`${pc.yellow('!')} ${warning}\n`);
    stderr.write(`${pc.dim(`${text.skills.runStates[run.state]}  ${run.id}`)}\n`);
  }
  return run.state === 'done' || run.state === 'shown' ? EXIT.ok : EXIT.failed;
}

async function validate(
  host: NeedsOf<typeof checkSkill>,
  name: string,
  context: CliContext,
): Promise<number> {
  const { stdout, stderr, text, language } = context;
  const { workflow, problems, warnings } = await checkSkill(host, name, process.cwd(), language);
  for (const { path, line, problem, fix } of [...problems, ...warnings])
    stderr.write(`${path}${line === undefined ? '' : `:${line}`}: ${problem}. ${pc.dim(fix)}\n`);
  if (problems.length || !workflow) return EXIT.usage;
  stdout.write(`${text.skills.valid(workflow.name, workflow.steps.length)}\n`);
  return EXIT.ok;
}

async function explain(
  host: NeedsOf<typeof explainSkill>,
  name: string,
  given: readonly string[],
  context: CliContext,
): Promise<number> {
  const { stdout, text, language } = context;
  const { skills: words } = text;
  const plan = await explainSkill(host, name, argsOf(given, context), process.cwd(), language);
  stdout.write(`${pc.bold(plan.name)} ${plan.version}\n`);
  if (plan.arguments.length) {
    const rows = plan.arguments.map(({ name: argument, value, from }) => [
      `  ${argument}`,
      from === 'missing' ? pc.red(words.missing) : JSON.stringify(value),
    ]);
    stdout.write(`${words.arguments}\n${table(rows)}\n`);
  }
  for (const check of plan.preconditions) stdout.write(`${words.before}  ${check}\n`);
  for (const step of plan.steps) {
    const level = step.level === undefined ? words.unknownLevel : words.levels[step.level];
    const asks = step.asks.map((who) => pc.yellow(words.asks[who])).join(', ');
    stdout.write(`${pc.bold(`${step.id}. ${step.name}`)}  ${step.action}  ${pc.dim(level ?? '')}  ${asks}\n`);
    stdout.write(`${pc.dim(indent(step.input))}\n`);
    if (step.condition) stdout.write(`   ${pc.dim(`if ${step.condition}`)}\n`);
    if (step.missing)
      stdout.write(`   ${pc.red(`${words.missing}: ${step.missing.what}`)} ${step.missing.fix}\n`);
  }
  for (const check of plan.postconditions) stdout.write(`${words.after}  ${check}\n`);
  for (const { problem, fix } of plan.problems) stdout.write(`${pc.red('✗')} ${problem}. ${fix}\n`);
  return plan.problems.length ? EXIT.usage : EXIT.ok;
}

const indent = (lines: string): string => lines.replace(/^/gm, '   ');

async function listRuns(
  host: NeedsOf<typeof skillRuns>,
  limit: number,
  { stdout, text }: CliContext,
): Promise<number> {
  const runs = await skillRuns(host, { limit });
  const rows = runs.map(({ id, skill, version, state, startedAt, endedAt }) => [
    pc.dim(id),
    `${skill} ${version}`,
    text.skills.runStates[state],
    new Date(startedAt).toISOString().slice(0, 19).replace('T', ' '),
    endedAt === undefined ? '' : `${((endedAt - startedAt) / 1000).toFixed(1)} s`,
  ]);
  stdout.write(rows.length ? `${table(rows)}\n` : `${text.skills.noRuns}\n`);
  return EXIT.ok;
}

async function showRun(host: NeedsOf<typeof skillRuns>, id: string, context: CliContext): Promise<number> {
  const { stdout, text } = context;
  const [run] = await skillRuns(host, { id, limit: 1 });
  if (!run) throw fail('input.invalid', text.skills.noRun(id), 'hermes skill runs');
  stdout.write(
    `${pc.bold(`${run.skill} ${run.version}`)}  ${text.skills.runStates[run.state]}  ${pc.dim(run.id)}\n`,
  );
  for (const step of run.steps) {
    stdout.write(`${stepLine(step)}\n`);
    for (const part of [step.input, step.output, step.failure?.message, step.failure?.advice])
      if (part) stdout.write(`${pc.dim(indent(part.length > 800 ? `${part.slice(0, 800)}…` : part))}\n`);
  }
  if (run.result?.text) stdout.write(`\n${run.result.text}\n`);
  if (run.problem) stdout.write(`${pc.red(run.problem)}\n`);
  return EXIT.ok;
}
