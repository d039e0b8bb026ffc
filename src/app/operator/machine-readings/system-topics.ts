import { type Bottleneck, machineWaits } from '#kit/bottleneck';
import { byFile, columns, fields, numberIn, percent, sizeOf, spanOf } from './figures.ts';
import { defineTopic, report, type Say, spare, type Taken } from './topic.ts';

const top = (by: 'cpu' | 'memory', limit: number) => ({ name: 'process_top', input: { by, limit } });
/** `123 name (user): 4 % CPU, 5 MiB` */
const isProcess = (line: string): boolean => /^\d+ .+: [\d.]+ % CPU, \d+ MiB$/.test(line);
const processes = ({ lines }: Taken): string[] => lines.filter(isProcess);

function memoryFigures({ lines }: Taken) {
  const found = fields(lines);
  const total = numberIn(found.get('MemTotal'));
  const available = numberIn(found.get('MemAvailable')) ?? numberIn(found.get('MemFree'));
  if (total === undefined || available === undefined || total <= 0) return undefined;
  const swap = numberIn(found.get('SwapTotal')) ?? 0;
  return {
    total,
    available,
    used: total - available,
    swap,
    swapUsed: swap - (numberIn(found.get('SwapFree')) ?? swap),
  };
}

function memorySentence(facts: NonNullable<ReturnType<typeof memoryFigures>>, say: Say): string {
  const { total, available, used, swap, swapUsed } = facts;
  const share = percent(used, total);
  const swapEn =
    swap === 0
      ? 'none set up'
      : swapUsed === 0
        ? `none of ${sizeOf(swap)} in use`
        : `${sizeOf(swapUsed)} of ${sizeOf(swap)} in use`;
  const swapZh = swap === 0 ? '未配置' : `已用 ${sizeOf(swapUsed)} / ${sizeOf(swap)}`;
  const tight = available / total < 0.1;
  return say(
    `Memory: ${sizeOf(used)} of ${sizeOf(total)} used (${share} %), ${sizeOf(available)} available${tight ? ', which is little' : ''}; swap: ${swapEn}.`,
    `内存：已用 ${sizeOf(used)} / ${sizeOf(total)}（${share} %），可用 ${sizeOf(available)}${tight ? '，余量很少' : ''}；swap：${swapZh}。`,
  );
}

export const memory = defineTopic({
  title: ['Memory and swap', '内存与 swap'],
  example: ['how much memory is free on this machine?', '这台机器还有多少内存?'],
  calls: () => [report('meminfo'), top('memory', 8), report('oom_count')],
  tell([info, held, kills], say) {
    const facts = info && memoryFigures(info);
    if (!facts) return undefined;
    const killed = numberIn(/oom_kill (\d+)/.exec(kills?.text ?? '')?.[1]) ?? 0;
    return {
      sentence: memorySentence(facts, say),
      lines: held ? processes(held) : [],
      notes: [
        killed > 0 &&
          say(
            `The kernel killed ${killed} processes for lack of memory since the last boot.`,
            `自上次启动以来，内核因内存不足杀掉了 ${killed} 个进程。`,
          ),
      ],
    };
  },
  runbook: 'oom-killed',
});

function uptimeFigures({ lines }: Taken) {
  const files = byFile(lines);
  const up = numberIn(files.get('/proc/uptime')?.[0]);
  const loads = columns(files.get('/proc/loadavg')?.[0] ?? '')
    .slice(0, 3)
    .map(Number);
  return { up, loads: loads.length === 3 && loads.every(Number.isFinite) ? loads : undefined };
}

export const load = defineTopic({
  title: ['Load', '负载'],
  example: ['what is the load average?', '现在负载高不高?'],
  calls: () => [report('uptime'), report('processors'), top('cpu', 8), spare(report('bottleneck'))],
  tell([times, count, busy, waits], say) {
    const loads = times && uptimeFigures(times).loads;
    if (!loads) return undefined;
    const processors = numberIn(count?.lines[0]);
    const now = loads[0] ?? 0;
    const share = processors ? percent(now, processors) : undefined;
    const verdict =
      share === undefined
        ? ''
        : share > 100
          ? say(': more work than processors', '，超过了处理器的能力')
          : say(': there is room', '，还有余量');
    return {
      sentence: say(
        `Load: ${loads.join(', ')} (1, 5, 15 minutes)${processors ? ` on ${processors} processors, ${share} % now` : ''}${verdict}.`,
        `负载：${loads.join('、')}（1、5、15 分钟）${processors ? `，处理器 ${processors} 个，当前为 ${share} %` : ''}${verdict}。`,
      ),
      lines: busy ? processes(busy) : [],
      notes: [waitsNote(waits, say)],
    };
  },
});

