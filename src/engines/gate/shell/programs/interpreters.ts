import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known } from '../grammar.ts';
import { byVerb, each } from '../verbs.ts';
import { javascript } from './javascript.ts';
import { loads, verb, wordsForScript } from './project-tools.ts';
import { runsPythonModule } from './python-modules.ts';
import { asks } from './rules.ts';
import { type Cut, readsInput, runsCode, script } from './running.ts';

const PYTHON: Grammar = {
  flags: 'bBdEhIOqRsSuvVPx -OO -VV --help --version --help-env --help-xoptions --help-all',
  text: 'W',
  asks: 'i',
  glued: '--check-hash-based-pycs',
};
/** `-X` chooses features of the interpreter; these neither import nor write. */
const X_KNOWN =
  /^(?:dev|utf8(?:=[01])?|faulthandler|importtime|tracemalloc(?:=\d+)?|showrefcount|int_max_str_digits=\d+|no_debug_ranges|frozen_modules(?:=\w+)?|gil=[01]|warn_default_encoding)$/;

function cutPython(call: Call): Cut {
  const own: Arg[] = [];
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg;
    const { text } = arg;
    if (text === '-') return { own, kind: 'input', rest: call.args.slice(at + 1) };
    if (!text.startsWith('-')) return { own, kind: 'file', what: arg, rest: call.args.slice(at + 1) };
    // Letters may stand together; the first of c, m, W and X takes the rest of the word, or the next one.
    const valued = text.startsWith('--') ? undefined : /^-([a-zA-Z]*?)([cmWX])([\s\S]*)$/.exec(text);
    if (!valued) {
      own.push(arg);
      continue;
    }
    const [, before = '', letter, glued = ''] = valued;
    if (before) own.push({ ...arg, text: `-${before}` });
    const value = glued ? { ...arg, text: glued } : call.args[++at];
    const rest = call.args.slice(at + 1);
    if (letter === 'c') return value ? { own, kind: 'code', what: value, rest } : { own, kind: 'none', rest };
    if (letter === 'm')
      return value ? { own, kind: 'module', what: value, rest } : { own, kind: 'none', rest };
    if (letter === 'X' && !X_KNOWN.test(value?.text ?? ''))
      call.ask(tell(`uses \`-X ${value?.text.slice(0, 40)}\``, `会使用 \`-X ${value?.text.slice(0, 40)}\``));
    // A category of warnings is imported from its module.
    if (letter === 'W' && !/^[a-z]+(?::[^:.]*(?::[\w]*(?::[\w.]*(?::\d*)?)?)?)?$/.test(value?.text ?? ''))
      call.ask(tell('imports a category of warnings', '会导入一类警告'));
  }
  return { own, kind: 'none', rest: [] };
}

const python: Program = (call) => {
  const { own, kind, what, rest } = cutPython(call);
  const words = applyGrammar(call, own, PYTHON);
  if (kind === 'code') return runsCode(call, 'python', what);
  if (kind === 'module') return runsPythonModule(call, what as Arg, rest);
  if (kind === 'file') return script(call, what as Arg, 'python');
  if (kind === 'none' && words.has('-V', '-VV', '-h', '--help', '--version')) return OPAQUE;
  return kind === 'input' ? call.runsInput('python') : readsInput(call, 'python');
};

/** Libraries that only compute. */
const HARMLESS_LIBRARY =
  /^(?:List::Util|POSIX|JSON::PP|strict|warnings|utf8|Data::Dumper|json|date|time|set|yaml|csv|digest|bigdecimal)(?:=[\w,]+)?$/;
/** Letters that may stand together before the code. */
const LETTERS = String.raw`(?:0(?:x[\da-fA-F]+|[0-7]*)|l[0-7]*|i(?:\.\w+)?|[napwsWcU])`;
const CODED = new RegExp(`^-(${LETTERS}*)[eE]([\\s\\S]*)$`);
const UNCODED = new RegExp(String.raw`^-(?:${LETTERS}+(?:F\S*)?|F\S*)$`);

