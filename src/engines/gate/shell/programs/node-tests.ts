import { tell } from '#kit/text';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known, type Words } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { tool, verb } from './project-tools.ts';

const HELP = '-h|--help -v|--version --color|!--no-color';

/** It empties the folder of its reports first. */
const empties =
  (...names: string[]) =>
  (call: Call, words: Words): Feed => {
    for (const folder of words.values(...names)) call.writes(folder, 'delete all below');
    return OPAQUE;
  };

const vitest = tool(
  {
    flags: `-w|--watch|!--no-watch -u|--update --run --ui|!--no-ui --coverage|!--no-coverage --coverage.enabled --coverage.all --coverage.clean --coverage.skipFull --coverage.thresholds.100 --coverage.thresholds.perFile --coverage.reportOnFailure --hideSkippedTests --globals --dom --passWithNoTests --allowOnly|!--no-allowOnly --isolate|!--no-isolate --file-parallelism|--fileParallelism|!--no-file-parallelism|!--no-fileParallelism --threads|!--no-threads --clearCache --logHeapUsage --standalone --expandSnapshotDiff --disable-console-intercept --typecheck --typecheck.only --cache|!--no-cache --dangerouslyIgnoreUnhandledErrors --includeTaskLocation --printConsoleTrace --sequence.shuffle --sequence.concurrent --poolOptions.threads.singleThread --poolOptions.forks.singleFork --single-thread --json --filesOnly --browser.headless ${HELP}`,
    text: '-t|--testNamePattern --pool --project --bail --retry --shard --testTimeout --test-timeout --hookTimeout --teardownTimeout --maxWorkers --max-workers --minWorkers --maxConcurrency --exclude --mode -l|--logLevel --slowTestThreshold --sequence.seed --poolOptions.threads.maxThreads --poolOptions.threads.minThreads --poolOptions.forks.maxForks --poolOptions.forks.minForks --coverage.provider --coverage.include --coverage.exclude --coverage.thresholds.lines --coverage.thresholds.branches --coverage.thresholds.functions --coverage.thresholds.statements --browser.name --tags-filter',
    glued: '--changed --silent',
    inside:
      '-c|--config -r|--root --dir --workspace --environment --reporter --coverage.reporter --coverage.customProviderModule --runner --diff --globalSetup --typecheck.tsconfig --mergeReports',
    writes: '--outputFile --outputFile.json --outputFile.junit --outputFile.html --coverage.reportsDirectory',
    asks: '--open --inspect-brk --inspectBrk --browser',
    asksWith: '--api --inspect --api.port --api.host',
    booleans: true,
  },
  'loads',
  empties('--coverage.reportsDirectory'),
);

const jest = tool({
  flags: `--ci --coverage|--collectCoverage|!--no-coverage --watch --watchAll --watchman|!--no-watchman -b -u|--updateSnapshot -i|--runInBand --silent --verbose --cache|!--no-cache --clearCache --passWithNoTests -o|--onlyChanged -f|--onlyFailures --listTests --findRelatedTests --detectOpenHandles --detectLeaks --forceExit --json --colors --expand -e --errorOnDeprecated --logHeapUsage --showConfig --all --lastCommit --debug --noStackTrace --useStderr --injectGlobals --randomize --showSeed --automock --resetMocks --clearMocks --restoreMocks --resetModules --waitForUnhandledRejections --workerThreads --testLocationInResults ${HELP}`,
  text: '-t|--testNamePattern -w|--maxWorkers --testPathPattern --testPathPatterns --testPathIgnorePatterns --testTimeout --changedSince --shard --selectProjects --ignoreProjects --maxConcurrency --collectCoverageFrom --coverageProvider --coverageThreshold --coveragePathIgnorePatterns --seed --workerIdleMemoryLimit --testMatch --testRegex --moduleFileExtensions --openHandlesTimeout --notifyMode',
  glued: '--bail',
  inside:
    '-c|--config --rootDir --roots --env|--testEnvironment --preset --reporters --runner --testRunner --setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown --resolver --transform --snapshotSerializers --watchPlugins --filter --projects --testSequencer --coverageReporters --modulePaths --moduleDirectories --runTestsByPath',
  writes: '--outputFile --coverageDirectory --cacheDirectory',
  asks: '--init',
  asksWith: '--testEnvironmentOptions --globals --prettierPath --haste --dependencyExtractor',
  booleans: true,
});

