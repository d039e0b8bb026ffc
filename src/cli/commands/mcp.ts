import pc from 'picocolors';
import type { Host } from '#host';
import type { McpServerStatus } from '#host';
import { serveMcp } from '#host/mcp/serve-mcp';
import { fail, toErrorRecord } from '#kit/app-error';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { PORTS, wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'mcp'>;

export const command = defineCommand({
  summary: { en: 'MCP servers: status, sign-in, accept; and being one', zh: 'MCP 服务器' },
  build: (cli, run, context) => {
    const { mcp: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('list', { isDefault: true })
      .description(text.list)
      .action(() => act((host) => status(host, false, context)));
    cli
      .command('status')
      .description(text.status)
      .action(() => act((host) => status(host, true, context)));
    cli
      .command('login <server>')
      .description(text.login)
      .action((server: string) => act((host) => login(host, server, context)));
    cli
      .command('accept <server>')
      .description(text.accept)
      .action((server: string) => act((host) => accept(host, server, context)));
    cli
      .command('serve')
      .description(text.serve)
      .option('--http <port>', text.http, wholeNumber('--http', context, PORTS))
      .option('--scopes <list>', text.scopes, 'sessions:read,approvals:read')
      .action((options: { http?: number; scopes: string }) => act((host) => serve(host, options, context)));
  },
});

async function clientsOf(host: Needs, { text, stderr }: CliContext) {
  const clients = await host.mcp(process.cwd(), async (url) => {
    stderr.write(`${text.mcp.signIn}\n  ${url}\n`);
  });
  if (!clients) throw fail('input.invalid', text.mcp.none);
  return clients;
}

async function status(host: Needs, start: boolean, context: CliContext): Promise<number> {
  const { stdout, text } = context;
  const clients = await host.mcp(process.cwd());
  if (!clients) {
    stdout.write(`${text.mcp.none}\n`);
    return EXIT.ok;
  }
  const problems = new Map<string, string>();
  if (start) {
    const known = (await clients.status()).filter(({ state }) => state !== 'off');
    await Promise.all(
      known.map(({ server }) =>
        clients.refresh(server).catch((thrown: unknown) => {
          problems.set(server, toErrorRecord(thrown).message);
        }),
      ),
    );
  }
  const found = await clients.status();
  const { columns } = text.mcp;
  const head = ['', columns.server, columns.state, columns.tools, columns.detail].map((word) => pc.dim(word));
  stdout.write(`${table([head, ...found.map((one) => row(one, problems.get(one.server)))])}\n`);
  for (const server of problems.keys()) {
    const said = clients.output(server).trim();
    if (said) stdout.write(`\n${pc.bold(server)}\n${pc.dim(said)}\n`);
  }
  return problems.size ? EXIT.failed : EXIT.ok;
}

function row(
  { server, state, tools, changed, restarts, error, revision }: McpServerStatus,
  problem: string | undefined,
): string[] {
  const bad = problem !== undefined || state === 'failed';
  const mark = bad ? pc.red('✗') : state === 'ready' ? pc.green('✓') : pc.dim('–');
  const detail = [
    problem ?? error ?? '',
    revision ?? '',
    restarts ? `restarts: ${restarts}` : '',
    changed.length ? pc.yellow(`changed: ${changed.join(', ')} (hermes mcp accept ${server})`) : '',
  ];
  return [mark, server, state, String(tools), detail.filter(Boolean).join(' · ')];
}

async function login(host: Needs, server: string, context: CliContext): Promise<number> {
  const clients = await clientsOf(host, context);
  await clients.refresh(server);
  return status(host, false, context);
}

async function accept(host: Needs, server: string, context: CliContext): Promise<number> {
  const clients = await clientsOf(host, context);
  await clients.acceptTools(server);
  const found = (await clients.status()).find((one) => one.server === server);
  context.stdout.write(`${context.text.mcp.accepted(server, found?.tools ?? 0)}\n`);
  return EXIT.ok;
}

async function serve(
  host: Pick<Host, 'database' | 'gate' | 'loaded' | 'version'>,
  options: { http?: number; scopes: string },
  { stderr, signal }: CliContext,
): Promise<number> {
  const scopes = options.scopes.split(',').filter(Boolean);
  await serveMcp(host, { port: options.http, scopes, signal, log: (text) => void stderr.write(`${text}\n`) });
  return EXIT.ok;
}
