import pc from 'picocolors';
import { formatProblem } from '#config';
import type { FoundServer } from '#host';
import { findServer } from '#host/served/running-server';
import { findUnread } from '#host/config/find-unread';
import { openOwnReach } from '#host/reach/open-reach';
import { reachSentence, type ReachView, type ServedStatus, viewReach } from '#app/status';
import { toErrorRecord } from '#kit/app-error';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { serveText } from '../text/serve-text.ts';
import { type NeedsOf, withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'whether this home is served, and how it does', zh: '查看服务状态' },
  reads: true,
  build: (cli, run, context) => {
    cli.option('--json', serveText[context.language].json).action(({ json = false }: { json?: boolean }) =>
      withHost(
        run,
        context,
      )(async (host) => {
        const found = await findServer(host);
        // Whoever serves the home has asked already; otherwise it is asked now.
        const own = found.state === 'absent' ? await ownState(host) : undefined;
        const lines = json ? JSON.stringify({ ...found, ...own }) : table(rows(found, own, context));
        context.stdout.write(`${lines}\n`);
        return found.state === 'running' ? EXIT.ok : EXIT.notRunning;
      }),
    );
  },
});

type OwnState = Partial<Pick<ServedStatus, 'reach' | 'unread'>> & { readonly problem?: string };

/** What can be told of a home that nobody serves. */
async function ownState(host: NeedsOf<typeof openOwnReach> & NeedsOf<typeof findUnread>): Promise<OwnState> {
  try {
    const reach = await openOwnReach(host);
    const [unread] = await Promise.all([findUnread(host), reach.askAll()]);
    return { reach: reach.things().map(viewReach), unread };
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return { problem: [message, hint].filter(Boolean).join('\n') };
  }
}

const row = (name: string, ...words: string[]): string[] => [name && `${name}:`, words.join(', ')];

function rows(found: FoundServer, own: OwnState | undefined, context: CliContext): string[][] {
  const text = serveText[context.language];
  if (found.state === 'absent')
    return [
      row(text.core, text.notRunning),
      ...(own?.reach ? reachRows(own.reach, context) : []),
      ...(own?.problem ? own.problem.split('\n').map((line) => row('', pc.red(line))) : []),
      ...unreadRows(own?.unread ?? [], context),
    ];
  const { server } = found;
  if (found.state === 'silent') return [row(text.core, pc.red(text.silent(server.pid)))];
  const { status } = found;
  const core = row(text.core, pc.green(text.running(server.pid)));
  const up = text.up(lasting(Date.now() - Date.parse(server.startedAt)));
  const page = row(text.consoleRow, `${server.url}/`);
  if (!status) return [core, row(text.server, server.url, up), page, ['', pc.dim(text.noDetails)]];
  const { incidents, approvals, gateway, memory, skills, cron } = status;
  return [
    core,
    row(text.server, server.url, up, `${status.version}, ${status.profile}`),
    page,
    row(text.incidents, text.open(incidents.open, incidents.needsPerson, approvals)),
    row(text.gateway, ...gateway.on.map((name) => `${name} ✓`)),
    row(text.cron, cron === undefined ? text.noJobs : pc.yellow(text.jobs(cron))),
    ...reachRows(status.reach, context),
    row(text.memory, text.entries(memory.toLocaleString('en'))),
    row(text.skills, text.counted(skills.all, skills.custom)),
    ...unreadRows(status.unread, context),
  ];
}

/** A line for each part: how many were reached, and a sentence for each that was not. */
function reachRows(reach: readonly ReachView[], { language }: CliContext): string[][] {
  const text = serveText[language];
  const parts = [...new Set(reach.map(({ part }) => part))];
  return parts.flatMap((part) => {
    const all = reach.filter((view) => view.part === part);
    const reached = all.filter(({ state }) => state === 'reached');
    const others = all.filter(({ state }) => state !== 'reached');
    const counted =
      all.length > 1 || reached.length === all.length
        ? [row(text.parts[part], text.reached(reached.length, all.length))]
        : [];
    const told = others.map((view, at) => {
      const named = view.name === view.part ? '' : `${view.name}: `;
      const sentence = named + reachSentence(view, language);
      const name = counted.length === 0 && at === 0 ? text.parts[part] : '';
      return row(name, view.state === 'failing' ? pc.red(sentence) : pc.yellow(sentence));
    });
    return [...counted, ...told];
  });
}

const unreadRows = (unread: ServedStatus['unread'], { language }: CliContext): string[][] =>
  unread.map((problem, at) => {
    const line = formatProblem(problem, language);
    return row(at === 0 ? serveText[language].unread : '', pc.yellow(line));
  });

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
