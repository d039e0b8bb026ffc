import { tell } from '#kit/text';
import { forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known, type Rule } from '../grammar.ts';
import { byVerb, each, reads } from '../verbs.ts';
import { asks, couldMeanHermes, denies, mentionsHermes } from './rules.ts';

const HELP = '--help --version';

/** `kill`: one process by its number is fine, all of them never. */
const kill: Program = (call) => {
  call.level(2);
  const args = [...call.args];
  if (/^-(?:l|L|-list)$/.test(args[0]?.text ?? '')) return OPAQUE;
  if (args.some((arg) => arg.feed?.commands.some((command) => command.some(couldMeanHermes))))
    call.deny(tell('would end Hermes itself', '会结束 Hermes 自身'));
  if (/^(?:-s|-n|--signal|-q)$/.test(args[0]?.text ?? '')) args.splice(0, 2);
  else if (args[0]?.text.startsWith('-') && args[0].text !== '--') args.shift();
  for (const target of args) {
    if (target.text === '--') continue;
    if (/^-0*1$/.test(target.text)) call.deny(tell('ends every process', '会结束全部进程'));
    else if (/^0*1$/.test(target.text))
      call.deny(tell('ends the first process, on which all others depend', '会结束其他进程都依赖的首个进程'));
    else if (/^-\d+$|^0+$/.test(target.text))
      call.ask(tell('ends a whole group of processes', '会结束整组进程'));
    else if (!target.literal && !/^\$(?:!|\{!\}|\w*(?:pid|PID)\w*)$/.test(target.text))
      call.ask(tell('ends processes that cannot be told beforehand', '会结束无法事先得知的进程'));
    else if (target.literal && !/^(?:\d+|%[\w+-]*)$/.test(target.text))
      call.ask(tell('ends processes by something else than their number', '不按进程号结束进程'));
  }
  return EMPTY;
};

/** By name: whoever has the same name goes, too. */
const killByName: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const operands = words.filter((word) => !word.startsWith('-'));
  if (mentionsHermes(words) || operands.some((word) => /^(?:\.|\.\*|\.\+|\^|\$)$/.test(word)))
    call.deny(tell('would end Hermes itself', '会结束 Hermes 自身'));
  const users = words.some((word) => /^-[uU]|^--u(?:ser|id)/.test(word));
  if (users && operands.length <= 1)
    call.deny(tell('ends every process of a user', '会结束某个用户的全部进程'));
  call.ask(tell('ends every process with a name', '会结束同名的全部进程'));
  return EMPTY;
};

const STOPS_MACHINE =
  /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|soft-reboot|exit|default|switch-root|isolate)$/;
const SYSTEMCTL: Grammar = {
  flags: `-a|--all -l|--full --no-pager --no-legend --plain --failed -q|--quiet -r|--recursive --reverse --with-dependencies --show-types --value -i --user --system --no-ask-password --wait --after --before --dry-run --now -f|--force --runtime --global ${HELP}`,
  text: '-t|--type --state -p|--property -P -n|--lines -o|--output -s|--signal --job-mode --kill-whom --timestamp --what --preset-mode --when',
  asksWith: '-H|--host -M|--machine --root --image --message --check-inhibitors --firmware-setup --drop-in',
};
const looksAtUnits: Rule = (call, words) => {
  if (words.values('-p', '-P').some(({ text }) => text.includes('Environment')))
    call.showsPrivate(tell('prints the environment', '会打印环境变量'));
  return OPAQUE;
};
const SYSTEMCTL_LOOKS = byVerb(
  SYSTEMCTL,
  each(
    'status,show,cat,help,get-default,is-active,is-enabled,is-failed,is-system-running,list-units,list-sockets,list-timers,list-unit-files,list-dependencies,list-jobs,list-machines,list-paths,list-automounts',
    reads({ operands: ['text'] }, looksAtUnits),
  ),
);