const mocha = tool({
  flags: `-w|--watch -b|--bail -C -c --exit --parallel|-p --recursive --forbid-only --forbid-pending --full-trace --check-leaks --dry-run -A|--async-only --allow-uncaught --diff|!--no-diff --inline-diffs --list-reporters --list-interfaces --delay -i|--invert -S|--sort --fail-zero --pass-on-failing-test-suite --posix-exit-codes --no-config --no-package --enable-source-maps ${HELP} -V`,
  text: '-t|--timeout|--timeouts -s|--slow -g|--grep -f|--fgrep --retries -j|--jobs --ignore|--exclude --extension --global|--globals',
  inside:
    '-r|--require --file --spec --config --package -R|--reporter -u|--ui --watch-files --watch-ignore --import -O|--reporter-option|--reporter-options',
  asks: '--inspect --inspect-brk',
  asksWith: '-n|--node-option --loader --experimental-loader',
});

const ava = tool({
  flags: `-w|--watch --fail-fast -u|--update-snapshots --verbose -s|--serial -t|--tap --no-worker-threads ${HELP}`,
  text: '-m|--match --concurrency -T|--timeout',
  inside: '-c --config',
  asksWith: '--node-arguments',
});

/** Coverage around another command. */
const COVERAGE: Grammar = {
  flags: `--all|-a --check-coverage|!--no-check-coverage --silent --clean|!--no-clean --skip-full --per-file --cache|!--no-cache --exclude-after-remap|!--no-exclude-after-remap --source-map|!--no-source-map --instrument|!--no-instrument --omit-relative --merge-async --100 --exclude-node-modules|!--no-exclude-node-modules --hook-require|!--no-hook-require ${HELP}`,
  text: '--include|-n --exclude|-x --extension|-e --branches --functions --lines --statements --watermarks --wrapper-length --concurrency',
  inside: '--reporter|-r --cwd --nycrc-path --config|-c --require|-i --src --use-spawn',
  writes: '--report-dir|--reports-dir|-o --temp-dir|-t --temp-directory',
  booleans: true,
  stopsEarly: true,
};
const coverage: Program = known(COVERAGE, (call, words) => {
  call.level(2);
  const [first, ...rest] = words.operands;
  empties('--report-dir', '--temp-dir', '--temp-directory')(call, words);
  if (!first || !/^(?:report|check-coverage)$/.test(first.text)) return call.runs(words.operands);
  applyGrammar(call, rest, { ...COVERAGE, stopsEarly: false, operands: ['none'] });
  return OPAQUE;
});

const playwright = byVerb(
  { flags: HELP },
  {
    test: verb(
      {
        flags:
          '--headed --debug --ui --list --pass-with-no-tests --forbid-only --fully-parallel --last-failed --quiet -x -u --no-deps --ignore-snapshots',
        text: '-g|--grep|-gv --grep-invert -j|--workers --project --retries --repeat-each --shard --timeout --global-timeout --max-failures --trace --browser --name --update-source-method',
        glued: '--only-changed --update-snapshots',
        inside: '-c|--config --tsconfig --reporter --test-list',
        writes: '--output',
        asksWith: '--ui-host --ui-port',
      },
      'loads',
      empties('--output'),
    ),
    install: verb({ flags: '--dry-run --list --force --only-shell --no-shell', asks: '--with-deps' }, 'text'),
    'show-report': verb({ text: '--port', asksWith: '--host' }),
    'merge-reports': verb({ inside: '-c|--config --reporter' }),
    'show-trace': needsAgreement(tell('opens a server', '会开启服务')),
  },
);

const cypress = byVerb(
  { flags: HELP },
  {
    run: verb({
      flags:
        '--headed --headless -q|--quiet --e2e --component --no-exit --no-runner-ui --runner-ui --pass-with-no-tests',
      text: '-e|--env -p|--port --auto-cancel-after-failures',
      inside: '-s|--spec -b|--browser -C|--config-file -P|--project -r|--reporter',
      asks: '--record --parallel',
      asksWith: '-k|--key -c|--config -o|--reporter-options --tag --group --ci-build-id',
    }),
    ...each('verify, info, version', reads({ operands: ['none'] })),
  },
);

export const nodeTests: ProgramTable = {
  vitest,
  jest,
  mocha,
  ava,
  ...forEach('nyc c8', coverage),
  playwright,
  cypress,
};
