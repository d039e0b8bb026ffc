import { tell, type Text } from '#kit/text';
import { type Arg, literal, unknownArg } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { type Grammar, known, type Words } from '../grammar.ts';
import { couldMeanHermes } from './rules.ts';

const HELP = '--help --version';

const SHELLS = 'sh bash dash zsh ksh mksh ash pdksh ksh93 yash rbash fish csh tcsh posh elvish nu xonsh pwsh';

/** `-c` in any bundle of letters, behind any other options. */
const shell: Program = (call) => {
  const args = [...call.args];
  let command = false;
  while (args[0] && /^[-+]/.test(args[0].text) && args[0].text !== '-' && args[0].text !== '--') {
    const [option] = args.splice(0, 1) as [Arg];
    const { text } = option;
    if (!option.literal && !option.plain) {
      call.ask(tell('may be given options that cannot be told beforehand', '可能带有无法事先得知的选项'));
      break;
    }
    if (/^--(?:rcfile|init-file)/.test(text)) {
      if (!text.includes('=')) args.splice(0, 1);
      call.ask(tell('runs a start-up file of its own', '会运行自己的启动文件'));
    } else if (text === '--command' || text.startsWith('--command=')) {
      if (text.includes('=')) args.unshift({ ...option, text: text.slice(text.indexOf('=') + 1) });
      command = true;
    } else if (text.startsWith('--')) {
      if (!/^--(?:login|norc|noprofile|posix|noediting|restricted|verbose|version|help)$/.test(text))
        call.ask(
          tell(
            `uses \`${text.slice(0, 40)}\`, which is not known to be harmless`,
            `会使用 \`${text.slice(0, 40)}\`,是否无害尚不可知`,
          ),
        );
    } else {
      if (!/^[-+][abefhiklmnprstuvxBCDEHPTocO]+$/.test(text))
        call.ask(
          tell(
            `uses \`${text.slice(0, 40)}\`, which is not known to be harmless`,
            `会使用 \`${text.slice(0, 40)}\`,是否无害尚不可知`,
          ),
        );
      if (/[oO]$/.test(text)) args.splice(0, 1);
      if (/^-[a-zA-Z]*i/.test(text) && !/c/.test(text))
        call.ask(tell('opens a shell that waits for input', '会打开等待输入的 shell'));
      if (/^-[a-zA-Z]*c/i.test(text)) command = true;
      if (/^-[a-zA-Z]*s/.test(text) && !command) return call.runsInput('sh');
    }
  }
  if (args[0]?.text === '--') args.shift();
  if (/^(?:fish|csh|tcsh|elvish|nu|xonsh|pwsh)$/.test(call.name))
    call.ask(tell('runs a shell whose language is not followed', '会运行语法无法跟踪的 shell'));
  const [first, ...rest] = args;
  if (command && rest.some(({ text }) => /^-./.test(text)))
    call.ask(tell('hands options to its script', '会把选项交给它的脚本'));
  if (command) return first ? call.runsScript(withParameters(first, rest)) : OPAQUE;
  if (!first || first.text === '-') return readsItself(call);
  call.runsFile(first);
  return OPAQUE;
};

/** A shell without a script takes its input for one; without input, it waits for somebody to type. */
function readsItself(call: Call): Feed {
  if (call.stdin === EMPTY) {
    call.ask(tell('opens a shell that waits for input', '会打开等待输入的 shell'));
    return OPAQUE;
  }
  return call.runsInput('sh');
}

