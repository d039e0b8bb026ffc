import { Option } from 'commander';
import { join } from 'node:path';
import { followLog, lastLines, LOG_FILES, type ReadLine, readLine } from '#host';
import { fail } from '#kit/app-error';
import { LOG_LEVELS, type LogLevel } from '#spec/data';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { lineForPeople, wordOf } from '../serve/line-for-people.ts';
import { logText } from '../text/log-text.ts';
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
            void context.stdout.write(`${asJson ? line.text : lineForPeople(line, text)}\n`);
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
