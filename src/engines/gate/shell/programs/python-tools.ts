import { tell } from '#kit/text';
import { forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { tool, verb } from './project-tools.ts';

const HELP = '-h|--help --version';

const pytest = tool(
  {
    flags: `-v|--verbose -q|--quiet -x|--exitfirst -s -l|--showlocals --no-showlocals --lf|--last-failed --ff|--failed-first --nf|--new-first --sw|--stepwise --sw-skip --stepwise-skip --co|--collect-only --no-header --no-summary --strict --strict-markers --strict-config --runxfail --cache-clear --cache-show --fixtures --funcargs --fixtures-per-test --markers --setup-show --setup-only --setup-plan --full-trace --disable-warnings --disable-pytest-warnings --doctest-modules --doctest-continue-on-failure --doctest-ignore-import-errors --continue-on-collection-errors --keep-duplicates --collect-in-virtualenv --noconftest --pyargs --no-cov --cov-append --cov-branch --no-cov-on-fail --cov-reset --snapshot-update --reuse-db --create-db --nomigrations --no-migrations --benchmark-only --benchmark-skip --benchmark-disable --force-sugar --random-order --xfail-tb --force-short-summary -f --looponfail --flake-finder --headed --fail-on-flaky ${HELP} -V`,
    text: '-k -m -r --maxfail --tb --show-capture --capture --color --code-highlight --durations --durations-min --verbosity --deselect --lfnf --last-failed-no-failures --import-mode --junit-prefix --junitprefix --log-level --log-format --log-date-format --log-cli-level --log-cli-format --log-file-level --log-file-mode --doctest-report --doctest-glob --timeout --timeout-method --session-timeout --asyncio-mode --cov-fail-under --cov-context -n|--numprocesses --maxprocesses --dist --maxschedchunk --max-worker-restart --reruns --reruns-delay --only-rerun --rerun-except --randomly-seed --random-order-seed --count --repeat-scope --benchmark-sort --benchmark-columns --browser --group --splits --ignore-glob -W|--pythonwarnings --ds --dc --assert --hypothesis-profile --hypothesis-seed --hypothesis-verbosity --hypothesis-show-statistics --shard-id --num-shards --enable-socket',
    inside:
      '-c|--config-file --rootdir --confcutdir --ignore --cov --cov-config --cov-report -p --durations-path',
    writes:
      '--junit-xml|--junitxml --log-file --result-log --html --json-report-file --basetemp --resultlog --report-log',
    runs: '--pdbcls',
    asks: '--pdb --trace',
    asksWith: '-o|--override-ini --pastebin --debug --rsyncdir --tx --px',
  },
  'loads',
  (call, words) => {
    // The folder for temporary files is emptied first.
    for (const folder of words.values('--basetemp')) call.writes(folder, 'delete all below');
    return OPAQUE;
  },
);

const mypy = tool(
  {
    flags: `-v|--verbose --strict --ignore-missing-imports --namespace-packages|!--no-namespace-packages --explicit-package-bases --no-incremental --pretty --show-error-codes --hide-error-codes --show-error-context --show-column-numbers --show-error-end --show-absolute-path --no-error-summary --color-output|!--no-color-output --warn-unused-ignores|!--no-warn-unused-ignores --warn-return-any|!--no-warn-return-any --warn-unreachable --warn-redundant-casts --warn-unused-configs --warn-no-return --disallow-untyped-defs --disallow-incomplete-defs --disallow-untyped-calls --disallow-untyped-decorators --disallow-any-generics --disallow-any-unimported --disallow-any-expr --disallow-any-explicit --disallow-subclassing-any --check-untyped-defs --strict-optional|!--no-strict-optional --no-implicit-optional --implicit-optional --no-implicit-reexport --strict-equality --allow-redefinition --allow-untyped-globals --local-partial-types --follow-untyped-imports --no-site-packages --no-silence-site-packages --scripts-are-modules --sqlite-cache --skip-cache-mtime-checks --skip-version-check --fast-module-lookup --stats --inferstats --dump-build-stats --enable-incomplete-features --cache-fine-grained --exclude-gitignore ${HELP} -V`,
    text: '--python-version --platform --exclude --follow-imports --enable-error-code --disable-error-code --always-true --always-false -m|--module -p|--package --output|-O --enable-incomplete-feature --untyped-calls-exclude',
    inside: '--config-file --custom-typeshed-dir --shadow-file',
    writes:
      '--cache-dir --junit-xml --any-exprs-report --cobertura-xml-report --html-report --linecount-report --linecoverage-report --lineprecision-report --txt-report --xml-report',
    asks: '--install-types --non-interactive --pdb',
    // These are started as programs, or are code themselves.
    runs: '--python-executable --custom-typing-module --package-root',
    asksWith: '-c',
  },
  'loads',
);

const RUFF: Grammar = {
  flags: `--fix|!--no-fix --unsafe-fixes|!--no-unsafe-fixes --show-fixes --diff -w|--watch --fix-only --ignore-noqa --preview|!--no-preview --statistics --add-noqa -e|--exit-zero --exit-non-zero-on-fix --exit-non-zero-on-format --show-files --show-settings --respect-gitignore|!--no-respect-gitignore --force-exclude|!--no-force-exclude -n|--no-cache --isolated -v|--verbose -q|--quiet -s|--silent --check --show-source --all ${HELP} -V`,
  text: '--select --ignore --extend-select --extend-ignore --per-file-ignores --extend-per-file-ignores --fixable --unfixable --extend-fixable --exclude --extend-exclude --line-length --target-version --output-format --extension --range --stdin-filename --color',
  inside: '--config',
  writes: '-o|--output-file --cache-dir',
};
const ruff = byVerb(
  { flags: `-v --verbose -q --quiet -s --silent --isolated ${HELP} -V`, inside: '--config' },
  {
    ...each('check, format', verb(RUFF)),
    ...each(
      'rule, config, linter, version, help',
      reads({ flags: '--all', text: '--output-format --format', operands: ['text'] }),
    ),
    clean: verb({}, 'loads'),
    'analyze graph': verb({
      flags: '--detect-string-imports --preview',
      text: '--direction --target-version',
    }),
  },
);

const black = tool({
  flags: `--check --diff --color|!--no-color -q|--quiet -v|--verbose --preview --unstable --fast --safe --skip-string-normalization -S --skip-magic-trailing-comma -C --pyi --ipynb --no-cache -x|--skip-source-first-line ${HELP}`,
  text: '-l|--line-length -t|--target-version --required-version --include --exclude --extend-exclude --force-exclude --stdin-filename -W|--workers --line-ranges --python-cell-magics --enable-unstable-feature',
  inside: '--config',
  asksWith: '-c|--code',
});

const isort = tool({
  flags: `-c|--check|--check-only --df|--diff -q|--quiet -v|--verbose --ac|--atomic --fss|--force-sort-within-sections --tc|--trailing-comma --up|--use-parentheses --sl|--force-single-line-imports --skip-gitignore|--gitignore --color --show-config --show-files --ca|--combine-as --cs|--combine-star --fgw --overwrite-in-place --only-modified --float-to-top -e --balanced --stdout|-d ${HELP} -V --vn`,
  text: '--profile -l|--line-length|--line-width|-w -m|--multi-line --skip|-s --skip-glob|--sg --extend-skip|--extend-skip-glob -p|--project -o|--thirdparty -a|--add-import --rm|--remove-import -j|--jobs --py|--python-version --lai|--lines-after-imports --wl|--wrap-length --filename -i|--indent --extension --ls|--length-sort-sections -b|--builtin -f|--future',
  inside: '--src|--src-path --settings-path|--settings-file|--settings|--sp --config-root',
  asks: '--interactive',
  asksWith: '--virtual-env --conda-env --sort-order --formatter',
});

const flake8 = tool({
  flags: `-v|--verbose -q|--quiet --count --statistics --show-source|!--no-show-source --benchmark --exit-zero --disable-noqa --isolated --doctests --bug-report ${HELP}`,
  text: '--exclude --extend-exclude --filename --stdin-display-name --format --hang-closing --ignore --extend-ignore --per-file-ignores --max-line-length --max-doc-length --max-complexity --indent-size --select --extend-select -j|--jobs --color --builtins --require-plugins --enable-extensions --include-in-doctest --exclude-from-doctest --docstring-convention --import-order-style --application-import-names',
  inside: '--config --append-config',
  writes: '--output-file --tee',
});

const pylint = tool({
  flags: `-v|--verbose -E|--errors-only --list-msgs --list-msgs-enabled --list-groups --list-conf-levels --list-extensions --generate-rcfile --generate-toml-config --full-documentation --long-help --exit-zero ${HELP}`,
  text: '-d|--disable -e|--enable --msg-template -r|--reports -s|--score --recursive --ignore --ignore-patterns --ignore-paths -j|--jobs --max-line-length --max-args --max-locals --max-branches --max-returns --max-statements --max-attributes --max-module-lines --max-complexity --min-similarity-lines --good-names --bad-names --fail-under --fail-on --confidence --persistent --py-version --help-msg --ignored-modules --ignored-classes --extension-pkg-allow-list --generated-members --max-nested-blocks --min-public-methods --max-public-methods --clear-cache-post-run --from-stdin-name',
  inside: '--rcfile --load-plugins --source-roots -f|--output-format',
  writes: '--output',
  runs: '--init-hook --unsafe-load-any-extension',
  asksWith:
    '--evaluation --spelling-store-unknown-words --spelling-private-dict-file --import-graph --ext-import-graph --int-import-graph',
});

const pyright = tool({
  flags: `-w|--watch --stats --verbose --outputjson --warnings --skipunannotated ${HELP}`,
  text: '--level --pythonplatform --pythonversion --threads',
  inside: '-p|--project -t|--typeshedpath|--typeshed-path -v|--venvpath|--venv-path --verifytypes',
  runs: '--pythonpath',
  asksWith: '--createstub',
});

const COVERAGE_FILES: Grammar = {
  flags:
    '-i|--ignore-errors -m|--show-missing --skip-covered|!--no-skip-covered --skip-empty|!--no-skip-empty -q|--quiet --show-contexts --pretty-print -a|--append --keep -h|--help',
  text: '--include --omit --fail-under --precision --sort --format --contexts --title',
  inside: '--rcfile --data-file',
};
/** `coverage run` runs a script, or a module, as Python would. */
const COVERAGE_RUN: Grammar = {
  flags: '--branch -a|--append -p|--parallel-mode -L|--pylib --timid -m|--module -h|--help',
  text: '--include --omit --concurrency --context --save-signal',
  inside: '--rcfile --data-file --source',
  stopsEarly: true,
};
const coverage = byVerb(
  { flags: HELP },
  {
    run: {
      does: 'runs',
      grammar: COVERAGE_RUN,
      rule: (call, words) => {
        const [first] = words.operands;
        if (!first) return OPAQUE;
        if (words.has('-m'))
          return call.as('python', [{ ...first, text: '-m' }, ...words.operands]) ?? OPAQUE;
        call.runsFile(first);
        return OPAQUE;
      },
    },
    report: verb(COVERAGE_FILES),
    combine: verb(COVERAGE_FILES),
    ...each(
      'html, xml, json, lcov, annotate',
      verb({ ...COVERAGE_FILES, writes: '-o -d|--directory' }, 'loads', (call, words) => {
        for (const folder of words.values('-d')) call.writes(folder, 'change all below');
        return OPAQUE;
      }),
    ),
    erase: verb({ inside: '--rcfile --data-file' }),
    ...each('debug, help', reads({ operands: ['text'] })),
  },
);

const tox = known(
  {
    flags: `-q|--quiet -v|--verbose -l|--listenvs -a|--listenvs-all --showconfig -r|--recreate --notest -n --skip-pkg-install --sdistonly --develop --no-recreate-pkg --no-list-dependencies --stop-on-first-error --reuse-existing-virtualenvs -R --no-install --no-color --nocolor --list ${HELP}`,
    text: '-e|-s|--session|--sessions --env -k|--keywords -m -t|--tags -P --colored -p|--parallel --parallel-no-spinner --skip-env --python --verbosity --forcecolor',
    glued: '--skip-missing-interpreters',
    inside: '-c|--conf -f|--noxfile --root --rootdir',
    writes: '--result-json --report --workdir --envdir',
    asksWith:
      '-x|--override -i|--index-url --force-dep --installpkg --discover --default-venv-backend --force-python',
  },
  (call, words) => {
    call.level(2);
    for (const operand of words.operands)
      if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(operand.text))
        call.ask(tell('is given a place outside of the working folder', '被指向工作目录之外的位置'));
    return OPAQUE;
  },
);

