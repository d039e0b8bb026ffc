import { tell } from '#kit/text';
import { literal } from '../arg.ts';
import { forEach, type Program, type ProgramTable } from '../call.ts';
import { assignmentFault } from '../assignments.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { bundlers } from './node-bundlers.ts';
import { nodeTests } from './node-tests.ts';
import { tool, verb, wordsForScript } from './project-tools.ts';
import { asks } from './rules.ts';

const HELP = '-h|--help -v|--version --color|!--no-color';

const eslint = tool(
  {
    flags: `--fix --fix-dry-run --quiet --cache|!--no-cache --debug --no-eslintrc --no-inline-config --no-ignore --no-error-on-unmatched-pattern --pass-on-no-patterns --report-unused-disable-directives --exit-on-fatal-error --no-warn-ignored --stdin --env-info --stats --no-config-lookup --prune-suppressions --suppress-all ${HELP}`,
    text: '--ext --rule --global --env --max-warnings --parser-options --fix-type --ignore-pattern --cache-strategy --report-unused-disable-directives-severity --report-unused-inline-configs --flag --concurrency --suppress-rule',
    inside:
      '-c|--config --rulesdir --resolve-plugins-relative-to --plugin --parser -f|--format --ignore-path --print-config --stdin-filename',
    writes: '-o|--output-file --cache-location --cache-file --suppressions-location',
    asks: '--init --inspect-config',
    booleans: true,
  },
  'loads',
);

const prettier = tool(
  {
    flags: `-c|--check -w|--write -l|--list-different --no-config --no-editorconfig --no-error-on-unmatched-pattern --error-on-unmatched-pattern -u|--ignore-unknown --cache|!--no-cache --semi|!--no-semi --single-quote|!--no-single-quote --jsx-single-quote --bracket-same-line --bracket-spacing|!--no-bracket-spacing --use-tabs|!--no-use-tabs --with-node-modules --support-info --require-pragma --insert-pragma --check-ignore-pragma --vue-indent-script-and-style --single-attribute-per-line --no-plugin-search --cache-strategy-content ${HELP}`,
    text: '--print-width --tab-width --trailing-comma --arrow-parens --prose-wrap --end-of-line --quote-props --log-level --html-whitespace-sensitivity --embedded-language-formatting --range-start --range-end --config-precedence --cache-strategy --cursor-offset --object-wrap --experimental-operator-position',
    inside:
      '--config --ignore-path --plugin --plugin-search-dir --find-config-path --file-info --parser --stdin-filepath',
    writes: '--cache-location',
    booleans: true,
  },
  'loads',
);

const tsc = tool(
  {
    flags:
      '--noEmit --strict --watch|-w --build|-b --incremental|-i --declaration|-d --declarationMap --emitDeclarationOnly --sourceMap --inlineSourceMap --inlineSources --skipLibCheck --skipDefaultLibCheck --esModuleInterop --allowJs --checkJs --listFiles --listEmittedFiles --listFilesOnly --showConfig --pretty --diagnostics --extendedDiagnostics --traceResolution --explainFiles --noEmitOnError --noImplicitAny --noImplicitThis --noImplicitOverride --noImplicitReturns --noUnusedLocals --noUnusedParameters --noFallthroughCasesInSwitch --noUncheckedIndexedAccess --noUncheckedSideEffectImports --noPropertyAccessFromIndexSignature --strictNullChecks --strictFunctionTypes --strictPropertyInitialization --useUnknownInCatchVariables --exactOptionalPropertyTypes --isolatedModules --isolatedDeclarations --resolveJsonModule --resolvePackageJsonExports --preserveWatchOutput --preserveConstEnums --preserveSymlinks --force|-f --dry --verbose|-v --clean --removeComments --importHelpers --noEmitHelpers --noLib --noResolve --allowSyntheticDefaultImports --allowImportingTsExtensions --allowArbitraryExtensions --allowUnreachableCode --allowUnusedLabels --experimentalDecorators --emitDecoratorMetadata --forceConsistentCasingInFileNames --composite --erasableSyntaxOnly --verbatimModuleSyntax --rewriteRelativeImportExtensions --useDefineForClassFields --downlevelIteration --stopBuildOnErrors --disableSizeLimit --noErrorTruncation --noCheck --ignoreConfig --libReplacement --all --init --help|-h|-? --version',
    text: '--target|-t --module|-m --moduleResolution --lib --jsx --jsxFactory --jsxFragmentFactory --jsxImportSource --types --locale --moduleDetection --moduleSuffixes --newLine --customConditions --maxNodeModuleJsDepth --ignoreDeprecations --watchFile --watchDirectory --fallbackPolling --checkers --builders',
    inside: '--project|-p --rootDir --rootDirs --baseUrl --typeRoots --excludeFiles --excludeDirectories',
    writes: '--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile',
    style: 'word',
  },
  'loads',
);

