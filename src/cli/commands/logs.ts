import pc from 'picocolors';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { safeText } from '../chat/safe-text.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { followLog, lastLines } from '../serve/read-log.ts';
import { serverLogFile } from '../serve/server-log-file.ts';
import { serveText } from '../text/serve-text.ts';
import { wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

interface LogFlags {
  readonly tail?: number | true;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const USUAL_LINES = 100;

export const command = defineCommand({
  summary: { en: 'the log of the server', zh: '查看服务日志' },
  reads: true,
  build: (cli, run, context) => {
    const text = serveText[context.language];
    cli
      .option('-n, --tail [number]', text.tail, wholeNumber('--tail', context, { least: 0 }))
      .option('-f, --follow', text.follow)
      .option('--json', text.json)
      .action(({ tail, follow = false, json = false }: LogFlags) =>
        withHost(
          run,
          context,
        )(async (host) => {
          const path = serverLogFile(host);
          const count = typeof tail === 'number' ? tail : USUAL_LINES;
          const shown = json || !context.stdout.isTTY ? (line: string) => line : forPeople;
          const lines = await lastLines(path, count);
          if (!lines) throw fail('input.not_found', text.noLog(path), 'hermes serve --daemon');
          for (const line of lines) context.stdout.write(`${shown(line)}\n`);
          if (follow)
            for await (const line of followLog(path, context.signal))
              context.stdout.write(`${shown(line)}\n`);
          return EXIT.ok;
        }),
      );
  },
});

/** A line of JSON as people read it. */
function forPeople(line: string): string {
  const record = parsed(line);
  if (!record) return JSON.stringify(line);
  const { at, level, event, method, route, path, status, ms, principal, error, url } = record;
  const mark = level === 'error' ? pc.red('✗') : level === 'warn' ? pc.yellow('!') : pc.dim('·');
  const words = [
    method,
    route ?? path,
    status,
    ms === undefined ? undefined : `${text(ms)} ms`,
    principal,
    url,
  ];
  const told = words.flatMap((word) => (word === undefined ? [] : [text(word)]));
  const what = event === 'request.served' ? '' : `${text(event)} `;
  const why = error === undefined ? '' : `\n  ${pc.red(text(error))}`;
  return `${pc.dim(text(at).slice(11, 19))} ${mark} ${what}${told.join('  ')}${why}`;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) ? record : undefined;
  } catch {
    // A line that a full disk has cut.
    return undefined;
  }
}

/** Nothing in a log may steer the terminal. */
const text = (value: unknown): string =>
  safeText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
