import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import { assignmentFault } from '../assignments.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known } from '../grammar.ts';
import { isSecretName } from '../words.ts';

/** `a[$(…)]` as the name of a variable runs what stands in the brackets. */
function judgeName(call: Call, arg: Arg): void {
  if (/\[/.test(arg.text) && /\$\(|`|\$\{/.test(arg.text))
    call.ask(tell('evaluates a subscript, which runs the code in it', '会求值下标,从而运行其中的代码'));
}

/** Commands that set variables: `export A=b`, `declare`, `read x`. */
const DECLARE: Grammar = { flags: '-a -A -f -F -g -i -I -l -n -p -r -t -u -x', calm: true };
const declares: Program = (call) => {
  const options = applyGrammar(
    call,
    call.args.filter(({ text }) => !/^\+[aAfFgilnrtux]+$/.test(text)),
    DECLARE,
  );
  const exported = call.name === 'export' || options.has('-x');
  if (options.operands.length === 0 || options.has('-p')) {
    const listsValues = options.operands.length === 0 && !options.has('-f', '-F', '-a', '-A');
    if (listsValues || options.operands.some(({ text }) => isSecretName(text)))
      call.showsPrivate(tell('prints variables, keys included', '会打印变量,密钥也在内'));
    return OPAQUE;
  }
  if (call.name === 'export' && options.has('-f'))
    call.ask(tell('hands a function to every program that it starts', '会把函数交给它启动的每个程序'));
  if (options.has('-n')) call.ask(tell('makes one variable stand for another', '会让一个变量代表另一个变量'));
  for (const operand of options.operands) {
    const equals = operand.text.indexOf('=');
    const name = equals < 0 ? operand.text : operand.text.slice(0, equals).replace(/\+$/, '');
    judgeName(call, { ...operand, text: name });
    const value = equals < 0 ? undefined : { ...operand, text: operand.text.slice(equals + 1) };
    const fault = assignmentFault({ name, value: value ?? literal('.'), simple: true }, exported);
    if (fault?.verdict === 'deny') call.deny(fault.why);
    else if (fault && value) call.ask(fault.why);
    call.sets(name, value);
    if (!/^[A-Za-z_]\w*(?:\[.*\])?$/.test(name))
      call.ask(tell('sets a variable whose name cannot be told beforehand', '会设置名称无法事先得知的变量'));
  }
  return EMPTY;
};

const unset: Program = known({ flags: '-f -v -n', calm: true }, (call, { operands }) => {
  for (const arg of operands) {
    judgeName(call, arg);
    call.sets(arg.text, undefined);
    if (arg.text.startsWith('HERMES_'))
      call.deny(tell('changes a switch of Hermes itself', '会改动 Hermes 自身的开关'));
  }
  return EMPTY;
});

const readsVariable: Program = known(
  {
    flags: '-e -r -s -f',
    text: '-a -d -i -n -N -p -t -u -c -C -O',
    calm: true,
  },
  (call, options) => {
    if (call.name !== 'read' && options.has('-C'))
      call.ask(tell('runs a command for every line', '会对每一行运行命令'));
    for (const arg of [...options.operands, ...options.values('-a', '-p')]) {
      if (call.name === 'read' || call.name === 'wait' || options.operands.includes(arg))
        judgeName(call, arg);
      call.sets(arg.text, undefined);
      if (/^(?:HERMES_|LD_|BASH_ENV$|PATH$)/.test(arg.text))
        call.deny(tell(`sets ${arg.text}`, `会设置 ${arg.text}`));
    }
    return EMPTY;
  },
);

const evaluates: Program = (call) => {
  const words = call.args;
  const feeds = words.map((word) => word.feed ?? word.piped).filter((feed) => feed !== undefined);
  if (feeds.some((feed) => feed.network || feed.decoded)) {
    call.deny(
      tell(
        'runs what was fetched from elsewhere or hidden by an encoding',
        '会运行从别处取来或被编码隐藏的内容',
      ),
    );
    return OPAQUE;
  }
  const script = {
    ...literal(words.map(({ text }) => text).join(' ')),
    literal: words.every((word) => word.literal && !word.glob),
  };
  call.level(2);
  if (!script.literal) call.dynamic();
  return call.runsScript(script, { deferred: true });
};

const source: Program = (call) => {
  const [file] = call.args;
  if (!file) return EMPTY;
  call.level(2);
  if (file.text === '/dev/stdin' || file.text === '-') return call.runsInput('sh');
  const activates =
    file.literal && /^(?:\.\/)?(?:[\w-]+\/)*\.?(?:venv|env)\/bin\/activate(?:\.\w+)?$/.test(file.text);
  call.runsFile(file);
  if (!activates && !file.piped)
    call.ask(tell('runs a file in the shell itself', '会在当前 shell 中运行文件'));
  return OPAQUE;
};

const cd: Program = known(
  {
    flags: '-L -P -e -@ -n',
    calm: true,
    numbers: true,
  },
  (call, { operands: [folder] }) => {
    if (call.name === 'popd' || folder?.text === '-') call.goes(undefined);
    else if (folder) call.goes(folder.literal && !folder.glob ? folder : undefined);
    else call.goes(literal('~'));
    return EMPTY;
  },
);

const exec: Program = known({ flags: '-c -l', text: '-a', stopsEarly: true, calm: true }, (call, options) => {
  return options.operands.length > 0 ? call.runs(options.operands) : EMPTY;
});

/** `command -v x` only asks; `command x` runs. */
const command: Program = known({ flags: '-p -v -V', stopsEarly: true, calm: true }, (call, options) => {
  if (call.name === 'command' && options.has('-v', '-V')) {
    if (options.operands.some(({ text }) => text.startsWith('-')))
      call.ask(tell('has an option behind a name', '在名称之后带有选项'));
    return OPAQUE;
  }
  return options.operands.length > 0 ? call.runs(options.operands) : EMPTY;
});

const test: Program = (call) => {
  call.connects();
  for (const [at, arg] of call.args.entries()) {
    if (/^-[vRt]$/.test(arg.text) && call.args[at + 1]) judgeName(call, call.args[at + 1] as Arg);
    if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(arg.text))
      for (const side of [call.args[at - 1], call.args[at + 1]]) if (side) judgeName(call, side);
  }
  return EMPTY;
};

const trap: Program = known({ flags: '-l -p -P', calm: true }, (call, words) => {
  const [action] = words.operands;
  if (!action || words.has('-l', '-p') || action.text === '-' || action.text === '') return EMPTY;
  call.runsScript(action);
  const tidies =
    action.literal &&
    /^(?:rm -r?f? (?:"?\$\w+"?|\/tmp\/[\w.-]+)|exit(?: \d+)?|echo [\w ]+|kill (?:0|\$!|%\d))$/.test(
      action.text,
    );
  if (!tidies) call.ask(tell('leaves a command for later', '会留下稍后执行的命令'));
  return EMPTY;
});

const set: Program = (call) => {
  if (call.args.length === 0 || (call.args[0]?.text === '-o' && call.args.length === 1)) {
    if (call.args.length === 0)
      call.showsPrivate(tell('prints all variables, keys included', '会打印全部变量,密钥也在内'));
    return OPAQUE;
  }
  if (call.args.some(({ text }) => text === 'history'))
    call.ask(tell('changes what is remembered of the commands', '会改动命令历史'));
  return EMPTY;
};

export const builtins: ProgramTable = {
  ...forEach('export declare typeset local readonly', declares),
  unset,
  ...forEach('read mapfile readarray wait', readsVariable),
  eval: evaluates,
  ...forEach('source .', source),
  ...forEach('cd pushd popd', cd),
  exec,
  ...forEach('command builtin', command),
  ...forEach('test [', test),
  let: (call) => {
    for (const arg of call.args) {
      judgeName(call, arg);
      call.sets(/^\w+/.exec(arg.text)?.[0] ?? '', undefined);
    }
    return EMPTY;
  },
  trap,
  set,
  shopt: (call) => {
    if (call.args.some(({ text }) => /expand_aliases|extdebug|sourcepath/.test(text)))
      call.ask(tell('changes how the shell reads commands', '会改变 shell 读取命令的方式'));
    return EMPTY;
  },
  ...forEach('alias', (call) => {
    if (call.args.some(({ text }) => text.includes('=') || (text.startsWith('-') && text !== '-p')))
      call.ask(tell('makes a name stand for another command', '会让某个名称代表另一条命令'));
    return OPAQUE;
  }),
  ...forEach('enable hash complete compopt bind fc', (call) => {
    const quiet =
      call.args.length === 0 ||
      (call.name === 'hash' && call.args.every(({ text }) => text === '-r')) ||
      (call.name === 'complete' && call.args.every(({ text }) => text === '-p'));
    if (!quiet)
      call.ask(
        tell(
          'changes which program a name stands for, or what keys do',
          '会改变某个名称所指的程序,或按键的作用',
        ),
      );
    return OPAQUE;
  }),
  history: (call) => (
    call.showsPrivate(tell('shows or changes what was typed before', '会显示或改动以前键入的内容')), OPAQUE
  ),
  compgen: (call) => {
    if (call.args.some(({ text }) => /^-[a-zA-Z]*[CFve]/.test(text) || text === 'export'))
      call.showsPrivate(tell('lists variables or runs commands', '会列出变量或运行命令'));
    return OPAQUE;
  },
  printenv: known({ flags: '-0 --null --help --version' }, (call, { operands: names }) => {
    if (names.length === 0 || names.some((name) => !name.literal || isSecretName(name.text)))
      call.showsPrivate(tell('prints the environment, keys included', '会打印环境变量,密钥也在内'));
    return OPAQUE;
  }),
  ulimit: known({
    flags: '-H -S -a -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T',
    operands: ['text'],
    calm: true,
  }),
  umask: known({ flags: '-p -S' }, (call, { operands }) => {
    const mask = operands.find(({ text }) => /^[0-7]+$/.test(text))?.text;
    if (mask !== undefined && !(Number.parseInt(mask, 8) & 0o002))
      call.ask(tell('lets everybody write new files', '会让任何人都能写新文件'));
    return EMPTY;
  }),
  ...forEach('exit return break continue shift getopts times caller suspend logout', () => EMPTY),
  ...forEach(
    'jobs bg fg disown unalias dirs',
    known({ flags: '-l -n -p -r -s -a -h -c -v', operands: ['text'], calm: true, numbers: true }),
  ),
  ...forEach(
    'type which whereis whatis apropos help tldr',
    known({
      flags:
        '-a|--all -f -t -p -P -s -b -m -u -l -d -e|--exact -r|--regex -w|--wildcard -i --list --update --help --version',
      text: '--platform --language -L',
      operands: ['text'],
      calm: true,
    }),
  ),
  ...forEach(
    'man info',
    known(
      {
        flags:
          '-a|--all -f|--whatis -k|--apropos -w|--where|--path -W -K|--global-apropos -i|--ignore-case -u|--update --help --version --subnodes',
        text: '-s|--sections|-S -L|--locale -e|--extension -E|--encoding',
        asks: '-D|--default -l|--local-file -t|--troff -Z|--ditroff -X|--gxditview -c|--catman',
        asksWith:
          '-P|--pager -C|--config-file -H|--html -M|--manpath -T|--troff-device -p|--preprocessor -r|--prompt -R|--recode -m|--systems -n|--node -o|--output -O --init-file -v|--variable',
        operands: ['text'],
      },
      (call, words) => {
        if (!call.piped && !words.has('-k', '-f', '-w'))
          call.ask(
            tell(
              'waits for somebody at a terminal, and can start other programs',
              '会在终端等人操作,并能启动其他程序',
            ),
          );
        return OPAQUE;
      },
    ),
  ),
};