const systemctl: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const [verb, ...units] = words.filter(
    (word, at) =>
      !word.startsWith('-') &&
      !/^-[tpnosPHM]$|^--(?:type|state|property|lines|output|signal|host|machine|root)$/.test(
        words[at - 1] ?? '',
      ),
  );
  if (call.args.length === 0 && !call.piped)
    call.ask(
      tell(
        'waits for somebody at a terminal, and can start other programs',
        '会在终端等人操作,并能启动其他程序',
      ),
    );
  const stops = units.some((unit) =>
    /^(?:poweroff|reboot|halt|rescue|emergency|shutdown|kexec)\.target$/.test(unit),
  );
  if (STOPS_MACHINE.test(verb ?? '') || (stops && !/^(?:status|show|cat|is-\w+|list-\w+)$/.test(verb ?? '')))
    call.deny(tell('stops the machine', '会关停机器'));
  const changes =
    verb !== undefined &&
    !/^(?:status|show|cat|help|is-[\w-]+|list-[\w-]+|get-default|show-environment)$/.test(verb);
  if (changes && mentionsHermes(units))
    call.deny(tell('would end or change Hermes itself', '会结束或改动 Hermes 自身'));
  if (verb === 'show-environment') call.showsPrivate(tell('prints the environment', '会打印环境变量'));
  if (changes) call.level(3);
  return SYSTEMCTL_LOOKS(call);
};

const service: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const [name, verb] = call.name === 'service' || call.name === 'rc-service' ? words : [words[1], words[0]];
  if (verb === 'status' && words.length <= 2) return OPAQUE;
  if (name === '--status-all' && words.length === 1) return OPAQUE;
  if (mentionsHermes(words)) call.deny(tell('would end or change Hermes itself', '会结束或改动 Hermes 自身'));
  else {
    call.level(3);
    call.ask(tell('starts or stops services of the machine', '会启动或停止本机服务'));
  }
  return OPAQUE;
};

/** Partition tables, file systems, volumes: making them destroys what was there. */
const formats: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const looks = LOOKS_AT_DISKS[call.name];
  if (looks?.test(words.join(' '))) return OPAQUE;
  const targets = call.args.filter(({ text }) => !text.startsWith('-'));
  const ownFiles =
    targets.length > 0 &&
    targets.every((target) => target.literal && !/^(?:\/|~|\$)|\.\./.test(target.text)) &&
    /^mk(?:fs|e2fs|swap|dosfs)/.test(call.name);
  if (ownFiles) call.ask(tell('formats a file', '会格式化文件'));
  else if (words.length > 0 && /^(?:--version|-V|--help)$/.test(words[0] ?? '') && words.length === 1)
    return OPAQUE;
  else call.deny(tell('destroys what a disk holds', '会毁掉磁盘上的内容'));
  return EMPTY;
};
/** The whole line of words with which each of them only looks. */
const LOOKS_AT_DISKS: Readonly<Record<string, RegExp>> = {
  fdisk: /^(?:-l|--list)(?: \/dev\/\w+)*$/,
  sfdisk: /^(?:-l|--list|-d|--dump|-J|--json)(?: \/dev\/\w+)*$/,
  parted: /^(?:-s )?(?:-l|--list|\/dev\/\w+ (?:unit \w+ )?print(?: free)?)$/,
  gdisk: /^-l \/dev\/\w+$/,
  sgdisk: /^(?:-p|--print) \/dev\/\w+$/,
  wipefs: /^(?:-n |--no-act )?\/dev\/\w+$/,
  cryptsetup: /^(?:status|luksDump|isLuks) [\w/-]+$/,
  hdparm: /^-[iIgtT]+ \/dev\/\w+$/,
  mdadm: /^(?:--detail|-D|--examine|-E)(?: --scan|(?: \/dev\/\w+)+)$/,
  zpool: /^(?:list|status|iostat|history|get)(?: -[vxLPpHjT]+)*(?: [\w.-]+)*$/,
  zfs: /^(?:list|get)(?: -[rHpt]+)*(?: [\w./@,-]+)*$/,
  btrfs:
    /^(?:filesystem (?:show|df|usage|du)|subvolume (?:list|show)|device (?:stats|usage)|scrub status|qgroup show)(?: -\w+)*(?: [\w./-]+)*$/,
  nvme: /^(?:list|smart-log|id-ctrl|id-ns|list-subsys)(?: \/dev\/\w+)?$/,
  dmsetup: /^(?:ls|info|status|table|deps)(?: --\w+)*(?: [\w.-]+)*$/,
  tune2fs: /^-l \/dev\/[\w/-]+$/,
  fsck: /^-n(?: \/dev\/[\w/-]+)$/,
  e2fsck: /^-n(?: \/dev\/[\w/-]+)$/,
  efibootmgr: /^(?:-v)?$/,
  fwupdmgr: /^(?:get-devices|get-updates|get-history|--version)$/,
};