const HELD: Readonly<Record<Bottleneck, readonly [en: string, zh: string]>> = {
  cpu: ['the processor (CPU)', 'CPU'],
  memory: ['memory', '内存'],
  io: ['the disk (I/O)', '磁盘 I/O'],
};

/** What holds the machine back, as far as the kernel tells. */
function waitsNote(taken: Taken | undefined, say: Say): string | undefined {
  const waits = taken && !taken.failed ? machineWaits(taken.lines) : undefined;
  if (!waits) return undefined;
  return waits.by
    ? say(`What holds it back most now: ${HELD[waits.by][0]}.`, `目前最可能的瓶颈：${HELD[waits.by][1]}。`)
    : say('Neither processor, memory nor disk holds it back now.', '目前 CPU、内存、磁盘都不是瓶颈。');
}

export const uptime = defineTopic({
  title: ['Uptime and reboots', '运行时间与重启'],
  example: ['when was the last reboot?', '上次重启是什么时候?'],
  calls: () => [report('uptime'), spare(report('reboots')), spare(report('boots')), report('date')],
  tell([times, reboots, boots, date], say) {
    const up = times && uptimeFigures(times).up;
    if (up === undefined) return undefined;
    const zone = /([+-]\d\d)(\d\d)$/.exec(date?.lines[0] ?? '');
    const began = new Date(Date.now() - up * 1_000);
    const since = zone
      ? shifted(began, `${zone[1]}:${zone[2]}`)
      : `${began.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const seen = [...(reboots?.lines ?? []), ...(boots?.lines ?? [])].filter(
      (line) => !/^wtmp begins|^IDX/.test(line),
    );
    return {
      sentence: say(
        `Up for ${spanOf(up, say)}: the last boot was at ${since}.`,
        `已运行 ${spanOf(up, say)}：上次启动是 ${since}。`,
      ),
      lines: seen,
      notes: [seen.length === 0 && say('No earlier reboot is on record here.', '这里没有更早的重启记录。')],
    };
  },
});

/** A moment in the zone of the machine. */
function shifted(moment: Date, zone: string): string {
  const [hours = 0, minutes = 0] = zone.split(':').map(Number);
  const offset = (hours * 60 + (hours < 0 || zone.startsWith('-') ? -minutes : minutes)) * 60_000;
  return `${new Date(moment.getTime() + offset).toISOString().slice(0, 16).replace('T', ' ')} ${zone}`;
}

export const os = defineTopic({
  title: ['System, kernel and host name', '操作系统、内核与主机名'],
  example: ['which OS and kernel version is this?', '这台机器是什么系统、内核版本多少?'],
  calls: () => [report('system')],
  tell([system], say) {
    const files = byFile(system?.lines ?? []);
    const release = fields(files.get('/etc/os-release') ?? []);
    const name = release.get('PRETTY_NAME') ?? release.get('NAME');
    const kernel = files.get('/proc/sys/kernel/osrelease')?.[0];
    const host = files.get('/proc/sys/kernel/hostname')?.[0];
    if (!name && !kernel && !host) return undefined;
    const hardware = [
      files.get('/sys/class/dmi/id/sys_vendor')?.[0],
      files.get('/sys/class/dmi/id/product_name')?.[0],
    ].filter(Boolean);
    const unknown = say('unknown', '未知');
    return {
      sentence: say(
        `This is ${name ?? unknown}, kernel ${kernel ?? unknown}, host name ${host ?? unknown}.`,
        `系统：${name ?? unknown}；内核：${kernel ?? unknown}；主机名：${host ?? unknown}。`,
      ),
      lines: [
        ...(files.get('/proc/sys/kernel/version') ?? []),
        ...(hardware.length ? [hardware.join(' ')] : []),
      ],
    };
  },
});

export const time = defineTopic({
  title: ['Time and clock', '时间与时钟'],
  example: ['is the clock of this machine synchronised?', '本机时间和时区对吗,NTP 同步了吗?'],
  calls: () => [report('date'), report('clock'), spare(report('time_sync'))],
  tell([date, clock, chrony], say) {
    const now = date?.lines[0];
    const state = fields(clock?.lines ?? []);
    if (now === undefined || !/^\d{4}-\d\d-\d\d /.test(now)) return undefined;
    const zone = state.get('Timezone');
    const synced = state.get('NTPSynchronized');
    const offset = /System time\s*:\s*(.+)/.exec(chrony?.text ?? '')?.[1];
    const sync =
      synced === 'yes'
        ? say('the clock is synchronised', '时钟已同步')
        : synced === 'no'
          ? say('the clock is NOT synchronised', '时钟没有同步')
          : offset
            ? say(`chrony: ${offset}`, `chrony：${offset}`)
            : say('whether the clock is synchronised could not be measured', '未能测量时钟是否同步');
    return {
      sentence: say(
        `It is ${now}${zone ? ` (${zone})` : ''}; ${sync}.`,
        `现在是 ${now}${zone ? `（${zone}）` : ''}；${sync}。`,
      ),
      lines: [
        ...(clock?.lines ?? []).filter((line) =>
          /^(?:Timezone|LocalRTC|NTP|NTPSynchronized|TimeUSec)=/.test(line),
        ),
        ...(chrony?.lines ?? []),
      ],
      notes: [
        say(
          'Times of logs stand in the zone of whoever wrote them: UTC and UTC+8 (Beijing) are 8 hours apart. Another zone for this machine, by a person: `timedatectl set-timezone Asia/Shanghai`; whether it is in step: `chronyc tracking`.',
          '日志的时间按写入者的时区：UTC 与东八区（北京时间）相差 8 小时。要改本机时区，请由人执行：`timedatectl set-timezone Asia/Shanghai`；是否同步：`chronyc tracking`。',
        ),
      ],
    };
  },
});

export const limits = defineTopic({
  title: ['Limits', '资源限制'],
  example: ['what are the ulimits of pid 1?', '打开文件数上限是多少?'],
  calls: ({ pid }) => [report('limits'), ...(pid === undefined ? [] : [report('process_limits', { pid })])],
  tell([taken, ofProcess], say, { pid }) {
    const files = byFile(taken?.lines ?? []);
    const [open, , most] = columns(files.get('/proc/sys/fs/file-nr')?.[0] ?? '');
    const own = ofProcess && !ofProcess.failed ? ofProcess.lines : (files.get('/proc/self/limits') ?? []);
    const row = own.find((line) => line.startsWith('Max open files'));
    const [soft, hard] = columns(row?.replace('Max open files', '') ?? '');
    if (most === undefined || !soft) return undefined;
    const whose =
      ofProcess && !ofProcess.failed ? `pid ${pid}` : say('what Hermes starts', 'Hermes 启动的进程');
    const kernel = [...files]
      .filter(([file]) => file.startsWith('/proc/sys/'))
      .map(([file, [value]]) => `${file.replace('/proc/sys/', '').replaceAll('/', '.')} = ${value}`);
    return {
      sentence: say(
        `Open files: ${soft} (soft) and ${hard} (hard) for ${whose}; ${open} of ${most} in the whole system.`,
        `打开文件数上限：${whose} 为 ${soft}（软）/ ${hard}（硬）；全系统已用 ${open} / ${most}。`,
      ),
      lines: [
        ...kernel,
        ...own.filter((line) =>
          /^Max (?:open files|processes|locked memory|core file size|stack size)/.test(line),
        ),
      ],
    };
  },
});

export const openFiles = defineTopic({
  title: ['Open files', '打开的文件'],
  example: ['which process has the most open files?', '哪个进程打开的文件最多?'],
  calls: () => [report('limits'), report('open_files', { top: 15 }), top('memory', 200)],
  tell([limit, counts, list], say) {
    const [open, , most] = columns(byFile(limit?.lines ?? []).get('/proc/sys/fs/file-nr')?.[0] ?? '');
    if (open === undefined || most === undefined) return undefined;
    const names = new Map(
      processes(list ?? { failed: true, lines: [], text: '' }).map((line) => [
        columns(line)[0] ?? '',
        line.replace(/:.*$/, ''),
      ]),
    );
    const rows = (counts?.lines ?? [])
      .filter((line) => /^\d+ \d+$/.test(line))
      .map((line) => line.split(' ') as [string, string]);
    const [first] = rows;
    const share = percent(Number(open), Number(most));
    const leader = first
      ? say(
          `; most in one process: ${first[0]} (${names.get(first[1]) ?? `pid ${first[1]}`})`,
          `；最多的进程：${names.get(first[1]) ?? `pid ${first[1]}`}，${first[0]} 个`,
        )
      : '';
    return {
      sentence: say(
        `${open} file handles are open of ${most} (${share} %)${leader}.`,
        `已打开 ${open} 个文件句柄，上限 ${most}（${share} %）${leader}。`,
      ),
      lines: rows.map(([many, pid]) => `${many.padStart(6)}  ${names.get(pid) ?? pid}`),
      notes: [say('Counted are the processes that Hermes may look at.', '只统计 Hermes 有权查看的进程。')],
    };
  },
});

export const updates = defineTopic({
  title: ['Updates', '可升级的软件包'],
  example: ['are there pending updates?', '有没有待升级的包,要不要重启?'],
  calls: () => [report('upgrades', { top: 2_000 }), report('reboot_required')],
  tell([list, reboot], say) {
    if (!list || list.failed || !list.lines.some((line) => line.startsWith('Listing'))) return undefined;
    const rows = list.lines.filter((line) => line.includes('[upgradable from'));
    const security = rows.filter((line) => /security/.test(line)).length;
    const required = byFile(reboot?.lines ?? []).has('/run/reboot-required');
    return {
      sentence: say(
        `${rows.length} packages can be upgraded (${security} from a security source); ${required ? 'a reboot is asked for' : 'no reboot is asked for (/run/reboot-required is not there)'}.`,
        `${rows.length} 个软件包可升级（其中 ${security} 个来自安全源）；${required ? '系统要求重启' : '没有要求重启（没有 /run/reboot-required）'}。`,
      ),
      lines: rows,
      notes: [say('As of the last time the lists of packages were fetched.', '以上次拉取软件包列表时为准。')],
    };
  },
});

export const packageVersion = defineTopic({
  needs: ['unit'],
  title: ['Version of a package', '软件包版本'],
  example: ['which version of openssl is installed?', 'openssl 装的是什么版本?'],
  calls: ({ unit = '' }) => [
    spare(report('package', { name: unit, manager: 'dpkg' })),
    spare(report('package', { name: unit, manager: 'rpm' })),
  ],
  tell([debian, redhat], say, { unit = '' }) {
    const row = columns(debian?.lines[0] ?? '');
    if (row.length >= 3 && row[2] === 'installed')
      return { sentence: say(`${row[0]} ${row[1]} is installed.`, `已安装 ${row[0]} ${row[1]}。`) };
    const rpm = redhat?.lines.find((line) => line.startsWith(`${unit}-`));
    if (rpm) return { sentence: say(`${rpm} is installed.`, `已安装 ${rpm}。`) };
    const none =
      /no packages found|is not installed$/m.test(`${debian?.text}\n${redhat?.text}`) || row[0] === unit;
    return none
      ? {
          sentence: say(`No package named ${unit} is installed here.`, `这里没有安装名为 ${unit} 的软件包。`),
        }
      : undefined;
  },
});

export const ioWait = defineTopic({
  title: ['Waiting for disks', '磁盘 I/O 等待'],
  example: ['is there high io wait?', 'iowait 高不高,有进程卡在 D 状态吗?'],
  calls: () => [report('activity'), report('bottleneck'), report('waiting')],
  tell([activity, pressure, waiting], say) {
    const head = activity?.lines.find((line) => /^\s*r\s+b\s/.test(line));
    const at = columns(head ?? '').indexOf('wa');
    const rows = (activity?.lines ?? []).filter((line) => /^\s*\d+\s+\d+\s/.test(line)).slice(1);
    const waits = rows.map((line) => Number(columns(line)[at])).filter(Number.isFinite);
    const stuck = (waiting?.lines ?? []).filter((line) => line.startsWith('D'));
    const io = byFile(pressure?.lines ?? []).get('/proc/pressure/io')?.[0];
    if (at < 0 || waits.length === 0) return undefined;
    const wait = Math.round(waits.reduce((sum, one) => sum + one, 0) / waits.length);
    const held =
      waiting && !waiting.failed
        ? say(
            `; ${stuck.length} processes wait for a disk right now (state D)`,
            `；当前有 ${stuck.length} 个进程处于 D 状态`,
          )
        : '';
    return {
      sentence: say(
        `Processors wait ${wait} % of their time for disks${held}.`,
        `处理器有 ${wait} % 的时间在等磁盘（iowait）${held}。`,
      ),
      lines: [...(activity?.lines ?? []), ...(io ? [`pressure io: ${io}`] : []), ...stuck],
      notes: [waitsNote(pressure, say)],
    };
  },
});
