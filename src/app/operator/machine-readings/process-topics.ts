import { columns, named, sizeOf, spanOf } from './figures.ts';
import { defineTopic, report, spare } from './topic.ts';

const ROW = /^(\d+) (.+) \((.+)\): ([\d.]+) % CPU, (\d+) MiB$/;

function topTopic(
  by: 'cpu' | 'memory',
  title: readonly [string, string],
  example: readonly [string, string],
) {
  return defineTopic({
    title,
    example,
    calls: ({ count }) => [
      { name: 'process_top', input: { by, limit: Math.min(Math.max(count ?? 12, 1), 15) } },
    ],
    tell([taken], say) {
      const rows = (taken?.lines ?? []).flatMap((line) => {
        const [, pid, name, user, cpu, mib] = ROW.exec(line) ?? [];
        return pid === undefined ? [] : [{ pid, name, user, cpu, mib, line }];
      });
      const [first] = rows;
      if (!first) return undefined;
      const { name, pid, user, cpu, mib } = first;
      return {
        sentence:
          by === 'cpu'
            ? say(
                `Most processor time: ${name} (pid ${pid}, ${user}) with ${cpu} % CPU since it began.`,
                `占用 CPU 最多的是 ${name}（pid ${pid}，用户 ${user}）：${cpu} %（自启动以来平均）。`,
              )
            : say(
                `Most memory: ${name} (pid ${pid}, ${user}) with ${mib} MiB.`,
                `占用内存最多的是 ${name}（pid ${pid}，用户 ${user}）：${mib} MiB。`,
              ),
        lines: rows.map(({ line }) => line),
      };
    },
  });
}

export const topCpu = topTopic(
  'cpu',
  ['Top processes by CPU', '占 CPU 最多的进程'],
  ['what is eating the CPU?', '哪个进程占 CPU 最多?'],
);
export const topMemory = topTopic(
  'memory',
  ['Top processes by memory', '占内存最多的进程'],
  ['which process uses the most memory?', '哪个进程最吃内存?'],
);

/** Programs and units that people call by another name. */
const ALIASES: readonly (readonly string[])[] = [
  ['postgresql', 'postgres'],
  ['redis', 'redis-server'],
  ['mysql', 'mysqld', 'mariadb', 'mariadbd'],
  ['ssh', 'sshd'],
  ['docker', 'dockerd'],
  ['apache', 'apache2', 'httpd'],
  ['cron', 'crond'],
  ['mongodb', 'mongod'],
  ['ntp', 'ntpd', 'chronyd', 'chrony'],
  ['haproxy'],
  ['python', 'python3'],
  // Node calls its first thread so.
  ['node', 'nodejs', 'MainThread'],
];

/** What a program may be called, as a process and as a unit. */
function namesOf(said: string): readonly string[] {
  const name = said.replace(/\.(?:service|socket|timer)$/, '');
  return [...new Set([name, ...(ALIASES.find((group) => group.includes(name)) ?? [])])];
}

const programs = (said: string) => namesOf(said).filter((name) => /^[A-Za-z0-9][\w.+@-]*$/.test(name));

export const service = defineTopic({
  needs: ['unit'],
  title: ['A service or process by name', '某个服务或进程'],
  example: ['is nginx running?', 'nginx 在运行吗?'],
  calls: ({ unit = '' }) => [
    report('named_processes', { names: programs(unit) }),
    { name: 'service_status', input: { services: namesOf(unit) } },
  ],
  tell([running, units], say, { unit = '' }) {
    const counted = running && !running.failed && running.lines.some((line) => /^\s*PID\s/.test(line));
    const rows = counted ? running.lines.filter((line) => /^\s*\d+\s/.test(line)) : [];
    const states = (units?.lines ?? []).filter((line) => /^\S+: \w+ \([\w-]+\)$/.test(line));
    const told =
      states.find((line) => /: active /.test(line)) ??
      states.find((line) => /: failed /.test(line)) ??
      states[0];
    if (!counted && told === undefined) return undefined;
    const oldest = Math.max(0, ...rows.map((line) => Number(columns(line)[5])).filter(Number.isFinite));
    const held = rows.map((line) => Number(columns(line)[4])).filter(Number.isFinite);
    const memory = sizeOf(held.reduce((sum, kb) => sum + kb, 0));
    const seen = !counted
      ? say('its processes were not measured', '未能测量其进程')
      : rows.length > 0
        ? say(
            `${rows.length} ${rows.length === 1 ? 'process runs' : 'processes run'} and hold ${memory} of memory, the oldest for ${spanOf(oldest, say)}`,
            `有 ${rows.length} 个进程在运行，共占内存 ${memory}，最早的已运行 ${spanOf(oldest, say)}`,
          )
        : say('no process of that name runs', '没有这个名字的进程在运行');
    const state =
      told === undefined
        ? say('its systemd unit was not measured', '未能测量其 systemd 单元')
        : say(`systemd unit ${told}`, `systemd 单元 ${told}`);
    return {
      sentence: say(`${unit}: ${seen}; ${state}.`, `${unit}：${seen}；${state}。`),
      lines: [
        ...(rows.length > 0 ? (running?.lines ?? []).slice(0, 10) : []),
        ...(states.length > 1 ? states : []),
      ],
      notes: [
        counted &&
          rows.length === 0 &&
          say(
            `Looked for by exact name: ${programs(unit).join(', ')}.`,
            `按准确的进程名查找：${programs(unit).join('、')}。`,
          ),
      ],
    };
  },
});

