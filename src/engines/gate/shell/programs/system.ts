import { type Arg, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, OPAQUE } from '../feed.ts';
import { asks, couldMeanHermes, denies, mentionsHermes, prints } from './rules.ts';

/** `kill`: one process by its number is fine, all of them never. */
const kill: Program = (call) => {
  call.level(2);
  const args = [...call.args];
  if (/^-(?:l|L|-list)$/.test(args[0]?.text ?? '')) return OPAQUE;
  if (args.some((arg) => arg.feed?.commands.some((command) => command.some(couldMeanHermes))))
    call.deny('would end Hermes itself');
  if (/^(?:-s|-n|--signal|-q)$/.test(args[0]?.text ?? '')) args.splice(0, 2);
  else if (args[0]?.text.startsWith('-') && args[0].text !== '--') args.shift();
  for (const target of args) {
    if (target.text === '--') continue;
    if (/^-0*1$/.test(target.text)) call.deny('ends every process');
    else if (/^0*1$/.test(target.text)) call.deny('ends the first process, on which all others depend');
    else if (/^-\d+$|^0+$/.test(target.text)) call.ask('ends a whole group of processes');
    else if (!target.literal && !/^\$(?:!|\{!\}|\w*(?:pid|PID)\w*)$/.test(target.text))
      call.ask('ends processes that cannot be told beforehand');
    else if (target.literal && !/^(?:\d+|%[\w+-]*)$/.test(target.text))
      call.ask('ends processes by something else than their number');
  }
  return EMPTY;
};

/** By name: whoever has the same name goes, too. */
const killByName: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const options = readOptions(
    call.args,
    'uUgGPtsdFr --signal --user --uid --group --parent --session --terminal --pidfile --ns',
  );
  if (mentionsHermes(words) || options.operands.some(({ text }) => /^(?:\.|\.\*|\.\+|\^|\$)$/.test(text)))
    call.deny('would end Hermes itself');
  if (options.operands.length === 0 && options.has('-u', '-U', '--user'))
    call.deny('ends every process of a user');
  call.ask('ends every process with a name');
  return EMPTY;
};

const systemctl: Program = (call) => {
  const options = readOptions(
    call.args,
    'HMtpns --host --machine --type --state --property --lines --signal --root',
  );
  const [verb, ...units] = options.operands;
  if (options.has('-H', '--host', '-M', '--machine', '--root')) call.ask('reaches another machine');
  if (call.args.length === 0 && !call.piped)
    call.ask('waits for somebody at a terminal, and can start other programs');
  const word = verb?.text ?? 'list-units';
  if (
    /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|soft-reboot|exit|default|switch-root)$/.test(
      word,
    )
  )
    call.deny('stops the machine');
  else if (
    word === 'isolate' ||
    units.some(({ text }) => /^(?:poweroff|reboot|halt|rescue|emergency|shutdown|kexec)\.target$/.test(text))
  )
    call.deny('stops the machine');
  else if (
    /^(?:status|show|list-\w+(?:-\w+)?|is-active|is-enabled|is-failed|is-system-running|cat|help|get-default|show-environment|--version)$/.test(
      word,
    )
  ) {
    if (
      word === 'show-environment' ||
      options.values('-p', '--property').some(({ text }) => text.includes('Environment'))
    )
      call.showsPrivate('prints the environment');
    return OPAQUE;
  } else if (mentionsHermes(units.map(({ text }) => text))) call.deny('would end or change Hermes itself');
  else {
    call.level(3);
    call.ask(`does \`${word}\` with services of the machine`);
  }
  return OPAQUE;
};

const service: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  if (words.includes('status') || words.includes('--status-all')) return OPAQUE;
  if (mentionsHermes(words)) call.deny('would end or change Hermes itself');
  else {
    call.level(3);
    call.ask('starts or stops services of the machine');
  }
  return OPAQUE;
};

/** Partition tables, file systems, volumes: making them destroys what was there. */
const formats: Program = (call) => {
  const looks = call.args.some(({ text }) =>
    /^(?:-l|--list|-n|--dry-run|--version|-V|print|info|-p|--print|status|list|show|display|-i)$/.test(text),
  );
  const targets = readOptions(call.args, 'tLUbimNOTFE --type --label').operands;
  if (
    looks &&
    !call.args.some(({ text }) =>
      /^(?:mklabel|mkpart|rm|-Z|--zap-all|-o|-a|--all|luksFormat|erase|remove|destroy)$/.test(text),
    )
  )
    return OPAQUE;
  const ownFiles =
    targets.length > 0 &&
    targets.every((target) => target.literal && !/^(?:\/|~|\$)|\.\./.test(target.text)) &&
    /^mk(?:fs|e2fs|swap|dosfs)/.test(call.name);
  if (ownFiles) call.ask('formats a file');
  else call.deny('destroys what a disk holds');
  return EMPTY;
};

const crontab: Program = (call) => {
  if (readOptions(call.args, 'u').flags.has('-l')) return OPAQUE;
  call.level(3);
  call.ask('changes what runs at set times');
  return EMPTY;
};

const hermes: Program = (call) => {
  const [sub, verb] = call.args.map(({ text }) => text);
  if (sub === undefined || /^(?:--version|-V|version|--help|-h|help|doctor|status)$/.test(sub)) return OPAQUE;
  if (
    /^(?:sessions|session|skills|models?|memory|logs?|tools)$/.test(sub) &&
    /^(?:list|ls|show|search|stats|status)$/.test(verb ?? '')
  )
    return OPAQUE;
  if (sub === 'config' && /^(?:get|list|show|check|path)$/.test(verb ?? '')) {
    call.ask('shows settings of Hermes itself');
    return OPAQUE;
  }
  call.deny('changes or starts Hermes itself');
  return OPAQUE;
};

