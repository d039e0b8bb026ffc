import { type Arg, literal } from '../arg.ts';
import { assignmentFault } from '../assignments.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known } from '../grammar.ts';
import { isSecretName } from '../words.ts';

/** `a[$(…)]` as the name of a variable runs what stands in the brackets. */
function judgeName(call: Call, arg: Arg): void {
  if (/\[/.test(arg.text) && /\$\(|`|\$\{/.test(arg.text))
    call.ask('evaluates a subscript, which runs the code in it');
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
      call.showsPrivate('prints variables, keys included');
    return OPAQUE;
  }
  if (call.name === 'export' && options.has('-f'))
    call.ask('hands a function to every program that it starts');
  if (options.has('-n')) call.ask('makes one variable stand for another');
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
      call.ask('sets a variable whose name cannot be told beforehand');
  }
  return EMPTY;
};

const unset: Program = known({ flags: '-f -v -n', calm: true }, (call, { operands }) => {
  for (const arg of operands) {
    judgeName(call, arg);
    call.sets(arg.text, undefined);
    if (arg.text.startsWith('HERMES_')) call.deny('changes a switch of Hermes itself');
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
    if (call.name !== 'read' && options.has('-C')) call.ask('runs a command for every line');
    for (const arg of [...options.operands, ...options.values('-a', '-p')]) {
      if (call.name === 'read' || call.name === 'wait' || options.operands.includes(arg))
        judgeName(call, arg);
      call.sets(arg.text, undefined);
      if (/^(?:HERMES_|LD_|BASH_ENV$|PATH$)/.test(arg.text)) call.deny(`sets ${arg.text}`);
    }
    return EMPTY;
  },
);

const evaluates: Program = (call) => {
  const words = call.args;
  const feeds = words.map((word) => word.feed ?? word.piped).filter((feed) => feed !== undefined);
  if (feeds.some((feed) => feed.network || feed.decoded)) {
    call.deny('runs what was fetched from elsewhere or hidden by an encoding');
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
  if (!activates && !file.piped) call.ask('runs a file in the shell itself');
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
    if (options.operands.some(({ text }) => text.startsWith('-'))) call.ask('has an option behind a name');
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
  if (!tidies) call.ask('leaves a command for later');
  return EMPTY;
});

const set: Program = (call) => {
  if (call.args.length === 0 || (call.args[0]?.text === '-o' && call.args.length === 1)) {
    if (call.args.length === 0) call.showsPrivate('prints all variables, keys included');
    return OPAQUE;
  }
  if (call.args.some(({ text }) => text === 'history'))
    call.ask('changes what is remembered of the commands');
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
      call.ask('changes how the shell reads commands');
    return EMPTY;
  },
  ...forEach('alias', (call) => {
    if (call.args.some(({ text }) => text.includes('=') || (text.startsWith('-') && text !== '-p')))
      call.ask('makes a name stand for another command');
    return OPAQUE;
  }),
  ...forEach('enable hash complete compopt bind fc', (call) => {
    const quiet =
      call.args.length === 0 ||
      (call.name === 'hash' && call.args.every(({ text }) => text === '-r')) ||
      (call.name === 'complete' && call.args.every(({ text }) => text === '-p'));
    if (!quiet) call.ask('changes which program a name stands for, or what keys do');
    return OPAQUE;
  }),
  history: (call) => (call.showsPrivate('shows or changes what was typed before'), OPAQUE),
  compgen: (call) => {
    if (call.args.some(({ text }) => /^-[a-zA-Z]*[CFve]/.test(text) || text === 'export'))
      call.showsPrivate('lists variables or runs commands');
    return OPAQUE;
  },
  printenv: known({ flags: '-0 --null --help --version' }, (call, { operands: names }) => {
    if (names.length === 0 || names.some((name) => !name.literal || isSecretName(name.text)))
      call.showsPrivate('prints the environment, keys included');
    return OPAQUE;
  }),
  ulimit: known({
    flags: '-H -S -a -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T',
    operands: ['text'],
    calm: true,
  }),
  umask: known({ flags: '-p -S' }, (call, { operands }) => {
    const mask = operands.find(({ text }) => /^[0-7]+$/.test(text))?.text;
    if (mask !== undefined && !(Number.parseInt(mask, 8) & 0o002)) call.ask('lets everybody write new files');
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
          call.ask('waits for somebody at a terminal, and can start other programs');
        return OPAQUE;
      },
    ),
  ),
};