/** Perl and Ruby share their options: `-ne`, `-pi -e`, `-Mlib`, `-rlib`. */
const perlOrRuby: Program = (call) => {
  let [inPlace, coded] = [false, false];
  let output: Feed = OPAQUE;
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg;
    const { text } = arg;
    if (!text.startsWith('-') || text === '-' || text === '--') {
      const files = text === '--' ? call.args.slice(at + 1) : call.args.slice(at);
      if (coded) return overFiles(call, files, inPlace, output);
      const [file] = files;
      if (!file || file.text === '-') return readsInput(call, call.name);
      return script(call, file, call.name);
    }
    if (!arg.literal)
      call.ask(
        tell(
          `may be given options through \`${text.slice(0, 40)}\``,
          `可能经由 \`${text.slice(0, 40)}\` 带入选项`,
        ),
      );
    const library = call.name === 'ruby' ? /^-(?:r|-require=?)(.*)$/.exec(text) : /^-[Mm](.*)$/.exec(text);
    if (library) {
      const name = library[1] || call.args[++at]?.text;
      if (!HARMLESS_LIBRARY.test(name ?? '')) call.ask(tell('loads other code', '会加载其他代码'));
      continue;
    }
    const code = CODED.exec(text);
    if (/^-[a-zA-Z0-9]*i/.test(code ? `-${code[1]}` : text)) inPlace = true;
    if (code) {
      coded = true;
      output = runsCode(call, call.name, code[2] ? { ...arg, text: code[2] } : call.args[++at]);
    } else if (/^-(?:v|V|h|-version|-help)$/.test(text) && call.args.length === 1) return OPAQUE;
    else if (!UNCODED.test(text)) call.ask(tell(`uses ${text.slice(0, 20)}`, `会使用 ${text.slice(0, 20)}`));
  }
  return coded ? output : readsInput(call, call.name);
};

/** The files that the code goes over. Perl opens a name that is written like a command as that command. */
function overFiles(call: Call, files: readonly Arg[], inPlace: boolean, output: Feed): Feed {
  for (const file of files) {
    if (/^\s*[|>]|\|\s*$/.test(file.text))
      call.ask(tell('runs a command that is written like the name of a file', '会运行写成文件名样子的命令'));
    if (file.text.startsWith('-') && file.text !== '-')
      call.ask(
        tell(
          `is given \`${file.text.slice(0, 40)}\` behind its files`,
          `在文件之后带有 \`${file.text.slice(0, 40)}\``,
        ),
      );
    call.reads(file);
    if (inPlace) call.writes(file, 'change');
  }
  return output;
}

const php = known(
  {
    flags: '-n -q -w -s -H -C -v|--version -m|--modules -h|--help -l|--syntax-check --ini',
    text: '-r|--run -B|--process-begin -R|--process-code -E|--process-end -f|--file --rf --rc --re --ri',
    asks: '-a|--interactive -i|--info -e',
    asksWith:
      '-d|--define -c|--php-ini -S|--server -t|--docroot -z|--zend-extension -F|--process-file -b|--bindpath',
    stopsEarly: true,
  },
  (call, words) => {
    const code = words.values('-r', '-B', '-R', '-E');
    for (const one of code) runsCode(call, 'php', one);
    for (const file of words.values('-f')) script(call, file, 'php');
    if (code.length > 0 || words.has('-f', '-v', '-m', '-h', '--ini', '--rf', '--rc', '--re', '--ri'))
      return OPAQUE;
    const [file] = words.operands;
    if (!file) return readsInput(call, 'php');
    if (words.has('-l', '-w', '-s')) {
      call.reads(file);
      return OPAQUE;
    }
    return script(call, file, 'php');
  },
);

const lua = known(
  { flags: '-v -E -W', text: '-e', asks: '-i', asksWith: '-l -j -b -O', stopsEarly: true },
  (call, words) => {
    const code = words.values('-e');
    let output: Feed = OPAQUE;
    for (const one of code) output = runsCode(call, 'lua', one);
    const [file] = words.operands;
    if (file && file.text !== '-') return script(call, file, 'lua');
    return code.length > 0 || words.has('-v') ? output : readsInput(call, 'lua');
  },
);

/** Languages whose code is not followed: a file of the project may run, anything else asks. */
const otherLanguage = known(
  { flags: '-version --version -v -V -h --help', stopsEarly: true, style: 'word' },
  (call, words) => {
    const [file] = words.operands;
    if (!file)
      return words.has('-version', '--version', '-v', '-V', '-h', '--help')
        ? OPAQUE
        : readsInput(call, call.name);
    if (!/[./]/.test(file.text))
      call.ask(
        tell(
          `does \`${file.text.slice(0, 40)}\`, which is not known to be harmless`,
          `会执行 \`${file.text.slice(0, 40)}\`,是否无害尚不可知`,
        ),
      );
    return script(call, file, call.name);
  },
);

