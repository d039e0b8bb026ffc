import { type Arg, literal, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { asks, careful } from './rules.ts';

/** Modules of Python that may be run by name. */
const PYTHON_MODULES =
  /^(?:pytest|unittest|doctest|json\.tool|mypy|ruff|black|isort|flake8|pylint|coverage|tox|nox|build|compileall|py_compile|venv|virtualenv|timeit|this|calendar|site|sysconfig|platform|tokenize|ast|dis|pyright|bandit|sphinx|mkdocs|alembic|pre_commit|pip_audit|tabnanny|ensurepip|zipapp|poetry|uv|pdm|hatch|twine)$/;

const python: Program = (call) => {
  careful(call);
  // `-c` and `-m` end the options: what follows belongs to the code.
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg;
    const bundle = /^-[a-zA-Z]*?([cm])(.*)$/.exec(arg.text);
    if (bundle && !arg.text.startsWith('--')) {
      const value = bundle[2] ? { ...arg, text: bundle[2] } : call.args[at + 1];
      const rest = call.args.slice(at + (bundle[2] ? 1 : 2));
      return bundle[1] === 'c' ? runsCode(call, 'python', value) : pythonModule(call, value, rest);
    }
    if (/^-[WX]$/.test(arg.text)) at++;
    else if (/^-[a-zA-Z]*i/.test(arg.text)) call.ask('waits for input afterwards');
    else if (arg.text === '-') return call.runsInput('python');
    else if (!arg.text.startsWith('-')) return script(call, arg, 'python');
    else if (/^(?:-V|-VV|--version|-h|--help)$/.test(arg.text)) return OPAQUE;
  }
  return call.stdin === EMPTY ? waits(call) : call.runsInput('python');
};

function pythonModule(call: Call, name: Arg | undefined, rest: readonly Arg[]): Feed {
  call.level(2);
  if (name?.text === 'pip') return call.as('pip', rest) ?? OPAQUE;
  if (!name?.literal || !PYTHON_MODULES.test(name.text))
    call.ask(`runs the module \`${name?.text ?? ''}\`, which is not on the list`);
  if (name?.text === 'json.tool') {
    const [input, output] = readOptions(rest, '--indent').operands;
    if (input) call.reads(input);
    if (output) call.writes(output, 'change');
  }
  return OPAQUE;
}

function runsCode(call: Call, language: string, code: Arg | undefined): Feed {
  if (code) call.runsCode(language, code);
  // Code that unpacks something prints what nobody could read before.
  const unpacks = /decode|unhex|fromhex|pack\b|rot_?13|chr\b|atob|fromCharCode|['"](?:base64|hex)['"]/i.test(
    code?.text ?? '',
  );
  const { network, decoded, secret } = call.stdin;
  return { ...OPAQUE, network, decoded: decoded || unpacks, secret };
}

function script(call: Call, file: Arg, language: string): Feed {
  if (file.text === '/dev/stdin' || file.text === '/dev/fd/0') return call.runsInput(language);
  if (/^https?:/.test(file.text)) call.ask('runs a program from another machine');
  call.runsFile(file);
  return OPAQUE;
}

function waits(call: Call): Feed {
  call.ask('waits for somebody to type code');
  return OPAQUE;
}