const stylelint = tool({
  flags: `--fix -q|--quiet --cache --allow-empty-input|--aei --disable-default-ignores|--di --report-needless-disables|--rd --report-invalid-scope-disables|--risd --report-descriptionless-disables|--rdd --ignore-disables|--id --stdin --validate|!--no-validate --strict -s ${HELP}`,
  text: '--max-warnings|--mw --ignore-pattern|--ip --cache-strategy',
  inside:
    '-c|--config --config-basedir --custom-syntax --custom-formatter -i|--ignore-path -f|--formatter --print-config --stdin-filename',
  writes: '-o|--output-file --cache-location',
  booleans: true,
});

const markdownlint = tool({
  flags: `-f|--fix -d|--dot -q|--quiet -j|--json -s|--stdin --no-globs ${HELP} -V`,
  text: '-i|--ignore --disable --enable --configPointer',
  inside: '-c|--config -r|--rules -p|--ignore-path',
  writes: '-o|--output',
});

const cspell = tool({
  flags: `--no-progress --progress --quiet --words-only --unique|-u --no-summary --summary --show-suggestions --no-show-suggestions --no-must-find-files --must-find-files --dot --gitignore|!--no-gitignore --cache|!--no-cache --verbose --debug --silent --relative --show-context --fail-fast|!--no-fail-fast --no-issues --legacy --validate-directives --no-exit-code ${HELP}`,
  text: '-e|--exclude --locale --language-id|--languageId --max-duplicate-problems --max-file-size --issues-summary-report',
  inside: '-c|--config -r|--root --file-list --reporter -f|--file --gitignore-root',
  writes: '--cache-location',
  asksWith: '--plugin --issue-template',
});

const BIOME: Grammar = {
  flags:
    '--write --fix --unsafe --apply --apply-unsafe --staged --changed --verbose --no-errors-on-unmatched --error-on-warnings --skip-errors --json --json-pretty --help --version -h -V --format-with-errors --skip-parse-errors',
  text: '--max-diagnostics --reporter --diagnostic-level --since --only --skip --files-max-size --files-ignore-unknown --log-level --log-kind --indent-style --indent-width --line-width --line-ending --quote-style --jsx-quote-style --semicolons --trailing-commas --trailing-comma --arrow-parentheses --bracket-spacing --stdin-file-path --formatter-enabled --linter-enabled --organize-imports-enabled --assist-enabled --enforce-assist --colors --vcs-enabled --vcs-client-kind --vcs-use-ignore-file --vcs-default-branch',
  inside: '--config-path --vcs-root',
  asks: '--use-server',
  booleans: true,
};
const biome = byVerb(
  { flags: '--help --version -h -V' },
  {
    ...each('check, lint, format, ci', verb(BIOME)),
    search: verb(BIOME, 'text'),
    ...each(
      'rage, version, explain',
      reads({ flags: '--formatter --linter --daemon-logs', operands: ['text'] }),
    ),
  },
);

const oxlint = tool({
  flags: `--fix --fix-suggestions --quiet --deny-warnings --silent --import-plugin --react-plugin --react-perf-plugin --jest-plugin --vitest-plugin --jsx-a11y-plugin --nextjs-plugin --promise-plugin --node-plugin --jsdoc-plugin --vue-plugin --type-aware --type-check --disable-nested-config --no-ignore --rules --print-config --report-unused-disable-directives --no-error-on-unmatched-pattern --disable-unicorn-plugin --disable-oxc-plugin --disable-typescript-plugin ${HELP} -V`,
  text: '-A|--allow -D|--deny -W|--warn --max-warnings -f|--format --threads --ignore-pattern',
  inside: '-c|--config --tsconfig --ignore-path',
});

