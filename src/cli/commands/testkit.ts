import { readFile } from 'node:fs/promises';
import pc from 'picocolors';
import { fail } from '#kit/app-error';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { PORTS, wholeNumber } from '../whole-number.ts';

interface ServerOptions {
  port: number;
  script?: string;
  fault: string[];
}

export const command = defineCommand({
  summary: { en: 'stand-ins to try Hermes with', zh: '试用与测试替身' },
  reads: true,
  build: (cli, run, context) => {
    const { text } = context;
    cli.helpCommand(false);
    cli
      .command('model-server')
      .description(text.testkit.server)
      .option('--port <number>', text.testkit.port, wholeNumber('--port', context, PORTS), 4141)
      .option('--script <file>', text.testkit.script)
      .option('--fault <spec>', text.testkit.fault, (spec: string, specs: string[]) => [...specs, spec], [])
      .action((options: ServerOptions) => run(() => modelServer(options, context)));
  },
});

async function modelServer(options: ServerOptions, { text, stdout, signal }: CliContext): Promise<number> {
  const { demoScript, loadScript, parseFault, startModelServer } = await import('#testkit/model-server');
  const { port } = options;
  const script = options.script ? loadScript(await readScript(options.script), options.script) : demoScript;
  const server = await startModelServer({ script, port, log: (line) => stdout.write(`${pc.dim(line)}\n`) });
  server.plan(options.fault.map(parseFault));
  stdout.write(`${text.testkit.listening(server.url)}\n\n${text.testkit.tryIt}\n`);
  stdout.write(
    `  HERMES_BASE_URL=${server.url}/v1 HERMES_API_KEY=demo HERMES_MODEL=demo hermes run "hello"\n\n`,
  );
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
  return EXIT.ok;
}

async function readScript(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: Error) => {
    throw fail('input.invalid', `${path}: ${cause.message}`, undefined, cause);
  });
}
