import { type Arg, literal, readOptions, unknownArg } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { couldMeanHermes } from './rules.ts';

const SHELLS = 'sh bash dash zsh ksh mksh ash pdksh ksh93 yash rbash fish csh tcsh posh elvish nu xonsh pwsh';

/** `-c` in any bundle of letters, behind any other options. */
const shell: Program = (call) => {
  const args = [...call.args];
  let command = false;
  while (args[0] && /^[-+]/.test(args[0].text) && args[0].text !== '-' && args[0].text !== '--') {
    const [option] = args.splice(0, 1) as [Arg];
    const { text } = option;
    if (!option.literal && !option.plain) {
      call.ask('may be given options that cannot be told beforehand');
      break;
    }
    if (/^--(?:rcfile|init-file)/.test(text)) {
      if (!text.includes('=')) args.splice(0, 1);
      call.ask('runs a start-up file of its own');
    } else if (text === '--command' || text.startsWith('--command=')) {
      if (text.includes('=')) args.unshift({ ...option, text: text.slice(text.indexOf('=') + 1) });
      command = true;
    } else if (text.startsWith('--')) {
      if (/^--(?:init-command|features|debug-output|profile)$/.test(text))
        call.ask('runs more than its script');
    } else {
      if (/[oO]$/.test(text)) args.splice(0, 1);
      if (/^-[a-zA-Z]*i/.test(text) && !/c/.test(text)) call.ask('opens a shell that waits for input');
      if (/^-[a-zA-Z]*c/i.test(text)) command = true;
      if (/^-[a-zA-Z]*s/.test(text) && !command) return call.runsInput('sh');
    }
  }
  if (args[0]?.text === '--') args.shift();
  if (/^(?:fish|csh|tcsh|elvish|nu|xonsh|pwsh)$/.test(call.name))
    call.ask('runs a shell whose language is not followed');
  const [first, ...rest] = args;
  if (command) return first ? call.runsScript(withParameters(first, rest)) : OPAQUE;
  if (!first || first.text === '-') return readsItself(call);
  call.runsFile(first);
  return OPAQUE;
};

/** A shell without a script takes its input for one; without input, it waits for somebody to type. */
function readsItself(call: Call): Feed {
  if (call.stdin === EMPTY) {
    call.ask('opens a shell that waits for input');
    return OPAQUE;
  }
  return call.runsInput('sh');
}