const bandit = tool({
  flags: `-r|--recursive -v|--verbose -q|--quiet -l|-ll|-lll -i|-ii|-iii --exit-zero --ignore-nosec -d|--debug ${HELP}`,
  text: '-a|--aggregate -t|--tests -s|--skip -x|--exclude -f|--format --severity-level --confidence-level -n|--number --msg-template',
  inside: '-c|--configfile -p|--profile -b|--baseline --ini',
  writes: '-o|--output',
});

const preCommit = byVerb(
  { flags: `${HELP} -V`, text: '--color' },
  {
    run: verb(
      {
        flags: '-a|--all-files -v|--verbose --show-diff-on-failure --fail-fast',
        text: '--hook-stage --from-ref|-s|--source --to-ref|-o|--origin --color',
        inside: '-c|--config --files',
      },
      'text',
    ),
    ...each('validate-config, validate-manifest', verb({})),
    sample: reads(),
  },
);

const sphinx = tool({
  flags: `-a -E -n -v -q -Q -T -W --keep-going --fresh-env --write-all --nitpicky --fail-on-warning --show-traceback -N --no-color --color ${HELP}`,
  text: '-b|--builder -j|--jobs -t|--tag -A|--html-define',
  inside: '-c|--conf-dir',
  writes: '-d|--doctree-dir -w|--warning-file',
  runs: '-D|--define',
  asks: '-P|--pdb -C',
});