const knip = tool({
  flags: `-p|--production -s|--strict --fix -n|--no-progress --include-entry-exports --no-exit-code --cache -d|--debug --performance --isolate-workspaces --dependencies --exports --files --no-config-hints --treat-config-hints-as-errors --watch --memory --no-gitignore --include-libs --format --duration ${HELP} -V`,
  text: '--include --exclude -W|--workspace --max-issues --tags --experimental-tags --fix-type --max-show-issues --reporter-options',
  inside:
    '-c|--config -t|--tsConfig --directory --reporter --preprocessor --trace --trace-file --trace-export -w',
  asks: '--allow-remove-files',
  asksWith: '--preprocessor-options',
});

const commitlint = tool({
  flags: `--last|-l -V|--verbose -q|--quiet -s|--strict -c --print-config ${HELP}`,
  text: '-f|--from -t|--to -H|--help-url',
  glued: '-e|--edit',
  inside: '-g|--config -d|--cwd -x|--extends -o|--formatter -p|--parser-preset',
  asksWith: '-E|--env',
});

const graphs = tool({
  flags: `--circular|-c --orphans --leaves|-l --json|-j --no-color --warning --no-spinner --summary|-s --no-count --dot --include-npm --progress --ignore-known --no-config --info --metrics ${HELP}`,
  text: '--exclude|-x --extensions --depends|-d --layout --include-only|-I --focus|-F --reaches|-R --highlight --collapse|-S --output-type|-T --do-not-follow|-X --ignores --ignore-patterns --ignore-dirs --skip-missing --max-depth --module-systems|-M --prefix|-P',
  inside:
    '--basedir|-b --ts-config|--tsConfig --webpack-config|--webpackConfig --require-config --config --ts-pre-compilation --babel-config --parsers --detectors --specials',
  writes: '--image|-i --output-to|-f',
});

/** Runs what the words say, each a line for the shell or a script of the project. */
const concurrently = known(
  {
    flags: `-k|--kill-others --kill-others-on-fail -r|--raw -g|--group --no-color --passthrough-arguments|-P --timings --pad-prefix ${HELP}`,
    text: '-n|--names -c|--prefix-colors -p|--prefix -l|--prefix-length -t|--timestamp-format -s|--success --restart-tries --restart-after -m|--max-processes --hide --name-separator --kill-signal|--ks --default-input-target',
    asks: '-i|--handle-input',
    asksWith: '--teardown',
  },
  (call, words) => {
    call.level(2);
    for (const command of words.operands)
      if (!command.literal || !/^(?:npm|pnpm|yarn|bun|node):[\w:*./-]+$/.test(command.text))
        call.runsScript(command);
    return OPAQUE;
  },
);

const runAll = known(
  {
    flags: `-c|--continue-on-error -l|--print-label -n|--print-name -p|--parallel -s|--sequential|--serial -r|--race --silent ${HELP} --aggregate-output`,
    text: '--max-parallel',
    asksWith: '--npm-path',
  },
  (call, words) => {
    call.level(2);
    for (const { text, literal: fixed } of words.operands)
      if (!fixed || !/^[\w:*@/.-]+(?: -- [\w:*@/. =-]+)?$/.test(text))
        call.ask(tell('runs what is no script of the project', '会运行不属于项目脚本的内容'));
    return OPAQUE;
  },
);

/** Sets variables for one command. */
const crossEnv: Program = (call) => {
  const { args } = call;
  const at = args.findIndex(({ text }) => !/^\w+=/.test(text));
  for (const arg of at < 0 ? args : args.slice(0, at)) {
    const cut = arg.text.indexOf('=');
    const value = { ...arg, text: arg.text.slice(cut + 1) };
    const fault = assignmentFault({ name: arg.text.slice(0, cut), value, simple: true });
    if (fault) call[fault.verdict](tell(`is ${fault.why.en}`, fault.why.zh));
  }
  if (at < 0) return OPAQUE;
  const rest = args.slice(at);
  if (rest[0]?.text.startsWith('-'))
    call.ask(
      tell(
        `uses \`${rest[0].text.slice(0, 40)}\`, which is not known`,
        `会使用未知的 \`${rest[0].text.slice(0, 40)}\``,
      ),
    );
  if (call.name === 'cross-env') return call.runs(rest);
  return call.runsScript({
    ...literal(rest.map(({ text }) => text).join(' ')),
    literal: rest.every((arg) => arg.literal),
  });
};

