import { Command, CommanderError } from 'commander';
import { type Host, openHost, preferredLanguage } from '#host';
import { nearest } from '#kit/nearest';
import type { CliContext } from './command.ts';
import { commands } from './commands.gen.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { showError } from './show-error.ts';
import { shownRecord } from './system-error.ts';
import { texts } from './text/index.ts';

/** Runs one command line and resolves to its exit status. Only the command that is named is loaded. */
export async function runCli(argv: readonly string[], version: string): Promise<number> {
  const { profile, rest } = takeProfile(argv);
  const context = makeContext(version, preferredLanguage(process.env, profile), profile);
  const fallen = (thrown: unknown): number => {
    const record = shownRecord(thrown, context);
    showError(record, context, thrown);
    return exitCodeOf(record.code);
  };
  // What nobody waited for, such as a listener that failed, is told like everything else.
  process.on('uncaughtException', (thrown) => process.exit(fallen(thrown)));
  let exitCode: number = EXIT.ok;
  const run = async (action: () => Promise<number>) => {
    exitCode = await action();
  };
  try {
    const line = withCommand(rest);
    const program = await buildProgram(line, context, run);
    await program.parseAsync(line, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (context.signal.aborted && thrown === context.signal.reason) return EXIT.aborted;
    return fallen(thrown);
  }
}

/** Options alone are those of the chat: `hermes --continue`. */
function withCommand(argv: string[]): string[] {
  const [first] = argv;
  const own =
    first === undefined || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first));
  return own ? ['chat', ...argv] : argv;
}

async function buildProgram(
  argv: readonly string[],
  context: CliContext,
  run: (action: () => Promise<number>) => Promise<void>,
): Promise<Command> {
  const { text, language } = context;
  const program = new Command('hermes')
    .description(text.description)
    .option('--profile <name>', text.options.profile)
    .option('-V, --version', text.options.version)
    .helpOption('-h, --help', text.options.help)
    .helpCommand(false)
    .addHelpText('after', `\n${text.exitStatuses}`)
    .exitOverride();
  const named = argv.find((word) => !word.startsWith('-'));
  const only = named && named in commands ? [named] : Object.keys(commands);
  if (named && !(named in commands)) refuseUnknown(named, text);
  for (const name of only) {
    const definition = await commands[name as keyof typeof commands]();
    const command = program.command(name).description(definition.summary[language]).exitOverride();
    const mayRun = async (action: () => Promise<number>) => {
      if (!definition.reads) {
        const { refuseFromCommand } = await import('#host/gate/refuse-from-command');
        await refuseFromCommand(context.host, argv);
      }
      await run(action);
    };
    definition.build(command, mayRun, context);
  }
  return program;
}

function refuseUnknown(name: string, text: CliContext['text']): never {
  const meant = nearest(name, Object.keys(commands));
  process.stderr.write(`${text.unknownCommand(name, meant)}\n`);
  throw new CommanderError(EXIT.usage, 'hermes.unknownCommand', name);
}

function makeContext(
  version: string,
  language: CliContext['language'],
  profile: string | undefined,
): CliContext {
  const controller = new AbortController();
  let host: Promise<Host> | undefined;
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return {
    version,
    language,
    text: texts[language],
    signal: controller.signal,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    profile,
    env: process.env,
    host: () => (host ??= openHost({ env: process.env, profile, version })),
  };
}

/** `--profile` may stand anywhere: before a command, after it, or inside it. */
function takeProfile(argv: readonly string[]): { profile: string | undefined; rest: string[] } {
  const rest: string[] = [];
  let profile: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === '--') return { profile, rest: [...rest, ...argv.slice(i)] };
    if (word.startsWith('--profile=')) profile = word.slice('--profile='.length);
    else if (word === '--profile' && i + 1 < argv.length) profile = argv[++i];
    else rest.push(word);
  }
  return { profile, rest };
}