const mkdocs = byVerb(
  { flags: `${HELP} -V -q -v` },
  {
    build: verb({
      flags: '-c|--clean -s|--strict --no-strict -q -v --dirty',
      inside: '-f|--config-file -t|--theme',
      writes: '-d|--site-dir',
      operands: ['none'],
    }),
    serve: verb({
      flags: '-s|--strict --livereload --no-livereload --dirty',
      inside: '-f|--config-file -w|--watch',
      asks: '-o|--open',
      asksWith: '-a|--dev-addr',
    }),
    'gh-deploy': needsAgreement(tell('publishes', '会对外发布')),
  },
);

const alembic = byVerb(
  { flags: `${HELP} --raiseerr`, inside: '-c|--config', text: '-n|--name', asksWith: '-x' },
  {
    ...each(
      'current, history, heads, branches, show, check',
      reads({
        flags: '-v|--verbose -i|--indicate-current --check-heads --resolve-dependencies',
        text: '-r|--rev-range',
        operands: ['text'],
      }),
    ),
    revision: verb(
      {
        flags: '--autogenerate --sql --splice',
        text: '-m|--message --head --branch-label --rev-id --depends-on',
        inside: '--version-path',
      },
      'text',
    ),
  },
);

const semgrep = byVerb(
  { flags: HELP },
  {
    ...each(
      'scan, ci',
      verb({
        flags:
          '--json --sarif --junit-xml --text --error --quiet -q --verbose -v --autofix -a --dryrun --no-git-ignore --strict --disable-version-check --no-rewrite-rule-ids --time --validate --oss-only',
        text: '--severity --exclude --include --exclude-rule --max-target-bytes --timeout --timeout-threshold -j|--jobs --max-memory --lang|-l -e|--pattern --baseline-commit',
        inside: '-f|--config|-c',
        writes: '-o|--output --json-output --sarif-output',
        asksWith: '--metrics --replacement',
      }),
    ),
  },
);