const rimraf = known(
  {
    flags:
      '-v|--verbose -V|--no-verbose --preserve-root -g|--glob -G|--no-glob -i|--interactive -I|--no-interactive -h|--help --version',
    text: '--impl --max-retries --retry-delay --backoff',
    asks: '--no-preserve-root',
    inside: '--tmp',
  },
  (call, words) => {
    for (const path of words.operands) call.writes(path, 'delete all below');
    return OPAQUE;
  },
);

const nodemon = known(
  {
    flags: `-q|--quiet -V|--verbose -L|--legacy-watch -I|--no-stdin -C|--on-change-only --dump --no-colours ${HELP}`,
    text: '-e|--ext -i|--ignore -d|--delay -s|--signal',
    inside: '-w|--watch --cwd --config',
    asks: '--inspect --inspect-brk',
    asksWith: '-x|--exec -r|--require',
    stopsEarly: true,
  },
  (call, words) => {
    call.level(2);
    return words.operands.length > 0 ? call.as('node', words.operands) : OPAQUE;
  },
);

const updates = tool(
  {
    flags: `-u|--upgrade -m|--minimal --deep --jsonUpgraded --jsonAll --peer --pre --no-deprecated ${HELP} -V`,
    text: '-f|--filter -x|--reject -t|--target --dep --format -l|--loglevel -e|--errorLevel --timeout --concurrency -w|--workspace',
    inside: '--packageFile --cwd --configFilePath --configFileName',
    asks: '-g|--global -i|--interactive -d|--doctor',
    asksWith: '--registry --doctorTest --doctorInstall --packageManager -p',
  },
  'text',
);

const databaseTools: ProgramTable = {
  prisma: byVerb(
    { flags: HELP },
    {
      ...each(
        'generate, validate, format',
        verb({
          flags: '--watch --no-engine --no-hints --sql --data-proxy --accelerate --check --allow-no-models',
          text: '--generator',
          inside: '--schema --config',
        }),
      ),
      ...each(
        'migrate status, version',
        reads({ flags: '--json', inside: '--schema --config', operands: ['none'] }),
      ),
    },
  ),
  'drizzle-kit': byVerb(
    { flags: HELP },
    each(
      'generate, check, up',
      verb({ flags: '--custom', text: '--dialect --name --prefix', inside: '--config --schema --out' }),
    ),
  ),
  ...forEach(
    'knex sequelize typeorm',
    byVerb(
      {
        flags: HELP,
        inside: '--knexfile --cwd --config --options-path -d|--dataSource',
        text: '--env --client',
      },
      each(
        'migrate:list, migrate:status, migrate:currentVersion, db:migrate:status, migration:show',
        reads(),
      ),
    ),
  ),
};

const TASKS: Grammar = {
  flags: `--force --no-cache --parallel --continue --only --affected --summarize --no-daemon --daemon --verbose --skip-nx-cache|--skipNxCache --all --nxBail --nxIgnoreCycles --no-cloud --watch --fix --ci --prod --production --coverage --codeCoverage --no-bail --stream --no-sort --json --no-prefix --include-dependencies --include-dependents --ndjson --toposort -l|--long -a --no-private --check --uncommitted --untracked --help --version -h`,
  text: '--filter|-F --concurrency --output-logs --log-order --log-prefix --env-mode --scope --since --ignore --verbosity --ui -t|--target|--targets -p|--projects --exclude --base --head --configuration --output-style|--outputStyle --files --type --sep --loglevel --with-target',
  glued: '--dry --maxParallel',
  inside: '--cwd --cache-dir --root-turbo-json -c',
  asksWith: '--api --token --team --runner --login --remote-cache-timeout --graph --file --preflight',
  booleans: true,
};
/** Runners of tasks that the project names. Its other sub-commands reach further than the project. */
const tasks = (other: RegExp): Program =>
  known(TASKS, (call, words) => {
    call.level(2);
    const [first] = words.operands;
    if (first && (!first.literal || other.test(first.text)))
      call.ask(
        tell(
          `does \`${first.text.slice(0, 40)}\`, which needs agreement`,
          `会执行 \`${first.text.slice(0, 40)}\`,需要同意`,
        ),
      );
    // What follows `--` goes to the tasks; other words are names of tasks and projects.
    wordsForScript(call, words.operands);
    return OPAQUE;
  });

