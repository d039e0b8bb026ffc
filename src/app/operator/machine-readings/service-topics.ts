import { columns, named, numberIn } from './figures.ts';
import { defineTopic, report, spare, type Taken } from './topic.ts';

const journal = (input: object) => ({ name: 'journal_tail', input });
/** Lines of a journal that tell something; what stands between dashes is a remark of it. */
const entries = (taken: Taken | undefined): string[] =>
  (taken?.lines ?? []).filter((line) => /^\d{4}-\d\d-\d\dT/.test(line));
const newestFirst = (lines: readonly string[]): string[] => lines.toReversed();

/** The kernel dumps registers and frames in one go: of what stands in the same second, the first line and the last tell it. */
function bursts(lines: readonly string[]): string[] {
  const second = (line: string): string => /^\S+?(?=[.,])/.exec(line)?.[0] ?? line;
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && second(last[0] as string) === second(line)) last.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => (group.length > 2 ? [group[0] as string, group.at(-1) as string] : group));
}

export const failedUnits = defineTopic({
  title: ['Failed units', '失败的单元'],
  example: ['did any service fail?', '有没有服务挂了?'],
  calls: () => [report('failed_units')],
  tell([taken], say) {
    if (!taken || taken.failed) return undefined;
    const names = taken.lines
      .map((line) => columns(line.replace(/^●\s*/, ''))[0] ?? '')
      .filter((name) => /\.\w+$/.test(name));
    if (names.length === 0 && taken.lines.length > 0) return undefined;
    return {
      sentence:
        names.length > 0
          ? say(
              `${names.length} units have failed: ${named(names, say)}.`,
              `${names.length} 个单元失败：${named(names, say)}。`,
            )
          : say('systemd lists no failed unit.', 'systemd 没有列出失败的单元。'),
      lines: taken.lines,
    };
  },
});

export const services = defineTopic({
  title: ['Running services', '运行中的服务'],
  example: ['which services are running?', '现在跑着哪些服务?'],
  calls: () => [
    report('running_services', { top: 200 }),
    spare({ name: 'process_top', input: { by: 'memory', limit: 200 } }),
  ],
  tell([units, processes], say) {
    const names = (units?.lines ?? [])
      .map((line) => columns(line)[0] ?? '')
      .filter((name) => name.endsWith('.service'));
    if (names.length > 0)
      return {
        sentence: say(
          `${names.length} services run: ${named(
            names.map((name) => name.replace('.service', '')),
            say,
            12,
          )}.`,
          `${names.length} 个服务在运行：${named(
            names.map((name) => name.replace('.service', '')),
            say,
            12,
          )}。`,
        ),
        lines: units?.lines ?? [],
      };
    const running = [
      ...new Set((processes?.lines ?? []).flatMap((line) => /^\d+ (.+) \(.+\): /.exec(line)?.[1] ?? [])),
    ];
    if (running.length === 0) return undefined;
    return {
      sentence: say(
        `Services were not measured; these programs run: ${named(running, say, 12)}.`,
        `未能列出服务；正在运行的程序：${named(running, say, 12)}。`,
      ),
      lines: running,
    };
  },
});

export const schedule = defineTopic({
  title: ['Timers and cron', '定时任务'],
  example: ['which cron jobs and timers are there?', '有哪些定时任务?'],
  calls: () => [
    report('timers', { top: 100 }),
    spare(report('cron_entries', { top: 200 })),
    spare(report('cron_scripts')),
  ],
  tell([timers, entriesOf, scripts], say) {
    const timed = (timers?.lines ?? []).filter((line) => /\.timer\b/.test(line));
    const jobs = (entriesOf?.lines ?? []).filter(
      (line) => /^\/[^:]+:.*\S/.test(line) && !/:\s*[A-Z_]+\s*=/.test(line),
    );
    const daily = (scripts?.lines ?? []).filter((line) => line.startsWith('/etc/cron.'));
    if (timed.length + jobs.length + daily.length === 0) return undefined;
    const known = timers?.failed
      ? say('timers not measured', 'timer 未能测量')
      : say(`${timed.length} timers of systemd`, `${timed.length} 个 systemd timer`);
    return {
      sentence: say(
        `Scheduled: ${known}, ${jobs.length} cron entries, ${daily.length} cron scripts.`,
        `定时任务：${known}，${jobs.length} 条 cron，${daily.length} 个 cron 脚本。`,
      ),
      lines: [...jobs, ...timed, ...daily],
      notes: [say('Crontabs of other users are seen only as root.', '其他用户的 crontab 只有 root 能看到。')],
    };
  },
});