/** The others have a few options each. */
const OTHERS: Readonly<Record<string, Program>> = {
  'pip-audit': tool({
    flags: `-l|--local --strict -v|--verbose --skip-editable --no-deps --require-hashes --dry-run|-d ${HELP} -V`,
    text: '-f|--format -s|--vulnerability-service --desc --aliases --progress-spinner --ignore-vuln --timeout',
    reads: '-r|--requirement',
    writes: '-o|--output --cache-dir',
    inside: '--path',
    asks: '--fix',
    asksWith: '-i|--index-url --extra-index-url',
  }),
  vulture: tool({
    flags: `--make-whitelist --sort-by-size -v|--verbose ${HELP}`,
    text: '--exclude --ignore-decorators --ignore-names --min-confidence',
    inside: '--config',
  }),
  yamllint: tool(
    {
      flags: `-s|--strict --no-warnings --list-files - ${HELP} -v`,
      text: '-f|--format -d|--config-data',
      inside: '-c|--config-file',
    },
    'reads',
  ),
  checkov: tool({
    flags: '--quiet --compact -s|--soft-fail --skip-download --list -l -v|--version -h|--help',
    text: '-c|--check --skip-check --framework --skip-framework -o|--output --branch --hard-fail-on --soft-fail-on --skip-path',
    inside: '-f|--file -d|--directory --config-file --baseline --var-file',
    writes: '--output-file-path',
    asksWith: '--external-checks-dir --external-checks-git --bc-api-key --repo-id --docker-image',
  }),
};

/** What Python runs by the name of a module, under the name by which it is known here. */
export const pythonTools: ProgramTable = {
  pytest,
  'py.test': pytest,
  mypy,
  ruff,
  black,
  isort,
  flake8,
  pylint,
  pyright,
  coverage,
  ...forEach('tox nox', tox),
  bandit,
  'pre-commit': preCommit,
  'sphinx-build': sphinx,
  mkdocs,
  alembic,
  semgrep,
  ...OTHERS,
};