export const nodeTools: ProgramTable = {
  ...bundlers,
  ...nodeTests,
  ...databaseTools,
  eslint,
  prettier,
  ...forEach('tsc vue-tsc', tsc),
  'svelte-check': tool({
    flags: `--watch --fail-on-warnings --no-tsconfig --incremental --preserveWatchOutput ${HELP}`,
    text: '--output --threshold --compiler-warnings --ignore --diagnostic-sources',
    inside: '--workspace --tsconfig',
  }),
  stylelint,
  ...forEach('markdownlint markdownlint-cli2', markdownlint),
  cspell,
  biome,
  oxlint,
  knip,
  commitlint,
  ...forEach('madge depcruise dependency-cruiser depcheck', graphs),
  ...forEach(
    'publint attw size-limit',
    tool({
      flags: `--json --strict --pack --quiet -q --no-emoji --why --highlight-less ${HELP}`,
      text: '--level --format -f --profile --ignore-rules',
      inside: '--config-path --definitely',
    }),
  ),
  'lint-staged': tool(
    {
      flags: `--allow-empty --debug|-d --no-stash --quiet|-q --relative|-r --verbose --no-hide-partially-staged --continue-on-error --fail-on-changes ${HELP}`,
      text: '--diff --diff-filter --concurrent|-p --max-arg-length',
      inside: '-c|--config --cwd',
      asksWith: '-x|--shell',
    },
    'text',
  ),
  concurrently,
  ...forEach('npm-run-all run-s run-p', runAll),
  ...forEach('cross-env cross-env-shell', crossEnv),
  rimraf,
  nodemon,
  ...forEach('npm-check-updates ncu', updates),
  turbo: tasks(
    /^(?:login|logout|link|unlink|gen|generate|daemon|telemetry|scan|config|prune|devtools|docs|boundaries)$/,
  ),
  nx: tasks(
    /^(?:migrate|add|release|import|connect|init|generate|g|exec|repair|login|logout|publish|deploy|daemon|console|fix-ci|register|start-ci-run|view-logs|record|watch|workspace-generator)$/,
  ),
  lerna: byVerb(
    { flags: HELP, text: '--loglevel --concurrency' },
    {
      ...each('list, ls, la, ll, changed, diff, info', reads(TASKS)),
      run: verb(TASKS, 'text'),
    },
  ),
  changeset: byVerb(
    { flags: HELP },
    { status: reads({ flags: '--verbose', text: '--since', writes: '-o|--output', operands: ['none'] }) },
    { alone: 'asks' },
  ),
  wrangler: byVerb(
    { flags: HELP, inside: '-c|--config --cwd', text: '-e|--env' },
    {
      types: verb({
        flags: '--check --include-env --include-runtime --strict-vars',
        text: '--env-interface',
      }),
      ...each(
        'dev, pages dev',
        verb({
          flags: '--local|-l --live-reload --test-scheduled',
          text: '--port --log-level',
          inside: '--persist-to',
          asks: '--remote',
          asksWith: '--ip',
        }),
      ),
      deploy: needsAgreement(tell('publishes', '会对外发布')),
    },
  ),
  husky: asks(tell('makes every commit run commands', '会让每次提交都运行命令'), 2),
  ...forEach('http-server serve', asks(tell('shows files to other machines', '会把文件展示给其他机器'), 2)),
};

/** A tool of the project, asked for by its name. */
export const isNodeTool = (name: string): boolean => Object.hasOwn(nodeTools, name);