export const errors = defineTopic({
  title: ['Recent errors', '最近的错误日志'],
  example: ['any errors in the system log in the last hour?', '最近有什么报错日志?'],
  calls: ({ count }) => [
    journal({ priority: 'err', since: `${count ?? 24} hours ago`, lines: 500 }),
    spare(report('kernel_log', { top: 2_000 })),
  ],
  tell([taken, kernel], say, { count: hours = 24 }) {
    const found = entries(taken);
    const noted = entries(kernel);
    if (taken && !taken.failed && (found.length > 0 || /There are no entries/.test(taken.text)))
      return {
        sentence:
          found.length > 0
            ? say(
                `The journal has ${found.length} errors of the last ${hours} hours, the newest first:`,
                `最近 ${hours} 小时日志里有 ${found.length} 条错误，最新的在前：`,
              )
            : say(
                `The journal has no entry of priority err or worse in the last ${hours} hours.`,
                `最近 ${hours} 小时日志里没有 err 及以上级别的条目。`,
              ),
        lines: newestFirst(found),
      };
    if (noted.length === 0) return undefined;
    return {
      sentence: say(
        `The journal was not measured; the kernel alone tells of ${noted.length} warnings and errors, the newest first:`,
        `未能读取系统日志；仅内核日志就有 ${noted.length} 条警告或错误，最新的在前：`,
      ),
      lines: newestFirst(bursts(noted)),
    };
  },
});

export const kernelLog = defineTopic({
  title: ['Kernel log', '内核日志'],
  example: ['show kernel errors from dmesg', 'dmesg 里有没有报错?'],
  calls: () => [spare(report('kernel_log', { top: 2_000 })), spare(report('kernel_errors', { top: 100 }))],
  tell([log, kept], say) {
    const [own, stored] = [entries(log), entries(kept)];
    const lines = own.length > 0 ? own : stored;
    // dmesg prints nothing where there is nothing; what is no entry is no answer.
    const isQuiet = log && !log.failed && log.lines.length === 0;
    const saysSo = kept && !kept.failed && kept.lines.some((line) => /^-- .* --$/.test(line));
    if (lines.length === 0 && !isQuiet && !saysSo) return undefined;
    const disks = lines.filter((line) =>
      /I\/O error|EXT4-fs error|XFS.*error|Remounting filesystem read-only|blk_update_request/i.test(line),
    ).length;
    const memory = lines.filter((line) => /out of memory|oom-kill/i.test(line)).length;
    return {
      sentence:
        lines.length > 0
          ? say(
              `The kernel tells of ${lines.length} warnings and errors (${disks} about disks, ${memory} about memory), the newest first:`,
              `内核有 ${lines.length} 条警告或错误（磁盘 ${disks} 条，内存 ${memory} 条），最新的在前：`,
            )
          : say(
              'The kernel log that can be read holds no warning and no error.',
              '可读到的内核日志里没有警告和错误。',
            ),
      lines: newestFirst(bursts(lines)),
    };
  },
});

export const oom = defineTopic({
  title: ['OOM kills', 'OOM 杀进程'],
  example: ['did the OOM killer kill anything?', '有没有进程被 OOM 杀掉?'],
  calls: () => [report('oom_count'), spare(report('oom_log')), spare(report('kernel_log', { top: 2_000 }))],
  tell([counted, log, kernel], say) {
    const killed = numberIn(/^oom_kill (\d+)/m.exec(counted?.text ?? '')?.[1]);
    const told = [...entries(log), ...entries(kernel)].filter((line) =>
      /out of memory|oom-kill|killed process/i.test(line),
    );
    if (killed === undefined && told.length === 0) return undefined;
    const names = [
      ...new Set(told.flatMap((line) => /Killed process \d+ \(([^)]+)\)/.exec(line)?.[1] ?? [])),
    ];
    const many = killed ?? told.length;
    return {
      sentence:
        many > 0
          ? say(
              `The kernel killed ${many} processes for lack of memory since the last boot${names.length > 0 ? `: ${named(names, say)}` : ''}.`,
              `自上次启动以来，内核因内存不足杀掉了 ${many} 个进程${names.length > 0 ? `：${named(names, say)}` : ''}。`,
            )
          : say(
              'The kernel counts no OOM kill since the last boot.',
              '自上次启动以来，内核记录的 OOM 杀进程次数为 0。',
            ),
      lines: newestFirst(told),
    };
  },
  runbook: 'oom-killed',
});