export const processByPid = defineTopic({
  needs: ['pid'],
  title: ['A process by its pid', '按 pid 看进程'],
  example: ['what is pid 1?', 'pid 1 是什么进程?'],
  calls: ({ pid }) => [
    report('process', { pid }),
    spare(report('process_group', { pid })),
    spare(report('process_limits', { pid })),
  ],
  tell([found, group], say, { pid }) {
    if (!found || found.failed || !/^\s*PID\s/.test(found.lines[0] ?? '')) return undefined;
    const row = found.lines.find((line) => columns(line)[0] === String(pid));
    if (!row) return { sentence: say(`There is no process ${pid} here.`, `这里没有 pid ${pid} 的进程。`) };
    const [, parent, user] = columns(row);
    const command = /:\d\d \d{4} (.+)$/.exec(row)?.[1] ?? row;
    return {
      sentence: say(
        `${pid} is \`${command.slice(0, 100)}\` of ${user}, started by ${parent}.`,
        `${pid} 是用户 ${user} 的 \`${command.slice(0, 100)}\`，父进程 ${parent}。`,
      ),
      lines: [...found.lines, ...(group?.lines ?? [])],
    };
  },
});

export const zombies = defineTopic({
  title: ['Zombie processes', '僵尸进程'],
  example: ['are there zombie processes?', '有没有僵尸进程?'],
  calls: () => [report('zombies')],
  tell([taken], say) {
    const all = Number(/^processes: (\d+)$/.exec(taken?.lines[0] ?? '')?.[1] ?? 0);
    if (!taken || all === 0) return undefined;
    const rows = taken.lines.filter((line) => line.startsWith('Z'));
    const parents = [...new Set(rows.map((line) => columns(line)[2] ?? ''))];
    return {
      sentence:
        rows.length > 0
          ? say(
              `${rows.length} of ${all} processes are zombies; their parents: ${named(parents, say)}.`,
              `${all} 个进程中有 ${rows.length} 个僵尸进程；父进程：${named(parents, say)}。`,
            )
          : say(`None of the ${all} processes is a zombie.`, `${all} 个进程中没有僵尸进程。`),
      lines: rows,
      notes: [
        rows.length > 0 &&
          say(
            'A zombie takes no memory and cannot be killed: it goes when its parent collects it. Look at the parent (`what is pid N?`); a parent that never does is restarted.',
            '僵尸进程不占内存也杀不掉,父进程回收后才会消失。请看父进程(`pid N 是什么进程?`);一直不回收的父进程需要重启。',
          ),
      ],
    };
  },
});

const ENGINES = ['docker', 'podman'] as const;

export const containers = defineTopic({
  title: ['Containers', '容器'],
  example: ['which containers are running?', '有哪些容器在运行?'],
  calls: () => ENGINES.map((engine) => spare({ name: 'container_list', input: { engine } })),
  tell(all, say) {
    const asked = all.flatMap((taken, at) => (taken.failed ? [] : [{ taken, engine: ENGINES[at] ?? '' }]));
    const names = asked.map(({ engine }) => engine).join(say(' and ', '、'));
    const silent = ENGINES.filter((_, at) => all[at]?.failed).join(say(' and ', '、'));
    const notes = [
      silent &&
        say(
          `Not installed here, or its daemon does not answer: ${silent} (\`systemctl status ${silent}\`).`,
          `这里没有安装,或守护进程没有应答:${silent}(可查 \`systemctl status ${silent}\`)。`,
        ),
    ];
    if (asked.length === 0)
      return {
        sentence: say(
          'No container engine answers on this machine: whether containers run was not measured.',
          '本机没有容器引擎应答:是否有容器在运行未能测量。',
        ),
        notes: [
          say(
            'In a cluster: `kubectl get pods -A` shows restarts; with containerd: `crictl ps -a`.',
            '在集群里用 `kubectl get pods -A` 看重启次数;containerd 用 `crictl ps -a`。',
          ),
        ],
      };
    const lines = asked.flatMap(({ taken }) => taken.lines);
    if (asked.every(({ taken }) => /There are no such containers/.test(taken.text)))
      return { notes, sentence: say(`${names} lists no container.`, `${names} 没有列出任何容器。`) };
    const rows = lines.filter((line) => /^.+ \(.*\): .+$/.test(line));
    if (rows.length === 0) return undefined;
    const up = rows.filter((line) => /: up/i.test(line));
    const ill = rows.filter((line) => /unhealthy|restarting/i.test(line)).map(nameOf);
    return {
      sentence: say(
        `${up.length} of ${rows.length} containers are up${ill.length > 0 ? `; unhealthy or restarting: ${named(ill, say)}` : ''}.`,
        `${rows.length} 个容器中 ${up.length} 个在运行${ill.length > 0 ? `；不健康或反复重启：${named(ill, say)}` : ''}。`,
      ),
      lines: [...rows.filter((line) => !up.includes(line)), ...up],
      notes,
    };
  },
  runbook: 'crash-loop',
});

const nameOf = (line: string): string => line.replace(/ \(.*$/, '');