const journal: Program = (call) => {
  const options = readOptions(
    call.args,
    'unpgotSUDM --unit --lines --since --until --priority --grep --output --identifier --file --directory --root --vacuum-size --vacuum-time --vacuum-files',
  );
  if (
    [...options.flags].some((flag) =>
      /^--(?:vacuum|rotate|flush|sync|relinquish|setup-keys|update-catalog|smart)/.test(flag),
    )
  )
    call.ask('deletes or moves logs');
  if (options.has('-M', '--machine', '--root')) call.ask('reads another machine');
  if (call.args.length === 0 && !call.piped)
    call.ask('waits for somebody at a terminal, and can start other programs');
  return OPAQUE;
};

const sysctl: Program = (call) => {
  if (call.args.some(({ text }) => /^(?:-w|--write|-p|--load|--system)/.test(text) || /=|\.\./.test(text)))
    call.ask('changes the kernel');
  return OPAQUE;
};

const ps: Program = (call) => {
  // Without a dash, `e` shows the environment of every process.
  if (/^[aceghjlmnrsuvwxTUXZ]*e[aceghjlmnrsuvwxTUXZ]*$/.test(call.args[0]?.text ?? '')) {
    call.showsPrivate('shows the environment of processes');
  }
  return OPAQUE;
};

const loginctl: Program = (call) => {
  const word = call.args.find(({ text }) => !text.startsWith('-'))?.text ?? '';
  if (
    /^(?:poweroff|reboot|halt|suspend|hibernate|kill-user|terminate-user|kill-session|terminate-session)$/.test(
      word,
    )
  )
    call.deny('ends sessions, or stops the machine');
  else if (!/^(?:list-\w+|show-\w+)$/.test(word)) call.ask('changes sessions');
  return OPAQUE;
};

const looksOrAsks =
  (looks: RegExp, why: string): Program =>
  (call: Call) => {
    const first: Arg | undefined = call.args[0];
    if (first && !looks.test(first.text)) {
      call.level(3);
      call.ask(why);
    }
    return OPAQUE;
  };

export const system: ProgramTable = {
  kill,
  ...forEach('pkill killall killall5 skill slay xkill', (call) =>
    call.name === 'killall5' ? denies('ends every process')(call) : killByName(call),
  ),
  ...forEach(
    'pgrep pidof pstree top htop btop atop vmstat iostat mpstat sar free lscpu lsmem lspci lsusb lsmod w who last lastlog users uptime sensors numastat pidstat pmap slabtop nvidia-smi getent getconf lsb_release hostnamectl timedatectl localectl systemd-analyze fuser ipcs',
    (call) => {
      const words = call.args.map(({ text }) => text);
      if (
        /^(?:hostnamectl|timedatectl|localectl)$/.test(call.name) &&
        words.some((word) => /^set-|^hostname$/.test(word))
      )
        call.ask('changes the machine');
      if (call.name === 'fuser' && words.some((word) => /^-[a-z]*k|^--kill/.test(word)))
        call.ask('ends processes');
      if (
        /^(?:top|htop|btop|atop|slabtop)$/.test(call.name) &&
        !call.piped &&
        !words.some((word) => /^-[a-zA-Z0-9]*b/.test(word))
      )
        call.ask('waits for somebody at a terminal');
      if (call.name === 'pidstat' && words.some((word) => /^-[a-zA-Z]*e/.test(word)))
        call.ask('runs another program');
      if (call.name === 'timedatectl' && words.includes('list-timezones') && !call.piped)
        call.ask('waits for somebody at a terminal');
      if (call.name === 'getent' && words.some((word) => /^g?shadow$/.test(word)))
        call.showsPrivate('reads passwords');
      return prints(call);
    },
  ),
  ps,
  systemctl,
  ...forEach(
    'service rc-service initctl launchctl supervisorctl sv s6-svc rc-update update-rc.d chkconfig',
    service,
  ),
  ...forEach('shutdown reboot halt poweroff telinit init pm-suspend', (call) => {
    if (call.name === 'shutdown' && call.args[0]?.text === '-c') call.ask('cancels a shutdown');
    else if (call.name === 'init' && call.args.length === 0) call.ask('starts the first process');
    else call.deny('stops the machine');
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
    call.ask('leaves a command for later');
    return EMPTY;
  }),
  ...forEach('atq', prints),
  journalctl: journal,
  dmesg: looksOrAsks(
    /^(?!-[a-zA-Z]*[cCDEnH]|--(?:clear|read-clear|console|human))/,
    'clears the messages of the kernel',
  ),
  sysctl,
  ...forEach(
    'useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup passwd chpasswd chage chsh chfn gpasswd vipw visudo newgrp visudo',
    asks('changes users or their rights'),
  ),
  ...forEach(
    'logrotate ldconfig update-alternatives depmod dracut update-grub update-initramfs mkinitcpio locale-gen dpkg-reconfigure alternatives authselect pam-auth-update auditctl augenrules apparmor_parser aa-disable aa-complain semanage setsebool',
    asks('changes the machine'),
  ),
  ...forEach('logger wall write mesg', asks('writes where others read')),
  ...forEach(
    'stress stress-ng ab wrk hey siege vegeta k6 locust iperf iperf3 jmeter',
    asks('puts load on a machine'),
  ),
  hermes,
  xdotool: asks('acts in the place of a person'),
  ...forEach('xclip xsel pbcopy pbpaste wl-copy wl-paste', asks('reads or writes the clipboard')),
  ...forEach('open xdg-open start', asks('opens something in another program')),
};