export const unitLog = defineTopic({
  needs: ['unit'],
  title: ['Log of a service', '某个服务的日志'],
  example: ['show the last log lines of nginx', '看一下 nginx 最近的日志'],
  calls: ({ unit, count }) => [journal({ unit, lines: Math.min(Math.max(count ?? 200, 1), 2_000) })],
  tell([taken], say, { unit = '' }) {
    if (!taken || taken.failed)
      return {
        sentence: say(
          `The log of ${unit}: not measured, its journal cannot be read here.`,
          `${unit} 的日志：未能测量，这里无法读取它的 systemd 日志。`,
        ),
        notes: [
          say(
            `Where it writes to a file, name that file: \`show the last lines of /var/log/${unit}.log\` (\`ls /var/log\` lists them; sshd writes to \`auth.log\` or \`secure\`). On the machine that runs it: \`journalctl -u ${unit} -p warning -n 100\`, or \`hermes skill run log_triage --arg unit=${unit}\`.`,
            `如果它写到文件,请说出文件:\`看 /var/log/${unit}.log 最后几行\`(\`ls /var/log\` 可列出;sshd 写在 \`auth.log\` 或 \`secure\`)。在运行它的机器上:\`journalctl -u ${unit} -p warning -n 100\`,或 \`hermes skill run log_triage --arg unit=${unit}\`。`,
          ),
        ],
      };
    const found = entries(taken);
    if (found.length === 0 && !/There are no entries/.test(taken.text)) return undefined;
    const bad = found.filter((line) => /\b(?:error|fail(?:ed|ure)?|fatal|panic|segfault|oom)\b/i.test(line));
    return {
      sentence:
        found.length > 0
          ? say(
              `Of the last ${found.length} lines of ${unit}, ${bad.length} sound like an error; the newest first:`,
              `${unit} 最近 ${found.length} 行日志中有 ${bad.length} 行像是错误；最新的在前：`,
            )
          : say(
              `The journal holds no entry of a unit named ${unit}: it may have another name, or write to a file.`,
              `日志里没有名为 ${unit} 的单元的条目：它可能叫别的名字，或者写到文件里。`,
            ),
      lines: newestFirst(found),
    };
  },
});

export const logFile = defineTopic({
  needs: ['path'],
  title: ['End of a log file', '日志文件末尾'],
  example: ['show the last lines of /var/log/syslog', '看 /var/log/syslog 最后几行'],
  calls: ({ path, count }) => [
    { name: 'read_file', input: { path, offset: -Math.min(Math.max(count ?? 15, 1), 200) } },
  ],
  tell([taken], say, { path = '' }) {
    if (!taken || taken.failed || taken.lines.length === 0) return undefined;
    const rows = taken.lines.filter((line) => /^\s*\d+\t/.test(line));
    const last = numberIn(rows.at(-1)?.trim());
    if (rows.length === 0)
      return / is empty\.$/m.test(taken.text)
        ? { sentence: say(`${path} is empty.`, `${path} 是空的。`) }
        : undefined;
    const bad = rows.filter((line) => /\b(?:error|fail(?:ed|ure)?|fatal|panic)\b/i.test(line)).length;
    return {
      sentence: say(
        `${path} has ${last} lines; of the last ${rows.length}, ${bad} sound like an error.`,
        `${path} 共 ${last} 行；最后 ${rows.length} 行里有 ${bad} 行像是错误。`,
      ),
      lines: rows.slice(-15),
    };
  },
});