const crontab: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  if (/^-l(?: -u \w+)?$|^-u \w+ -l$/.test(words.join(' '))) return OPAQUE;
  call.level(3);
  call.ask(tell('changes what runs at set times', '会改动定时任务'));
  return EMPTY;
};

/** What of Hermes itself a command may ask: its state. Settings, skills and memory are changed by its own tools. */
const HERMES_LOOKS = byVerb(
  { flags: `-V ${HELP} --json` },
  each(
    'version,help,doctor,status,sessions list,sessions show,sessions search,sessions stats,skills list,skills show,models list,model list,memory list,memory search,memory show,logs,logs show,tools list',
    reads({ text: '-n|--limit', operands: ['text'] }),
  ),
);
const hermes: Program = (call) => {
  const [sub, verb] = call.args.map(({ text }) => text);
  if (sub === 'config' && /^(?:get|list|show|check|path)$/.test(verb ?? '')) {
    call.ask(tell('shows settings of Hermes itself', '会显示 Hermes 自身的设置'));
    return OPAQUE;
  }
  const looks =
    sub === undefined ||
    /^(?:-V|--version|--help|-h|version|help|doctor|status)$/.test(sub) ||
    (/^(?:sessions|skills|models?|memory|logs|tools)$/.test(sub) &&
      /^(?:list|show|search|stats)$/.test(verb ?? ''));
  if (!looks) call.deny(tell('changes or starts Hermes itself', '会改动或启动 Hermes 自身'));
  return HERMES_LOOKS(call);
};

const journal = known(
  {
    flags: `-a|--all -e|--pager-end -f|--follow -k|--dmesg -l|--full -m|--merge -q|--quiet -r|--reverse -x|--catalog --no-pager --no-full --no-hostname --no-tail --utc --system --user --disk-usage --header --list-boots --list-catalog --verify --truncate-newline --case-sensitive -N|--fields ${HELP}`,
    text: '-u|--unit --user-unit -n|--lines -p|--priority -g|--grep -o|--output -t|--identifier -T|--exclude-identifier -S|--since -U|--until -c|--cursor --after-cursor -F|--field --facility --output-fields --interval --namespace',
    glued: '-b|--boot --case-sensitive',
    reads: '-D|--directory --file',
    asks: '--rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --update-catalog --force --new-id128 --dump-catalog',
    asksWith:
      '--vacuum-size --vacuum-time --vacuum-files -M|--machine --root --image --cursor-file --verify-key',
    operands: ['text'],
    numbers: true,
  },
  (call) => {
    if (call.args.length === 0 && !call.piped)
      call.ask(
        tell(
          'waits for somebody at a terminal, and can start other programs',
          '会在终端等人操作,并能启动其他程序',
        ),
      );
    return OPAQUE;
  },
);

const sysctl = known(
  {
    flags: `-a|-A|--all -b|--binary -e|--ignore -n|--values -N|--names -q|--quiet --deprecated -X ${HELP}`,
    text: '-r|--pattern',
    asks: '-w|--write --system',
    asksWith: '-p|--load',
    operands: ['rule'],
  },
  (call, words) => {
    if (words.operands.some(({ text }) => /=|\.\./.test(text)))
      call.ask(tell('changes the kernel', '会改动内核'));
    return OPAQUE;
  },
);

