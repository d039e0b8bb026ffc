import { Option } from 'commander';
import { join } from 'node:path';
import pc from 'picocolors';
import { LOG_FILES } from '#host';
import { fail } from '#kit/app-error';
import { LOG_LEVELS, type LogLevel } from '#spec/data';
import { safeText } from '../chat/safe-text.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { followLog, lastLines, type ReadLine, readLine } from '../serve/read-log.ts';
import { logText, type LogText } from '../text/log-text.ts';
import { wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

interface LogFlags {
  readonly tail?: number | true;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly level?: LogLevel;
  readonly incident?: string;
  readonly session?: string;
}

const USUAL_LINES = 100;

export const command = defineCommand({
  summary: { en: 'what this home tells: the server, incidents, sessions', zh: '查看日志:服务、事故、会话' },
  reads: true,
  build: (cli, run, context) => {
    const text = logText[context.language];
    cli
      .option('-n, --tail [number]', text.tail, wholeNumber('--tail', context, { least: 0 }))
      .option('-f, --follow', text.follow)
      .addOption(new Option('--level <level>', text.level).choices(LOG_LEVELS))
      .option('--incident <id>', text.incident)
      .option('--session <id>', text.session)
      .option('--json', text.json)
      .action((flags: LogFlags) =>
        withHost(
          run,
          context,
        )(async (host) => {
          const folder = host.home.dir('logs');
          const paths = LOG_FILES.map((name) => join(folder, name));
          const wanted = wantedBy(flags);
          const asJson = flags.json || !context.stdout.isTTY;
          const show = (line: ReadLine): void =>
            void context.stdout.write(`${asJson ? line.text : forPeople(line, text)}\n`);
          const lines = await lastLines(paths, countOf(flags), wanted);
          if (!lines && !flags.follow)
            throw fail('input.not_found', text.noLog(folder), 'hermes serve --daemon');
          lines?.forEach(show);
          if (lines?.length === 0 && flags.tail !== 0) context.stderr.write(`${text.none}\n`);
          if (flags.follow)
            for await (const line of followLog(paths, context.signal)) {
              const read = readLine(line);
              if (wanted(read)) show(read);
            }
          return EXIT.ok;
        }),
      );
  },
});

/** A story is told whole. */
function countOf({ tail, incident, session }: LogFlags): number {
  if (typeof tail === 'number') return tail;
  return incident === undefined && session === undefined ? USUAL_LINES : Number.POSITIVE_INFINITY;
}

/** The beginning of an id will do. */
function wantedBy({ level = 'debug', incident = '', session = '' }: LogFlags): (line: ReadLine) => boolean {
  const least = LOG_LEVELS.indexOf(level);
  if (least === 0 && !incident && !session) return () => true;
  return ({ record }) =>
    record !== undefined &&
    LOG_LEVELS.findIndex((each) => each === record['level']) >= least &&
    wordOf(record['incident']).startsWith(incident) &&
    wordOf(record['session']).startsWith(session);
}

const FIRST = ['method', 'route', 'path', 'status'];
const APART = new Set([
  'at',
  'level',
  'event',
  'pid',
  'error',
  'code',
  'requestId',
  'bytes',
  'address',
  ...FIRST,
]);

/** A line as people read it: when, how much it matters, what, and the rest of what is known. */
function forPeople({ text: line, record }: ReadLine, text: LogText): string {
  if (!record) return JSON.stringify(line);
  const { at, level, event, error, code } = record;
  const mark = level === 'error' ? pc.red('✗') : level === 'warn' ? pc.yellow('!') : pc.dim('·');
  const what = event === 'request.served' ? [] : [pc.bold(text.event(wordOf(event)))];
  const first = FIRST.flatMap((name) => (record[name] === undefined ? [] : [wordOf(record[name])]));
  const rest = Object.entries(record).flatMap(([name, value]) =>
    APART.has(name) || value === '' ? [] : [`${pc.dim(`${safeText(name)}=`)}${wordOf(value)}`],
  );
  const why =
    error === undefined ? '' : `\n  ${pc.red([code, error].filter(Boolean).map(wordOf).join(': '))}`;
  return `${pc.dim(wordOf(at).replace('T', ' ').slice(0, 19))} ${mark} ${[...what, ...first, ...rest].join('  ')}${why}`;
}

/** Nothing in a log may steer the terminal. */
const wordOf = (value: unknown): string =>
  value === undefined ? '' : safeText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
