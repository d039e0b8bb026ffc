import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import type { Call } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, type Words } from '../grammar.ts';
import { loads } from './project-tools.ts';
import { emptiesFolder } from './python-packages.ts';
import { pythonTools } from './python-tools.ts';

interface Module {
  readonly grammar: Grammar;
  readonly rule?: (call: Call, words: Words) => Feed | undefined;
}

/** Files whose code is compiled, imported or printed. */
const places = (call: Call, words: Words): Feed => {
  call.level(2);
  for (const place of words.operands) loads(call, place);
  return OPAQUE;
};
const HELP = '-h|--help';

/** Modules of Python itself that are known with these words. */
const MODULES: Readonly<Record<string, Module>> = {
  'json.tool': {
    grammar: {
      flags: `--sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact ${HELP}`,
      text: '--indent',
      operands: ['reads', 'writes'],
    },
  },
  unittest: {
    grammar: {
      flags: `-v|--verbose -q|--quiet --locals -f|--failfast -c|--catch -b|--buffer ${HELP}`,
      text: '-k -p|--pattern --durations',
      inside: '-s|--start-directory -t|--top-level-directory',
    },
    rule: places,
  },
  doctest: { grammar: { flags: `-v|--verbose -f|--fail-fast ${HELP}`, text: '-o|--option' }, rule: places },
  venv: {
    grammar: {
      flags: `--system-site-packages --symlinks --copies --clear --upgrade --without-pip --upgrade-deps --without-scm-ignore-files --no-download ${HELP}`,
      text: '--prompt',
    },
    rule: (call, words) => {
      call.level(2);
      return emptiesFolder(call, words);
    },
  },
  compileall: {
    grammar: {
      flags: `-l -f -q -b -qq ${HELP}`,
      text: '-r -j|--workers -o --invalidation-mode -x',
      inside: '-i -s -p -d -e',
    },
    rule: places,
  },
  py_compile: { grammar: { flags: `-q|--quiet ${HELP}` }, rule: places },
  build: {
    grammar: {
      flags: `-s|--sdist -w|--wheel -n|--no-isolation -x|--skip-dependency-check -v|--verbose ${HELP} -V|--version`,
      text: '--installer',
      writes: '-o|--outdir',
      asksWith: '-C|--config-setting|--config-json',
    },
    rule: places,
  },
  tabnanny: { grammar: { flags: '-v -q' }, rule: places },
  ast: {
    grammar: {
      flags: `-a|--include-attributes --no-type-comments ${HELP}`,
      text: '-m|--mode -i|--indent --feature-version',
      operands: ['reads'],
    },
  },
  dis: { grammar: { flags: `-C|--show-caches -O|--show-offsets ${HELP}`, operands: ['reads'] } },
  tokenize: { grammar: { flags: `-e|--exact ${HELP}`, operands: ['reads'] } },
  calendar: {
    grammar: {
      flags: HELP,
      text: '-w|--width -l|--lines -s|--spacing -m|--months -L|--locale -e|--encoding -t|--type -f|--first-weekday',
      operands: ['text'],
    },
  },
  site: { grammar: { flags: '--user-base --user-site', operands: ['none'] } },
  sysconfig: { grammar: { flags: '', operands: ['none'] } },
  platform: { grammar: { flags: '--terse --nonaliased', operands: ['text'] } },
  this: { grammar: { operands: ['none'] } },
  zoneinfo: { grammar: { operands: ['none'] } },
};

/** Modules that are called otherwise than their programs. */
const NAMES: Readonly<Record<string, string>> = {
  pre_commit: 'pre-commit',
  pip_audit: 'pip-audit',
  sphinx: 'sphinx-build',
  virtualenv: 'venv',
};
/** Managers of packages that are modules, too. */
const MANAGERS = new Set(['pip', 'poetry', 'uv', 'pdm', 'hatch', 'pipenv']);

/** `python -m name words`: judged as the tool of that name, or by what is known of the module. */
export function runsPythonModule(call: Call, name: Arg, rest: readonly Arg[]): Feed {
  const called = NAMES[name.text] ?? name.text;
  if (name.literal && (Object.hasOwn(pythonTools, called) || MANAGERS.has(called)))
    return call.as(called, rest) ?? OPAQUE;
  const module = name.literal && Object.hasOwn(MODULES, called) ? MODULES[called] : undefined;
  if (!module) {
    call.level(2);
    if (name.literal && called === 'timeit') return timesCode(call, rest);
    call.ask(
      tell(
        `runs the module \`${name.text.slice(0, 40)}\`, which is not on the list`,
        `会运行不在名单上的模块 \`${name.text.slice(0, 40)}\``,
      ),
    );
    return OPAQUE;
  }
  const words = applyGrammar(call, rest, module.grammar);
  return module.rule ? (module.rule(call, words) ?? OPAQUE) : OPAQUE;
}

function timesCode(call: Call, rest: readonly Arg[]): Feed {
  const words = applyGrammar(call, rest, {
    flags: `-p|--process -v|--verbose ${HELP}`,
    text: '-n|--number -r|--repeat -u|--unit -s|--setup',
  });
  for (const code of [...words.values('-s'), ...words.operands]) call.runsCode('python', code);
  return OPAQUE;
}