/** In the manner of BSD letters without a dash are options too; `e` among them shows the environment of every process. */
const ps: Program = (call) => {
  const words = applyGrammar(call, call.args, PS);
  const bsd = words.operands.filter(({ text }) => /^[A-Za-z]+$/.test(text));
  if (bsd.some(({ text }) => text.includes('e')))
    call.showsPrivate(tell('shows the environment of processes', '会显示进程的环境变量'));
  if (bsd.some(({ text }) => /[^aceghjlmnrSsuvwxTUXZtpHLfk]/.test(text)))
    call.ask(tell('is not among the uses that are known', '不属于已知的用法'));
  return OPAQUE;
};
const PS: Grammar = {
  flags: `-A -a -d -e -N -f -F -j -l -L -M -m -T -w -ww -H -c -y -Z -P --deselect --forest --headers --no-headers --no-heading --info --cumulative ${HELP}`,
  text: '-C -G -g -p -s -t -U -u -o -O -n -k -q --pid --ppid --user --group --tty --format --sort --cols --columns --rows --lines --width --sid --quick-pid --Group --User',
  calm: true,
};

const loginctl: Program = (call) => {
  const word = call.args.find(({ text }) => !text.startsWith('-'))?.text ?? '';
  if (
    /^(?:poweroff|reboot|halt|suspend|hibernate|kill-user|terminate-user|kill-session|terminate-session)$/.test(
      word,
    )
  )
    call.deny(tell('ends sessions, or stops the machine', '会结束会话或关停机器'));
  return LOGINCTL(call);
};
const LOGINCTL = byVerb(
  {
    flags: `--no-pager --no-legend -a|--all -l|--full --value ${HELP}`,
    text: '-p|--property -n|--lines -o|--output',
    asksWith: '-H|--host -M|--machine',
  },
  each(
    'list-sessions,list-users,list-seats,show-session,show-user,show-seat,session-status,user-status,seat-status',
    reads({ operands: ['text'] }),
  ),
);

/** What shows the state of the machine, each with the words that it is known with. */
const SHOWS: Readonly<Record<string, Grammar>> = {
  'pgrep pidof': {
    flags:
      '-a|--list-full -c|--count -f|--full -i|--ignore-case -l|--list-name -n|--newest -o|--oldest -v|--inverse -w|--lightweight -x|--exact -A -s -q -z',
    text: '-d|--delimiter -g|--pgroup -G|--group -P|--parent -s|--session -t|--terminal -u|--euid -U|--uid -r|--runstates --ns --nslist --cgroup -o',
    asksWith: '-F|--pidfile',
  },
  pstree: {
    flags:
      '-a|--arguments -A|--ascii -C|--color -g|--show-pgids -G|--vt100 -h|--highlight-all -l|--long -n|--numeric-sort -N|--ns-sort -p|--show-pids -s|--show-parents -S|--ns-changes -t|--thread-names -T|--hide-threads -u|--uid-changes -U|--unicode -Z|--security-context',
    text: '-H',
  },
  'vmstat iostat mpstat sar': {
    flags:
      '-a|--active -f|--forks -m|--slabs -n|--one-header -s|--stats -d|--disk -D|--disk-sum -w|--wide -t|--timestamp -c -h -k -m -N -x -y -z -A -u -b -B -d -F -H -q -r -R -S -v -W --human --pretty --dec=2 -V',
    text: '-p|--partition -S|--unit -P -I -n -s -e -i -g -j --dec',
    asksWith: '-o -f',
  },
  free: {
    flags:
      '-b|--bytes -k|--kibi|--kilo -m|--mebi|--mega -g|--gibi|--giga -h|--human -l|--lohi -t|--total -v|--committed -w|--wide --si --tera -L|--line',
    text: '-s|--seconds -c|--count',
  },
  'lscpu lsmem': {
    flags:
      '-a|--all -b|--online|--bytes -c|--offline -e|--extended -J|--json -p|--parse -n|--noheadings -P|--pairs -r|--raw -x|--hex -y|--physical -B --output-all --summary',
    text: '-o|--output -C|--caches --split',
    asksWith: '-s|--sysroot',
  },
  'lspci lsusb': {
    flags: '-v -vv -vvv -n -nn -q -x -b -D -k -m -mm -t -P',
    text: '-s -d',
    asksWith: '-i -p -A -O -F -H',
  },
  lsmod: {},
  'w who last lastlog users lastb': {
    flags:
      '-a|--all -b|--boot|--before -d|--dead|--dns -H|--heading -i|--ip -l|--login|--lookup -m -p|--process -q|--count -r|--runlevel -s|--short -t|--time -T -u|--users -w|--mesg|--fullnames -F|--fulltimes -R|--nohostname -x|--system -h|--no-header -f -o|--old-style',
    text: '-n|--limit -s|--since -t|--until --present -p --time-format',
    numbers: true,
  },
  uptime: { flags: '-p|--pretty -s|--since -c' },
  sensors: { flags: '-A -f -j -u --no-adapter', asks: '-s|--set', asksWith: '-c|--config-file' },
  'numastat pidstat pmap': {
    flags: '-c -m -n -s -v -z -d -h -I -l -r -R -t -T -U -u -V -w -x -X -XX -q --human',
    text: '-p -A -C -G -U',
    asksWith: '-e|--exec',
    asks: '-N',
  },
  slabtop: { flags: '-o|--once', text: '-d|--delay -s|--sort' },
  'nvidia-smi': {
    flags: '-L|--list-gpus -q|--query -x|--xml-format -h|--help topo-m',
    text: '-i|--id -d|--display -l|--loop -lms --query-gpu --query-compute-apps --query-supported-clocks --format',
    writes: '-f|--filename',
  },
  getconf: { flags: '-a', text: '-v' },
  lsb_release: { flags: '-a|--all -c|--codename -d|--description -i|--id -r|--release -s|--short -v' },
  ipcs: {
    flags:
      '-a|--all -c|--creator -l|--limits -m|--shmems -p|--pid -q|--queues -s|--semaphores -t|--time -u|--summary -b|--bytes --human',
    text: '-i|--id',
  },
  atq: {},
};
const showing = (): ProgramTable =>
  Object.entries(SHOWS).reduce<ProgramTable>(
    (table, [names, grammar]) => ({
      ...table,
      ...forEach(names, known({ ...grammar, flags: `${grammar.flags ?? ''} ${HELP}`, operands: ['text'] })),
    }),
    {},
  );