const java = known(
  {
    flags:
      '-version --version -showversion -help --help -ea -da -esa -server -verbose:gc -XshowSettings:vm --enable-preview -Xint',
    inside: '-jar -cp|-classpath|--class-path -p|--module-path',
    text: '-m|--module --add-modules --add-opens --add-exports --source',
    stopsEarly: true,
    style: 'word',
  },
  (call, words) => {
    for (const place of words.values('-jar', '-cp', '-p')) loads(call, place);
    for (const file of words.values('-jar')) call.runsFile(file);
    if (words.has('-jar')) return OPAQUE;
    const [main] = words.operands;
    if (!main) return OPAQUE;
    call.level(2);
    if (main.text.endsWith('.java')) return script(call, main, 'java');
    if (!words.has('-cp') && !words.has('-m') && !/^[\w.$]+$/.test(main.text))
      call.ask(tell('runs a class that is not known', '会运行未知的类'));
    return OPAQUE;
  },
);
/** Sizes and settings of the machine that runs Java, in so far as they choose no agent, no library and no file. */
const JAVA_SETTING =
  /^-(?:X(?:mx|ms|mn|ss)\d+[kmgKMG]?|XX:[+-]?(?:Use\w+GC|UseContainerSupport|MaxRAMPercentage=[\d.]+|InitialRAMPercentage=[\d.]+|MaxMetaspaceSize=\w+|ActiveProcessorCount=\d+|TieredStopAtLevel=\d|HeapDumpOnOutOfMemoryError|ExitOnOutOfMemoryError|TieredCompilation)|D(?:spring\.profiles\.active|file\.encoding|user\.(?:timezone|language)|java\.awt\.headless|server\.port|log\.level|env)=[\w.,+/-]*)$/;
const javaWithSettings: Program = (call) => {
  const jar = call.args.findIndex(({ text }) => text === '-jar');
  if (jar >= 0 && call.args.length > jar + 2) {
    // What follows belongs to the program in the archive.
    wordsForScript(call, call.args.slice(jar + 2));
    return call.as('java', call.args.slice(0, jar + 2));
  }
  const settings = call.args.findIndex(({ text }) => !text.startsWith('-'));
  const own = settings < 0 ? call.args : call.args.slice(0, settings);
  const kept = call.args.filter(
    (arg, at) => at >= own.length || !arg.literal || !JAVA_SETTING.test(arg.text),
  );
  return kept.length < call.args.length ? call.as('java', kept) : java(call);
};

const swiftBuilds = byVerb(
  { flags: '-h|--help --version' },
  each(
    'build, test, run, package resolve, package describe, package show-dependencies',
    verb(
      {
        flags: '-v|--verbose --skip-build --parallel --enable-code-coverage --show-bin-path --skip-update',
        text: '-c|--configuration --filter --skip --product --target -j|--jobs --sanitize',
        inside: '--package-path',
        writes: '--scratch-path|--build-path',
      },
      'text',
      (call, { operands }) => {
        wordsForScript(call, operands);
        return OPAQUE;
      },
    ),
  ),
);
const swift: Program = (call) =>
  /^(?:build|test|run|package)$/.test(call.args[0]?.text ?? '') ? swiftBuilds(call) : otherLanguage(call);

export const interpreters: ProgramTable = {
  ...forEach('python pypy', python),
  ...javascript,
  ...forEach('perl ruby', perlOrRuby),
  php,
  ...forEach('lua luajit', lua),
  java: javaWithSettings,
  swift,
  ...forEach(
    'tclsh wish guile scheme racket julia Rscript R octave ghci runghc elixir iex erl escript scala groovy kotlin crystal nim clojure clj sbcl clisp jshell jrunscript jjs mono osascript coffee',
    otherLanguage,
  ),
  ...forEach(
    'gdb lldb pdb ipython irb pry bpython ghc dc ed ex red vim vi nvim view rvim vimdiff emacs nano pico joe mcedit micro hx',
    asks(
      tell(
        'runs commands of its own, or waits for somebody at a terminal',
        '会自行运行命令,或在终端等人操作',
      ),
    ),
  ),
  bc: known(
    {
      flags: '-l|--mathlib -q|--quiet -s|--standard -w|--warn -i|--interactive -h|--help -v|--version',
      text: '-e|--expression -S|--scale',
      operands: ['reads'],
    },
    (call, words) => {
      if (call.stdin === EMPTY && !words.has('-e', '-v', '-h'))
        call.ask(tell('waits for somebody to type', '会等人键入'));
      return OPAQUE;
    },
  ),
};