/** Words behind the script are its parameters; what it does with them cannot be followed. */
const withParameters = (script: Arg, parameters: readonly Arg[]): Arg =>
  parameters.length > 1 && /\$(?:[@*\d]|\{[@*\d])/.test(script.text) ? { ...script } : script;

/** Wrappers: the command begins at the first operand. */
const wrapper = (
  grammar: Grammar,
  judge: (call: Call, words: Words) => readonly Arg[] | undefined = (_, { operands }) => operands,
): Program =>
  known(
    { ...grammar, flags: `${grammar.flags ?? ''} ${HELP}`, stopsEarly: true, calm: true },
    (call, words) => {
      const command = judge(call, words);
      return command && command.length > 0 ? call.runs(command) : OPAQUE;
    },
  );

const ENV: Grammar = {
  flags: `-i|--ignore-environment -0|--null -v|--debug --list-signal-handling ${HELP}`,
  text: '-u|--unset -C|--chdir -P',
  glued: '--default-signal --ignore-signal --block-signal',
  asksWith: '-S|--split-string -a|--argv0',
  stopsEarly: true,
  calm: true,
};
const env = known(ENV, (call, options) => {
  const split = options.value('-S');
  const words = [...options.operands];
  let assignments = '';
  while (words[0] && /^[A-Za-z_]\w*=/.test(words[0].text)) {
    const word = words.shift() as Arg;
    assignments += `${word.text.slice(0, word.text.indexOf('='))} `;
    call.as('export', [word]);
  }
  if (split) {
    const rest = words.map(({ text }) => text).join(' ');
    return call.runsScript({ ...split, text: `${split.text} ${rest}` });
  }
  const cwd = options.value('-C');
  if (words.length > 0) return call.runs(words, cwd ? { cwd } : {});
  call.showsPrivate(
    assignments
      ? tell('prints the environment', '会打印环境变量')
      : tell('prints the whole environment, keys included', '会打印整个环境,密钥也在内'),
  );
  return OPAQUE;
});

const sudo = wrapper(
  {
    flags:
      '-A|--askpass -b|--background -B|--bell -E|--preserve-env -e|--edit -H|--set-home -i|--login -K|--remove-timestamp -k|--reset-timestamp -l|--list -n|--non-interactive -P|--preserve-groups -S|--stdin -s|--shell -V -v|--validate -N',
    text: '-u|--user -g|--group -p|--prompt -C|--close-from -D|--chdir -h|--host -R|--chroot -r|--role -t|--type -T|--command-timeout -U|--other-user -c',
    glued: '--preserve-env',
  },
  (call, options) => {
    call.level(3);
    call.ask(tell('runs with the rights of another user', '会以另一个用户的权限运行'));
    if (options.has('-e')) for (const file of options.operands) call.writes(file, 'change');
    if (options.has('-e', '-l', '-v', '-k', '-K')) return undefined;
    const words = [...options.operands];
    while (words[0] && /^[A-Za-z_]\w*=/.test(words[0].text)) call.as('export', [words.shift() as Arg]);
    return words.length > 0 ? words : undefined;
  },
);

const su: Program = known(
  {
    flags: `-|-l|--login -m|-p|--preserve-environment -P|--pty -f|--fast ${HELP}`,
    text: '-c|--command|--session-command -g|--group -G|--supp-group -s|--shell -u|--user -w|--whitelist-environment',
    calm: true,
  },
  (call, options) => {
    call.ask(tell('runs with the rights of another user', '会以另一个用户的权限运行'));
    for (const script of options.values('-c')) call.runsScript(script);
    if (call.name === 'runuser' && options.operands.length > 0) call.runs(options.operands);
    return OPAQUE;
  },
);

const XARGS: Grammar = {
  flags: `-0|--null -o|--open-tty -p|--interactive -r|--no-run-if-empty -t|--verbose -x|--exit --show-limits ${HELP}`,
  text: '-d|--delimiter -E -I -L|--max-lines -n|--max-args -P|--max-procs -s|--max-chars --process-slot-var -J -R',
  glued: '-e|--eof -i|--replace -l',
  reads: '-a|--arg-file',
  stopsEarly: true,
  calm: true,
};
const xargs: Program = known(XARGS, (call, options) => {
  const processes = options.value('-P');
  if (processes && !(Number(processes.text) >= 1 && Number(processes.text) <= 64) && !processes.plain)
    call.ask(tell('starts processes without a limit', '会无限制地启动进程'));
  const words = options.operands.length > 0 ? options.operands : [literal('echo')];
  const tainted = call.stdin.secret || call.stdin.network || call.stdin.decoded;
  const given = { ...unknownArg('{}', call.stdin.listing), ...(tainted ? { feed: call.stdin } : {}) };
  const marker =
    options.value('-I')?.text ?? (options.has('-i') ? (options.value('-i')?.text ?? '{}') : undefined);
  const [program] = words;
  if (program && /^(?:sh|bash|dash|zsh|ksh|eval|source|\.)$/.test(program.text) && words.length === 1) {
    if (call.stdin.network || call.stdin.decoded)
      call.deny(
        tell('runs what comes from another machine or was hidden', '会运行来自另一台机器或被隐藏的内容'),
      );
    else call.ask(tell('runs files whose names it is given', '会运行给入名称的文件'));
    return OPAQUE;
  }
  if (
    program &&
    /^(?:kill|pkill|killall)$/.test(program.text) &&
    call.stdin.commands.some((command) => command.some(couldMeanHermes))
  ) {
    call.deny(tell('would end Hermes itself', '会结束 Hermes 自身'));
  }
  if (program && /(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(program.text))
    call.ask(tell('runs a shell on what it is given', '会对给入的内容运行 shell'));
  if (marker !== undefined) {
    const replaced = words.map((word) => {
      if (!word.text.includes(marker)) return word;
      return word.text === marker
        ? given
        : { ...unknownArg(word.text, false), ...(tainted ? { feed: call.stdin } : {}) };
    });
    return call.runs(replaced, { stdin: EMPTY });
  }
  if (call.stdin.text !== undefined && call.stdin !== EMPTY)
    return call.runs([...words, ...literalWords(call.stdin.text)], { stdin: EMPTY });
  return call.runs([...words, given], { stdin: EMPTY });
});

/** What is known word for word is judged as such: `echo / | xargs rm -rf`. */
const literalWords = (text: string): readonly Arg[] =>
  text.split(/\s+/).filter(Boolean).slice(0, 64).map(literal);

const parallel: Program = known(
  {
    flags: '-k|--keep-order --bar --eta --dry-run -0 -m -X --will-cite --pipe --tag',
    text: '-j|--jobs -N -n -I --timeout --delay --halt --colsep',
    reads: '-a|--arg-file',
    writes: '--joblog --results',
    asksWith: '-S|--sshlogin --env --tmpdir',
    stopsEarly: true,
  },
  (call, options) => {
    const end = options.operands.findIndex(({ text }) => text.startsWith(':::'));
    const words = end < 0 ? options.operands : options.operands.slice(0, end);
    call.ask(tell('runs commands that it puts together', '会运行自己拼出的命令'));
    if (words.length > 0)
      call.runsScript({
        ...literal(words.map(({ text }) => text).join(' ')),
        literal: words.every((word) => word.literal),
      });
    return OPAQUE;
  },
);

/** `timeout 5 cmd`, `chroot folder cmd`: operands before the command. */
const skipping = (count: number, grammar: Grammar, why?: Text): Program =>
  wrapper(grammar, (call, { operands }) => {
    if (why) call.ask(why);
    return operands.slice(count);
  });

/** `flock file cmd`, and `flock file -c script`. */
const flock = known(
  {
    flags: `-s|--shared -x|-e|--exclusive -n|--nb|--nonblock -u|--unlock -o|--close -F|--no-fork --verbose ${HELP}`,
    text: '-w|--wait|--timeout -E|--conflict-exit-code -c|--command',
    stopsEarly: true,
    calm: true,
  },
  (call, options) => {
    const [lock, ...rest] = options.operands;
    if (lock && !/^\d+$/.test(lock.text)) call.writes(lock, 'create');
    const inner = /^(?:-c|--command)$/.test(rest[0]?.text ?? '') ? rest[1] : undefined;
    const script = options.value('-c') ?? inner;
    if (script) return call.runsScript(script, { deferred: true });
    return rest.length > 0 ? call.runs(rest) : EMPTY;
  },
);

const script: Program = known(
  {
    flags: `-a|--append -e|--return -f|--flush --force -q|--quiet ${HELP}`,
    text: '-c|--command -E|--echo -m|--logging-format -o|--output-limit',
    writes: '-I|--log-in -O|--log-out -B|--log-io -T|--log-timing',
  },
  (call, options) => {
    call.ask(tell('runs a command in a terminal of its own', '会在自己的终端中运行命令'));
    for (const command of options.values('-c')) call.runsScript(command);
    for (const file of options.operands) call.writes(file, 'change');
    return OPAQUE;
  },
);

const busybox: Program = (call) => (call.args.length > 0 ? call.runs(call.args) : OPAQUE);

export const shells: ProgramTable = {
  ...forEach(SHELLS, shell),
  env,
  ...forEach('sudo doas pkexec sudoedit gosu su-exec dzdo', sudo),
  ...forEach('su runuser', su),
  xargs,
  parallel,
  ...forEach('busybox toybox', busybox),
  ...forEach(
    'nohup setsid stdbuf catchsegv linux32 linux64 caffeinate ccache',
    wrapper({
      flags: '-c|--ctty -f|--fork -w|--wait -t|--ignore',
      text: '-i|--input -o|--output -e|--error -n|--classdata -p -P',
    }),
  ),
  nice: wrapper({ text: '-n|--adjustment', numbers: true }),
  ionice: wrapper({ flags: '-t|--ignore', text: '-c|--class -n|--classdata -p|--pid -P|--pgid -u|--uid' }),
  chrt: skipping(
    1,
    {
      flags:
        '-a|--all-tasks -b|--batch -d|--deadline -f|--fifo -i|--idle -m|--max -o|--other -p|--pid -r|--rr -v|--verbose',
      text: '-T|--sched-runtime -P|--sched-period -D|--sched-deadline',
    },
    tell('changes how the machine shares its time', '会改变机器分配时间的方式'),
  ),
  time: wrapper({
    flags: '-p|--portability -v|--verbose -a|--append -q|--quiet',
    text: '-f|--format',
    writes: '-o|--output',
  }),
  ...forEach(
    'strace ltrace',
    wrapper(
      {
        flags: '-f -ff -c -C -d -i -q -r -t -tt -ttt -T -v -V -x -xx -y -yy -z -Z -k -D -n -w',
        text: '-a -b -e -E -I -O -o -P -p -s -S -u -U -X -l',
      },
      (call, options) => {
        call.ask(tell('watches another program from within', '会从内部监视另一个程序'));
        for (const file of options.values('-o'))
          if (/^[|!]/.test(file.text)) call.ask(tell('runs another program', '会运行另一个程序'));
          else call.writes(file, 'change');
        return options.operands.length > 0 ? options.operands : undefined;
      },
    ),
  ),
  watch: known(
    {
      flags: `-b|--beep -c|--color -C|--no-color -e|--errexit -g|--chgexit -p|--precise -r|--no-rerun -t|--no-title -w|--no-wrap -x|--exec ${HELP}`,
      text: '-n|--interval -q|--equexit -s|--shotsdir',
      glued: '-d|--differences',
      stopsEarly: true,
      calm: true,
    },
    (call, { operands }) => {
      const words = operands.map(({ text }) => text).join(' ');
      return call.runsScript(
        { ...literal(words), literal: operands.every((word) => word.literal) },
        { deferred: true },
      );
    },
  ),
  timeout: skipping(1, {
    flags: '--preserve-status --foreground -v|--verbose -f -p',
    text: '-k|--kill-after -s|--signal',
  }),
  taskset: skipping(1, { flags: '-a|--all-tasks -c|--cpu-list -p|--pid' }),
  flock,
  chroot: skipping(
    1,
    { flags: '--skip-chdir', text: '--userspec --groups' },
    tell('runs in another root', '会在另一个根目录中运行'),
  ),
  ...forEach(
    'nsenter',
    (call) => (
      call.deny(tell('enters the namespaces of other processes', '会进入其他进程的命名空间')), OPAQUE
    ),
  ),
  unshare: skipping(
    0,
    {
      flags:
        '-m|--mount -u|--uts -i|--ipc -n|--net -p|--pid -U|--user -C|--cgroup -T|--time -f|--fork -r|--map-root-user -c|--map-current-user --mount-proc --kill-child --keep-caps',
      text: '-S|--setuid -G|--setgid -R|--root -w|--wd --map-user --map-group --propagation',
    },
    tell('makes a place with rights of its own', '会造出拥有自身权限的环境'),
  ),
  ...forEach(
    'systemd-run firejail bwrap proot fakeroot faketime prlimit cgexec numactl schroot',
    skipping(
      0,
      {
        flags:
          '-t|--pty -P|--pipe -q|--quiet --user --scope -r|--remain-after-exit --wait -G|--collect --no-block',
        text: '-p|--property -u|--unit --uid --gid -E|--setenv -n|--nice --slice --description',
      },
      tell('starts a command in a place of its own', '会在单独的环境中启动命令'),
    ),
  ),
  script,
  ...forEach('expect unbuffer rlwrap sem setarch dtach screen tmux', (call) => {
    const words = call.args.map(({ text }) => text);
    if (
      /^(?:tmux|screen)$/.test(call.name) &&
      /^(?:ls|list-(?:sessions|windows|panes|clients|keys)|has-session(?: -t \w+)?|-ls)$/.test(
        words.join(' '),
      )
    )
      return OPAQUE;
    call.ask(tell('drives a terminal of its own', '会操纵自己的终端'));
    return OPAQUE;
  }),
};