/** Watches until somebody leaves, unless it is told to print once. */
const monitor = known(
  {
    flags: '-b|--batch -c -H -i -S -1 -E -h -v -a -A -C -D -g -G -l -m -M -P -R',
    text: '-d|--delay -n|--iterations -p|--pid -u|--user -U -o -w|--width -O -s|--sort-key -F',
    operands: ['text'],
  },
  (call, words) => {
    if (!call.piped && !words.has('-b'))
      call.ask(tell('waits for somebody at a terminal', '会在终端等人操作'));
    return OPAQUE;
  },
);

const controls = (looks: string): Program =>
  byVerb(
    {
      flags: `--no-pager --no-ask-password -l|--full -a|--all --static --pretty --transient --value ${HELP}`,
      text: '-p|--property -j|--json',
      asksWith: '-H|--host -M|--machine --adjust-system-clock --root --image',
    },
    each(
      looks,
      reads({
        operands: ['text'],
        flags: '--order --require --fuzz --user --system --global',
        text: '--since --until --from-pattern --to-pattern',
      }),
    ),
  );

export const system: ProgramTable = {
  kill,
  ...forEach('pkill killall killall5 skill slay xkill', (call) =>
    call.name === 'killall5' ? denies(tell('ends every process', '会结束全部进程'))(call) : killByName(call),
  ),
  ...showing(),
  ...forEach('top htop btop atop', monitor),
  hostnamectl: controls('status,show'),
  timedatectl: controls('status,show,timesync-status,show-timesync'),
  localectl: controls('status,list-locales,list-keymaps'),
  'systemd-analyze': controls(
    'time,blame,critical-chain,calendar,timespan,timestamp,unit-paths,cat-config,security,exit-status,capability,syscall-filter,log',
  ),
  fuser: known({
    flags: '-a|--all -4|--ipv4 -6|--ipv6 -m|--mount -s|--silent -u|--user -v|--verbose -c -f -I -l',
    text: '-n|--namespace',
    asks: '-k|--kill -i|--interactive -w|--writeonly -M',
    operands: ['text'],
  }),
  getent: known({ flags: `-i ${HELP}`, text: '-s|--service', operands: ['text'] }, (call, words) => {
    if (words.operands.some(({ text }) => /^g?shadow$/.test(text)))
      call.showsPrivate(tell('reads passwords', '会读取密码'));
    return OPAQUE;
  }),
  ps,
  systemctl,
  ...forEach(
    'service rc-service initctl launchctl supervisorctl sv s6-svc rc-update update-rc.d chkconfig',
    service,
  ),
  ...forEach('shutdown reboot halt poweroff telinit init pm-suspend', (call) => {
    if (call.name === 'shutdown' && call.args[0]?.text === '-c')
      call.ask(tell('cancels a shutdown', '会取消关机'));
    else if (call.name === 'init' && call.args.length === 0)
      call.ask(tell('starts the first process', '会启动首个进程'));
    else call.deny(tell('stops the machine', '会关停机器'));
    return EMPTY;
  }),
  loginctl,
  ...forEach(
    'mkfs mke2fs mkswap mkdosfs mkntfs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard cryptsetup hdparm badblocks lvremove vgremove pvremove lvcreate vgcreate pvcreate lvreduce lvresize mdadm zpool zfs nvme sg_format tune2fs resize2fs e2fsck fsck xfs_repair btrfs dmsetup partprobe flashrom fwupdmgr efibootmgr grub-install',
    formats,
  ),
  crontab,
  ...forEach('at batch atrm systemd-tmpfiles anacron', (call) => {
    if (call.stdin.text)
      call.runsScript(
        {
          text: call.stdin.text,
          literal: true,
          whole: true,
          glob: false,
          plain: false,
          below: false,
          secrets: [],
        },
        { deferred: true },
      );
    call.level(3);
    call.ask(tell('leaves a command for later', '会留下稍后执行的命令'));
    return EMPTY;
  }),
  journalctl: journal,
  dmesg: known({
    flags: `-d|--show-delta -e|--reltime -k|--kernel -P|--nopager -p|--force-prefix -r|--raw -S|--syslog -t|--notime -T|--ctime -u|--userspace -w|--follow -W|--follow-new -x|--decode -L -J|--json --noescape ${HELP}`,
    text: '-f|--facility -l|--level -s|--buffer-size --since --until --time-format',
    glued: '-L|--color',
    reads: '-F|--file -K|--kmsg-file',
    asks: '-c|--read-clear -C|--clear -D|--console-off -E|--console-on -H|--human',
    asksWith: '-n|--console-level',
    operands: ['none'],
  }),
  sysctl,
  ...forEach(
    'useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup passwd chpasswd chage chsh chfn gpasswd vipw visudo newgrp visudo',
    asks(tell('changes users or their rights', '会改动用户或其权限')),
  ),
  ...forEach(
    'logrotate ldconfig update-alternatives depmod dracut update-grub update-initramfs mkinitcpio locale-gen dpkg-reconfigure alternatives authselect pam-auth-update auditctl augenrules apparmor_parser aa-disable aa-complain semanage setsebool',
    asks(tell('changes the machine', '会改动这台机器')),
  ),
  ...forEach('logger wall write mesg', asks(tell('writes where others read', '会写到他人阅读的地方'))),
  ...forEach(
    'stress stress-ng ab wrk hey siege vegeta k6 locust iperf iperf3 jmeter',
    asks(tell('puts load on a machine', '会给机器加压')),
  ),
  hermes,
  xdotool: asks(tell('acts in the place of a person', '会代替人操作')),
  ...forEach(
    'xclip xsel pbcopy pbpaste wl-copy wl-paste',
    asks(tell('reads or writes the clipboard', '会读写剪贴板')),
  ),
  ...forEach(
    'open xdg-open start',
    asks(tell('opens something in another program', '会用另一个程序打开内容')),
  ),
};