/** Words behind the script are its parameters; what it does with them cannot be followed. */
const withParameters = (script: Arg, parameters: readonly Arg[]): Arg =>
  parameters.length > 1 && /\$(?:[@*\d]|\{[@*\d])/.test(script.text) ? { ...script } : script;

/** Wrappers: the letters of their options that take a value; the command begins at the first operand. */
const wrapper =
  (
    valued: string,
    judge?: (call: Call, options: ReturnType<typeof readOptions>) => readonly Arg[] | undefined,
  ): Program =>
  (call) => {
    const options = readOptions(call.args, valued, true);
    const words = judge ? judge(call, options) : options.operands;
    if (!words) return OPAQUE;
    return call.runs(words);
  };

const env: Program = (call) => {
  const options = readOptions(call.args, 'uSCP --unset --split-string --chdir', true);
  const split = options.values('-S', '--split-string')[0];
  if (split || [...options.flags].some((flag) => /^-[a-zA-Z]*S/.test(flag)))
    call.ask('splits a text into a command');
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
  const [cwd] = options.values('-C', '--chdir');
  if (words.length > 0) return call.runs(words, cwd ? { cwd } : {});
  call.showsPrivate(assignments ? 'prints the environment' : 'prints the whole environment, keys included');
  return OPAQUE;
};

const sudo = wrapper(
  'ugpChrtTRDU --user --group --prompt --chdir --host --chroot --role --type',
  (call, options) => {
    call.level(3);
    call.ask('runs with the rights of another user');
    if (options.has('-e', '--edit')) for (const file of options.operands) call.writes(file, 'change');
    if (options.has('-e', '--edit', '-l', '--list', '-v', '-k', '-K')) return undefined;
    const words = [...options.operands];
    while (words[0] && /^[A-Za-z_]\w*=/.test(words[0].text)) call.as('export', [words.shift() as Arg]);
    return words.length > 0 ? words : undefined;
  },
);

const su: Program = (call) => {
  call.ask('runs with the rights of another user');
  const options = readOptions(call.args, 'cgGsw --command --shell --session-command');
  for (const script of options.values('-c', '--command', '--session-command')) call.runsScript(script);
  if (call.name === 'runuser' && options.operands.length > 0) call.runs(options.operands);
  return OPAQUE;
};

const xargs: Program = (call) => {
  const options = readOptions(
    call.args,
    'aEILnPsdi --arg-file --delimiter --max-lines --max-args --max-procs --replace --process-slot-var --max-chars',
    true,
  );
  for (const file of options.values('-a', '--arg-file')) call.reads(file);
  const processes = options.values('-P', '--max-procs')[0];
  if (processes && !(Number(processes.text) >= 1 && Number(processes.text) <= 64) && !processes.plain)
    call.ask('starts processes without a limit');
  const words = options.operands.length > 0 ? options.operands : [literal('echo')];
  const tainted = call.stdin.secret || call.stdin.network || call.stdin.decoded;
  const given = { ...unknownArg('{}', call.stdin.listing), ...(tainted ? { feed: call.stdin } : {}) };
  const marker = options.values('-I', '--replace')[0]?.text ?? (options.has('-i', '-I') ? '{}' : undefined);
  const [program] = words;
  if (program && /^(?:sh|bash|dash|zsh|ksh|eval|source|\.)$/.test(program.text) && words.length === 1) {
    if (call.stdin.network || call.stdin.decoded)
      call.deny('runs what comes from another machine or was hidden');
    else call.ask('runs files whose names it is given');
    return OPAQUE;
  }
  if (
    program &&
    /^(?:kill|pkill|killall)$/.test(program.text) &&
    call.stdin.commands.some((command) => command.some(couldMeanHermes))
  ) {
    call.deny('would end Hermes itself');
  }
  if (program && /(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(program.text))
    call.ask('runs a shell on what it is given');
  if (marker !== undefined) {
    const replaced = words.map((word) => {
      if (!word.text.includes(marker)) return word;
      return word.text === marker
        ? given
        : { ...unknownArg(word.text, false), ...(tainted ? { feed: call.stdin } : {}) };
    });
    return call.runs(replaced, { stdin: EMPTY });
  }
  return call.runs([...words, given], { stdin: EMPTY });
};

const parallel: Program = (call) => {
  const options = readOptions(call.args, 'jaNnIS --jobs --arg-file --sshlogin --joblog --results', true);
  const end = options.operands.findIndex(({ text }) => text.startsWith(':::'));
  const words = end < 0 ? options.operands : options.operands.slice(0, end);
  call.ask('runs commands that it puts together');
  if (words.length > 0)
    call.runsScript({
      ...literal(words.map(({ text }) => text).join(' ')),
      literal: words.every((word) => word.literal),
    });
  return OPAQUE;
};

/** `timeout 5 cmd`, `flock file cmd`, `chroot folder cmd`: operands before the command. */
const skipping =
  (count: number, valued: string, why?: string): Program =>
  (call) => {
    const options = readOptions(call.args, valued, true);
    if (why) call.ask(why);
    if (call.name === 'flock') {
      const script = options.values('-c', '--command')[0];
      const [lock, ...rest] = options.operands;
      if (lock && !/^\d+$/.test(lock.text)) call.writes(lock, 'create');
      const inner = rest[0]?.text === '-c' || rest[0]?.text === '--command' ? rest[1] : undefined;
      const text = script ?? inner;
      if (text) return call.runsScript(text, { deferred: true });
      return rest.length > 0 ? call.runs(rest) : EMPTY;
    }
    const words = options.operands.slice(count);
    return words.length > 0 ? call.runs(words) : OPAQUE;
  };

const script: Program = (call) => {
  const options = readOptions(call.args, 'cIOBTEm --command --log-in --log-out --log-io --log-timing');
  call.ask('runs a command in a terminal of its own');
  for (const command of options.values('-c', '--command')) call.runsScript(command);
  for (const file of options.operands) call.writes(file, 'change');
  return OPAQUE;
};

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
    'nohup setsid stdbuf ionice chrt catchsegv linux32 linux64 setarch unbuffer rlwrap caffeinate ccache sem',
    wrapper('ioecnpP --input --output --error --class --classdata'),
  ),
  nice: wrapper('n --adjustment'),
  time: wrapper('fo --format --output', (call, options) => {
    for (const file of options.values('-o', '--output')) call.writes(file, 'change');
    return options.operands.length > 0 ? options.operands : undefined;
  }),
  ...forEach(
    'strace ltrace',
    wrapper('eopsSaubEIPOX', (call, options) => {
      call.ask('watches another program from within');
      for (const file of options.values('-o'))
        if (/^[|!]/.test(file.text)) call.ask('runs another program');
        else call.writes(file, 'change');
      return options.operands.length > 0 ? options.operands : undefined;
    }),
  ),
  watch: (call) => {
    const { operands } = readOptions(call.args, 'nq --interval', true);
    const words = operands.map(({ text }) => text).join(' ');
    return call.runsScript(
      { ...literal(words), literal: operands.every((word) => word.literal) },
      { deferred: true },
    );
  },
  timeout: skipping(1, 'ks --kill-after --signal'),
  ...forEach('taskset', skipping(1, '')),
  flock: skipping(0, 'wEc --timeout --conflict-exit-code --command'),
  ...forEach('chroot', skipping(1, '', 'runs in another root')),
  ...forEach('nsenter', (call) => (call.deny('enters the namespaces of other processes'), OPAQUE)),
  unshare: skipping(0, 'SGRw', 'makes a place with rights of its own'),
  ...forEach(
    'systemd-run firejail bwrap proot fakeroot faketime prlimit cgexec numactl schroot',
    skipping(0, 'puEtGn --unit --property --uid --gid --setenv', 'starts a command in a place of its own'),
  ),
  script,
  ...forEach('expect unbuffer dtach screen tmux', (call) => {
    const words = call.args.map(({ text }) => text);
    if (
      /^(?:tmux|screen)$/.test(call.name) &&
      /^(?:ls|list-\w+|has-session|-ls|display-message|capture-pane)$/.test(words[0] ?? '')
    )
      return OPAQUE;
    call.ask('drives a terminal of its own');
    return OPAQUE;
  }),
};