const NODE_RUNS = '-e -p -pe -ep --eval --print';
const node: Program = (call) => {
  careful(call);
  const words = call.args;
  for (let at = 0; at < words.length; at++) {
    const arg = words[at] as Arg;
    const { text } = arg;
    const [flag = '', ...value] = text.split('=');
    if (NODE_RUNS.split(' ').includes(flag))
      return runsCode(
        call,
        'javascript',
        value.length > 0 ? { ...arg, text: value.join('=') } : words[at + 1],
      );
    if (
      /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file|--openssl-config|--build-snapshot|--diagnostic-dir|-C|--conditions)$/.test(
        flag,
      )
    ) {
      const path = value.length > 0 ? { ...arg, text: value.join('=') } : words[++at];
      if (!/^(?:\.\/[\w./-]+|[\w@][\w@/.-]*)$/.test(path?.text ?? '') || (path && call.wroteHere(path)))
        call.ask('loads code before its script');
      continue;
    }
    if (
      /^--inspect(?:-brk)?$/.test(flag) &&
      value.length > 0 &&
      !/^(?:127\.0\.0\.1|localhost)?:?\d*$/.test(value.join('='))
    )
      call.ask('opens a debugger to other machines');
    if (/^(?:-i|--interactive)$/.test(flag)) return waits(call);
    if (text === '-') return call.runsInput('javascript');
    if (/^(?:-v|--version|-h|--help|--test)$/.test(flag)) {
      call.level(flag === '--test' ? 2 : 0);
      return OPAQUE;
    }
    if (flag === '--run') {
      call.level(2);
      return OPAQUE;
    }
    if (flag === '-c' || flag === '--check') continue;
    if (!text.startsWith('-')) {
      if (/^(?:repl|eval)$/.test(text) && /^(?:deno|bun)$/.test(call.name)) break;
      return script(call, arg, 'javascript');
    }
  }
  return call.stdin === EMPTY ? waits(call) : call.runsInput('javascript');
};

/** Deno and Bun have subcommands before what they run. */
const denoOrBun: Program = (call) => {
  const [sub, ...rest] = call.args;
  const word = sub?.text ?? '';
  call.level(2);
  if (word === 'eval') return runsCode(call, 'javascript', readOptions(rest, '--ext').operands[0]);
  if (call.name === 'bun' && /^(?:install|i|add|remove|pm|update|outdated|x|create|publish|link)$/.test(word))
    return call.as('npm', word === 'x' ? [literal('exec'), ...rest] : call.args) ?? OPAQUE;
  if (/^(?:test|check|lint|fmt|info|types|doc|build|bench|--version|-v|task)$/.test(word)) return OPAQUE;
  if (word === 'run') {
    const target = rest.find(({ text }) => !text.startsWith('-'));
    if (!target || /^[a-z+]+:/i.test(target.text) || target.text === '-')
      call.ask('runs a program from another machine, or from its input');
    else if (/[./]/.test(target.text)) call.runsFile(target);
    return OPAQUE;
  }
  if (call.name === 'bun') return node(call) ?? OPAQUE;
  call.ask(`does \`${word}\`, which needs agreement`);
  return OPAQUE;
};

/** Libraries that only compute. */
const HARMLESS_LIBRARY =
  /^(?:List::Util|POSIX|JSON::PP|strict|warnings|utf8|Data::Dumper|json|date|time|set|yaml|csv|digest|bigdecimal)(?:=[\w,]+)?$/;

/** Perl and Ruby share their options: `-ne`, `-pi -e`, `-Mlib`, `-rlib`. */
const perlOrRuby: Program = (call) => {
  careful(call);
  let [inPlace, coded] = [false, false];
  let output: Feed = OPAQUE;
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg;
    const { text } = arg;
    if (!text.startsWith('-') || text === '-' || text === '--') {
      const files = text === '--' ? call.args.slice(at + 1) : call.args.slice(at);
      if (!coded)
        return text === '-'
          ? call.runsInput(call.name)
          : files[0]
            ? script(call, files[0], call.name)
            : OPAQUE;
      for (const file of files) {
        if (/^\s*[|>]|\|\s*$/.test(file.text))
          call.ask('runs a command that is written like the name of a file');
        call.reads(file);
        if (inPlace) call.writes(file, 'change');
      }
      return output;
    }
    const library = call.name === 'ruby' ? /^-(?:r|-require=?)(.*)$/.exec(text) : /^-[Mm](.*)$/.exec(text);
    if (library) {
      const name = library[1] || call.args[++at]?.text;
      if (!HARMLESS_LIBRARY.test(name ?? '')) call.ask('loads other code');
      continue;
    }
    const code = /^-((?:0(?:x[\da-fA-F]+|[0-7]*)|l[0-7]*|i(?:\.\w+)?|[napwsWcU])*)[eE]([\s\S]*)$/.exec(text);
    if (/^-[a-zA-Z0-9]*i/.test(code ? `-${code[1]}` : text)) inPlace = true;
    if (code) {
      coded = true;
      output = runsCode(call, call.name, code[2] ? { ...arg, text: code[2] } : call.args[++at]);
    } else if (/^-(?:v|V|h|-version|-help)$/.test(text)) return OPAQUE;
    else if (!/^-(?:0(?:x[\da-fA-F]+|[0-7]*)|l[0-7]*|i(?:\.\w+)?|[napwsWcU]|F.*)+$/.test(text))
      call.ask(`uses ${text.slice(0, 20)}`);
  }
  if (coded) return output;
  return call.stdin === EMPTY ? waits(call) : call.runsInput(call.name);
};

