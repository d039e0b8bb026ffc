import pc from 'picocolors';
import { findServer, type FoundServer } from '#host';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { serveText } from '../text/serve-text.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'whether this home is served, and how it does', zh: '查看服务状态' },
  build: (cli, run, context) => {
    cli.option('--json', serveText[context.language].json).action(({ json = false }: { json?: boolean }) =>
      withHost(
        run,
        context,
      )(async (host) => {
        const found = await findServer(host);
        const lines = json ? JSON.stringify(found) : table(rows(found, context));
        context.stdout.write(`${lines}\n`);
        return found.state === 'running' ? EXIT.ok : EXIT.notRunning;
      }),
    );
  },
});

function rows(found: FoundServer, { language }: CliContext): string[][] {
  const text = serveText[language];
  const row = (name: string, ...words: string[]): string[] => [`${name}:`, words.join(', ')];
  if (found.state === 'absent') return [row(text.core, text.notRunning)];
  const { server } = found;
  if (found.state === 'silent') return [row(text.core, pc.red(text.silent(server.pid)))];
  const { status } = found;
  const core = row(text.core, pc.green(text.running(server.pid)));
  const up = text.up(lasting(Date.now() - Date.parse(server.startedAt)));
  const page = row(text.consoleRow, `${server.url}/`);
  if (!status) return [core, row(text.server, server.url, up), page, ['', pc.dim(text.noDetails)]];
  const { incidents, approvals, backends, gateway, memory, skills } = status;
  const { missing } = backends;
  return [
    core,
    row(text.server, server.url, up, `${status.version}, ${status.profile}`),
    page,
    row(text.incidents, text.open(incidents.open, incidents.needsPerson, approvals)),
    row(text.gateway, ...gateway.on.map((name) => `${name} ✓`)),
    row(
      text.backends,
      text.ready(backends.ready),
      ...(missing.length ? [pc.yellow(text.lacks(missing.join(', ')))] : []),
    ),
    row(text.memory, text.entries(memory.toLocaleString('en'))),
    row(text.skills, text.counted(skills.all, skills.custom)),
  ];
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units: `3 h 5 min`. */
function lasting(ms: number): string {
  let left = Math.max(0, Math.round(ms / 1_000));
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const count = Math.floor(left / seconds);
    left %= seconds;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ') || '0 s';
}