const php: Program = (call) => {
  careful(call);
  const options = readOptions(call.args, 'rfdBRFEcStz --run --file --define --server', true);
  for (const code of options.values('-r', '--run', '-B', '-R', '-E')) runsCode(call, 'php', code);
  if (options.has('-d', '--define', '-S', '--server', '-a', '-z', '-c', '-F'))
    call.ask('changes settings, or waits for connections');
  for (const file of options.values('-f', '--file')) script(call, file, 'php');
  if (options.has('-r', '--run', '-v', '--version', '-m', '-i', '-l')) {
    if (options.flags.has('-i')) call.showsPrivate('prints the environment');
    return OPAQUE;
  }
  const [file] = options.operands;
  if (file) return script(call, file, 'php');
  return call.stdin === EMPTY ? waits(call) : call.runsInput('php');
};

const lua: Program = (call) => {
  const options = readOptions(call.args, 'el', true);
  for (const code of options.values('-e')) runsCode(call, 'lua', code);
  if (options.has('-i', '-l')) call.ask('loads other code, or waits for input');
  const [file] = options.operands;
  if (file && file.text !== '-') return script(call, file, 'lua');
  if (options.has('-e', '-v')) return OPAQUE;
  return call.stdin === EMPTY ? waits(call) : call.runsInput('lua');
};

/** Languages whose code is not followed: a file of the project may run, anything else asks. */
const otherLanguage: Program = (call) => {
  careful(call);
  const first = call.args.find(({ text }) => !text.startsWith('-'));
  const inline = call.args.some(({ text }) => /^-+(?:e|E|c|r|x|eval|exec|execute|run|l|expr)\b/.test(text));
  if (/^(?:--version|-version|-v|-V)$/.test(call.args[0]?.text ?? '')) return OPAQUE;
  if (inline || !first) call.ask('runs code that is not followed');
  else call.runsFile(first);
  return OPAQUE;
};

export const interpreters: ProgramTable = {
  ...forEach('python pypy', python),
  ...forEach('node nodejs tsx ts-node', node),
  ...forEach('deno bun', denoOrBun),
  ...forEach('perl ruby', perlOrRuby),
  php,
  ...forEach('lua luajit', lua),
  ...forEach(
    'tclsh wish guile scheme racket julia Rscript R octave ghci runghc elixir iex erl escript scala groovy kotlin swift crystal nim clojure clj sbcl clisp java jshell jrunscript jjs dotnet mono osascript coffee',
    otherLanguage,
  ),
  ...forEach(
    'gdb lldb pdb ipython irb pry bpython ghc dc ed ex red vim vi nvim view rvim vimdiff emacs nano pico joe mcedit micro hx',
    asks('runs commands of its own, or waits for somebody at a terminal'),
  ),
  bc: (call) => {
    for (const file of readOptions(call.args).operands) call.reads(file);
    if (call.stdin === EMPTY) call.ask('waits for somebody to type');
    return OPAQUE;
  },
};
