import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import { assignmentFault } from '../assignments.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { loads, tool, verb, wordsForScript } from './project-tools.ts';
import { asks } from './rules.ts';

const HELP = '-h|--help --version';

/** Names that only describe a build, with values that are neither commands nor places. */
const DESCRIBES =
  /^(?:V|Q|VERBOSE|DEBUG|RELEASE|VERSION|TAG|REVISION|COMMIT|BRANCH|BUILD_(?:TYPE|MODE|NUMBER|DATE|ID)|CONFIG(?:URATION)?|ENV|STAGE|PROFILE|PLATFORM|ARCH|TARGET|OS|NAME|APP|SERVICE|MODULE|PACKAGE|PKG|IMAGE(?:_TAG|_NAME)?|REGION|CLUSTER|NAMESPACE|PORT|HOST|COVERAGE|TESTS?|TEST_?NAME|TESTCASE|FILTER|SUITE|PATTERN|COUNT|TIMEOUT|JOBS|PARALLEL|THREADS|SEED|STRICT|QUIET|FORCE|OPT|ASAN|UBSAN|TSAN|LTO|STATIC|SHARED|WERROR|NO_COLOR|CI|N|K|J)$/;
const PLAIN = /^[\w.,:+@*%~^# -]*(?:\/[\w.,:+@*-]+)*$/;

/** A variable for the rules of a build. It must be known to choose neither a program nor a place. */
function judgeSetting(call: Call, name: string, value: Arg, described = DESCRIBES): void {
  if (described.test(name)) {
    if (value.plain && !value.literal) return;
    if (!value.literal || !PLAIN.test(value.text) || /(?:^|\/)\.\.(?:\/|$)|(?:^|\s)[/~]/.test(value.text))
      call.ask(
        tell(
          `gives ${name} a value that is not known to be harmless`,
          `会给 ${name} 一个是否无害尚不可知的值`,
        ),
      );
    return;
  }
  if (/^[A-Z]\w*$/.test(name) && assignmentFault({ name, value, simple: true }) === undefined) return;
  call.ask(
    tell(
      `sets ${name.slice(0, 40)}, which is not known to be harmless`,
      `会设置 ${name.slice(0, 40)},是否无害尚不可知`,
    ),
  );
}

/** `name=value` among the words; undefined: it is none. */
const settingIn = (arg: Arg): { readonly name: string; readonly value: Arg } | undefined => {
  const found = /^([\w.-]+?)\s*(?:[:+?!]{0,3}=)([\s\S]*)$/.exec(arg.text);
  return found ? { name: found[1] ?? '', value: { ...arg, text: found[2] ?? '' } } : undefined;
};

const make = known(
  {
    flags: `-B|--always-make b m -d -i|--ignore-errors -k|--keep-going|!-S|!--no-keep-going|!--stop -L|--check-symlink-times -n|--dry-run|--just-print|--recon -p|--print-data-base -q|--question -r|--no-builtin-rules -R|--no-builtin-variables -s|--silent|--quiet|!--no-silent -t|--touch -v|--version -w|--print-directory|!--no-print-directory --warn-undefined-variables --trace ${HELP}`,
    text: '-f|--file|--makefile -o|--old-file|--assume-old -W|--what-if|--new-file|--assume-new',
    glued: '-j|--jobs -l|--load-average|--max-load -O|--output-sync --debug --shuffle',
    inside: '-C|--directory -I|--include-dir',
    asks: '-e|--environment-overrides',
    asksWith: '-E|--eval',
  },
  (call, words) => {
    call.level(words.has('-n', '-q') ? 0 : 2);
    for (const file of words.values('-f')) {
      if (file.text === '-' || /^\/(?:dev|proc)\//.test(file.text)) {
        call.runsInput('make');
        call.ask(tell('runs rules that it is given as input', '会运行作为输入给入的规则'));
      } else call.runsFile(file);
    }
    for (const operand of words.operands) {
      const setting = settingIn(operand);
      if (setting) judgeSetting(call, setting.name, setting.value);
      else if (operand.text.includes('='))
        call.ask(tell('gives the rules something of its own', '会给构建规则传入自己的内容'));
      else if (!operand.literal && !operand.plain)
        call.ask(tell('names its target in a way that cannot be told beforehand', '目标的写法无法事先得知'));
    }
    return OPAQUE;
  },
);

const ninja = tool(
  { flags: `-v|--verbose -n --quiet ${HELP}`, text: '-j -k -l -d -w -t', inside: '-C -f' },
  'text',
  (call, words) => {
    for (const { text } of words.values('-t'))
      if (
        !/^(?:list|clean|cleandead|targets|commands|deps|graph|query|compdb|missingdeps|rules|inputs|recompact|restat)$/.test(
          text,
        )
      )
        call.ask(
          tell(
            `uses its tool \`${text.slice(0, 40)}\`, which is not known to be harmless`,
            `会使用其工具 \`${text.slice(0, 40)}\`,是否无害尚不可知`,
          ),
        );
    return OPAQUE;
  },
);

const rake = tool(
  {
    flags: `-T|--tasks -A|--all -D|--describe -P|--prereqs -n|--dry-run -q|--quiet -s|--silent -v|--verbose -t|--trace -m|--multitask -N|--no-search -W|--where --rules --backtrace ${HELP} -V`,
    glued: '-j|--jobs',
    inside: '-f|--rakefile -I|--libdir -r|--require -R|--rakelibdir|--rakelib',
    runs: '-e|--execute -E|--execute-continue -p|--execute-print',
    asks: '-g|--system',
  },
  'text',
  (call, { operands }) => {
    for (const operand of operands) {
      const setting = settingIn(operand);
      if (setting) judgeSetting(call, setting.name, setting.value);
      else if (
        !operand.literal ||
        /^db:(?!migrate:status$|version$|abort_if)|deploy|release|publish|push/.test(operand.text)
      )
        call.ask(
          tell(
            `does \`${operand.text.slice(0, 40)}\`, which needs agreement`,
            `会执行 \`${operand.text.slice(0, 40)}\`,需要同意`,
          ),
        );
    }
    return OPAQUE;
  },
);

const MVN_GOALS =
  /^(?:clean|validate|initialize|compile|test|test-compile|package|verify|install|site|integration-test|(?:pre|post)-(?:clean|site|integration-test)|(?:process|generate|prepare)-[a-z-]+|dependency:(?:tree|analyze|resolve|go-offline|list|build-classpath|sources)|help:[a-z-]+|versions:display-[a-z-]+|(?:spotless|checkstyle|spotbugs|pmd|formatter|license|fmt|enforcer|sortpom|rat|revapi|japicmp|detekt|ktlint):(?:check|apply|format|validate|enforce|checkstyle|report|verify)|(?:surefire|failsafe):[a-z-]+|jacoco:(?:report|check|prepare-agent)|compiler:[a-zA-Z]+|resources:[a-zA-Z]+|jar:jar|war:war|source:jar|javadoc:javadoc|clean:clean|site:site|(?:spring-boot|quarkus|jetty|micronaut):(?:run|dev|test|build-info))$/;
const MVN_PROPERTY =
  /^(?:skip(?:Tests|ITs|UnitTests|IntegrationTests)?|maven\.test\.(?:skip|failure\.ignore)|test|it\.test|failIfNo(?:Specified)?Tests|surefire\.(?:failIfNoSpecifiedTests|rerunFailingTestsCount|useFile|printSummary|timeout)|(?:maven\.)?[a-z-]+\.(?:check\.|apply\.)?skip|groups|excludedGroups|trimStackTrace|maven\.compiler\.(?:source|target|release)|project\.build\.sourceEncoding|file\.encoding|revision|changelist|sha1|includes|excludes|verbose|detail|includeScope|spring(?:-boot\.run)?\.profiles(?:\.active)?|style\.color|user\.(?:timezone|language)|java\.awt\.headless|parallel|threadCount|forkCount|reuseForks|maven\.javadoc\.skip|org\.slf4j\.simpleLogger\.[\w.]+)$/;

const mvn = known(
  {
    flags: `-q|--quiet -B|--batch-mode -o|--offline -e|--errors -X|--debug -U|--update-snapshots -N|--non-recursive -V|--show-version -v|--version -am|--also-make -amd|--also-make-dependents -ff|--fail-fast -fae|--fail-at-end -fn|--fail-never -ntp|--no-transfer-progress -nsu|--no-snapshot-updates -C|--strict-checksums -c|--lax-checksums -npu|--no-plugin-updates -r|--resume -llr ${HELP}`,
    text: '-pl|--projects -rf|--resume-from -P|--activate-profiles -T|--threads -b|--builder --color -D|--define',
    inside: '-f|--file -s|--settings -gs|--global-settings -t|--toolchains -gt|--global-toolchains',
    writes: '-l|--log-file',
  },
  (call, words) => {
    call.level(2);
    judgeProperties(call, words.values('-D'), MVN_PROPERTY);
    for (const goal of words.operands)
      if (!goal.literal || !MVN_GOALS.test(goal.text))
        call.ask(
          tell(
            `does \`${goal.text.slice(0, 40)}\`, which is not known to be harmless`,
            `会执行 \`${goal.text.slice(0, 40)}\`,是否无害尚不可知`,
          ),
        );
    return OPAQUE;
  },
);

function judgeProperties(call: Call, values: readonly Arg[], described: RegExp): void {
  for (const value of values) {
    const [name = '', ...rest] = value.text.split('=');
    judgeSetting(call, name, { ...value, text: rest.join('=') }, described);
  }
}

const GRADLE_PROPERTY =
  /^(?:version|env|environment|profile|release|snapshot|ci|skip\w*|org\.gradle\.(?:caching|parallel|daemon|console|logging\.level|workers\.max|configureondemand|configuration-cache|vfs\.watch|warning\.mode)|test\.single|file\.encoding|user\.(?:timezone|language)|spring\.profiles\.active|java\.awt\.headless)$/;
const gradle = known(
  {
    flags: `-q|--quiet -i|--info -d|--debug -s|--stacktrace -S|--full-stacktrace -w|--warn --offline --refresh-dependencies --daemon|!--no-daemon --parallel|!--no-parallel --build-cache|!--no-build-cache --configuration-cache|!--no-configuration-cache --continue|!--no-continue -m|--dry-run --rerun-tasks --rerun --no-scan --profile --watch-fs|!--no-watch-fs -t|--continuous --stop --status -v --configure-on-demand --all --fail-fast --write-locks --no-rebuild -a -u --foreground --types --groups -? ${HELP}`,
    text: '-x|--exclude-task --tests --console --max-workers --warning-mode --configuration --dependency --task --priority -F|--dependency-verification --group -D|--system-prop -P|--project-prop --args --configuration-cache-problems',
    inside: '-p|--project-dir -b|--build-file -c|--settings-file --include-build',
    writes: '--project-cache-dir',
    runs: '-I|--init-script',
    asks: '--scan',
    asksWith: '-g|--gradle-user-home -M|--write-verification-metadata --debug-jvm --jvm-args',
  },
  (call, words) => {
    call.level(2);
    judgeProperties(call, words.values('-D', '-P'), GRADLE_PROPERTY);
    wordsForScript(call, words.values('--args'));
    // The tasks are the project's own; those that reach further than the project carry these names everywhere.
    for (const { text, literal } of words.operands)
      if (
        !literal ||
        !/^:?[\w.-]+(?::[\w.-]+)*$/.test(text) ||
        /(?:^|:)(?:publish|upload|deploy|release|push|sign|close|jib$|wrapper$|init$|exec)/i.test(text)
      )
        call.ask(
          tell(
            `does \`${text.slice(0, 40)}\`, which needs agreement`,
            `会执行 \`${text.slice(0, 40)}\`,需要同意`,
          ),
        );
    return OPAQUE;
  },
);

const ant = known(
  {
    flags:
      '-q|-quiet -S|-silent -v|-verbose -d|-debug -e|-emacs -k|-keep-going -p|-projecthelp -noinput -diagnostics -nouserlib -noclasspath -version -h|-help',
    text: '-nice',
    inside: '-f|-file|-buildfile -s|-find',
    writes: '-l|-logfile',
    runs: '-lib -logger -listener -inputhandler -main -propertyfile',
    style: 'word',
  },
  (call, words) => {
    call.level(2);
    for (const { text } of words.operands)
      if (/^(?:deploy|publish|release|upload|install)/.test(text))
        call.ask(tell(`does \`${text}\`, which needs agreement`, `会执行 \`${text}\`,需要同意`));
    return OPAQUE;
  },
);

const sbt = known(
  {
    flags:
      '-v|--verbose --batch -batch --no-colors -no-colors --error --warn --info --debug --version -V -h|--help',
    operands: ['text'],
  },
  (call, words) => {
    call.level(2);
    const goals =
      /^(?:[\w/-]+\/)?(?:(?:Test|Compile|IntegrationTest|it|test)\s*\/\s*)?(?:clean|compile|test|testOnly [\w.*-]+(?: -- [\w .*"-]+)?|testQuick|package|assembly|scalafmt(?:All|Check|CheckAll|SbtCheck)?|scalafixAll --check|update|dependencyTree|doc|stage|coverage(?:Report|Aggregate)?|projects|tasks|run|evicted|reload|headerCheck|mimaReportBinaryIssues|\+test|\+compile)$/;
    for (const { text, literal } of words.operands)
      if (!literal || !goals.test(text))
        call.ask(
          tell(
            `does \`${text.slice(0, 40)}\`, which is not known to be harmless`,
            `会执行 \`${text.slice(0, 40)}\`,是否无害尚不可知`,
          ),
        );
    return OPAQUE;
  },
);

const BAZEL: Grammar = {
  flags:
    '-k|--keep_going|!--nokeep_going --verbose_failures --nocache_test_results --cache_test_results --subcommands|-s --noshow_progress --show_progress --noshow_loading_progress --announce_rc --build_tests_only --runs_per_test_detects_flakes --stamp|!--nostamp --noimplicit_deps --notool_deps --nohost_deps --check_up_to_date --expunge --nobuild --noremote_accept_cached --test_verbose_timeout_warnings --no_color --noenable_bzlmod --enable_bzlmod',
  text: '-c|--compilation_mode -j|--jobs --config --test_output --test_filter --test_tag_filters --build_tag_filters --test_size_filters --test_timeout --runs_per_test --flaky_test_attempts --platforms --cpu --output --order_output --color --curses --local_test_jobs --show_result --ui_event_filters --universe_scope --test_lang_filters --instrumentation_filter --combined_report --features --deleted_packages',
  inside: '--test_arg',
  booleans: true,
};
/** Labels name what the project builds; words behind `--` are for the program that `run` starts. */
const targets: Rule = (call, { operands }) => {
  for (const operand of operands)
    if (
      !/^-?(?:@[\w.~+-]*)?\/\/[\w./:+=,@-]*$/.test(operand.text) ||
      (operand.text.includes('..') && !operand.text.endsWith('/...'))
    )
      wordsForScript(call, [operand]);
  return OPAQUE;
};
const bazel = byVerb(
  { flags: `--help --version -h --batch --nohome_rc --noworkspace_rc --nosystem_rc` },
  {
    ...each('build, test, coverage, run', verb(BAZEL, 'text', targets)),
    ...each('query, cquery, aquery', reads({ ...BAZEL, operands: ['text'] })),
    ...each(
      'info, version, help, mod graph, mod deps, mod tidy, analyze-profile, targets, uquery, audit',
      reads(BAZEL),
    ),
    clean: verb(BAZEL, 'text'),
  },
);

/** Definitions that choose neither a compiler nor a script. */
const CMAKE_DEFINITION =
  /^(?:CMAKE_(?:BUILD_TYPE|EXPORT_COMPILE_COMMANDS|C(?:XX)?_STANDARD(?:_REQUIRED)?|C(?:XX)?_EXTENSIONS|VERBOSE_MAKEFILE|POSITION_INDEPENDENT_CODE|INTERPROCEDURAL_OPTIMIZATION|UNITY_BUILD|OSX_ARCHITECTURES|OSX_DEPLOYMENT_TARGET|COLOR_(?:MAKEFILE|DIAGNOSTICS)|CONFIGURATION_TYPES|CUDA_ARCHITECTURES|COMPILE_WARNING_AS_ERROR|FIND_DEBUG_MODE|SYSTEM_NAME|SYSTEM_PROCESSOR)|BUILD_(?:SHARED_LIBS|TESTING|TESTS|EXAMPLES|DOCS?|BENCHMARKS)|(?!CMAKE_)(?:[A-Z]+_)*(?:BUILD|ENABLE|WITH|USE|DISABLE)_[A-Z0-9_]+)$/;
const COMPILER = /^CMAKE_(?:C|CXX)_COMPILER(?:_LAUNCHER)?$/;
const COMPILER_NAME = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?$|^s?ccache$/;

const cmake = known(
  {
    flags:
      '-L -LA -LH -LAH -N -Wdev -Wno-dev -Wdeprecated -Wno-deprecated -Werror=dev -Wno-error=dev --fresh --debug-output --debug-find --trace --trace-expand --warn-uninitialized --no-warn-unused-cli --clean-first --verbose -v --list-presets --system-information --use-stderr --version --help -h --help-full',
    text: '-G -T -A -D -U --target|-t --config --preset --log-level --log-context --build-preset --resolve-package-references --trace-format --help-command --help-module --help-property --help-variable --help-policy --loglevel',
    glued: '-j|--parallel --list-presets-of',
    inside: '-S -B -C --build --toolchain -H --project-file',
    writes: '--graphviz --trace-redirect --profiling-output',
    asks: '--workflow',
    asksWith:
      '--install --open -P -E --install-prefix --find-package --profiling-format --debugger-pipe --debugger-dap-log',
  },
  (call, words) => {
    call.level(2);
    for (const value of words.values('-D')) {
      const [name = '', ...rest] = value.text.split('=');
      const text = rest.join('=');
      const bare = name.replace(/:\w+$/, '');
      if (COMPILER.test(bare) && COMPILER_NAME.test(text)) continue;
      judgeSetting(call, bare, { ...value, text }, CMAKE_DEFINITION);
    }
    for (const file of words.values('-C')) call.runsFile(file);
    // What follows `--` goes to the build tool.
    if (words.has('--build')) {
      const own = words.operands.filter(({ text }) => !/^\d+$/.test(text));
      return own.length > 0 ? call.as('make', own) : OPAQUE;
    }
    for (const place of words.operands) loads(call, place);
    return OPAQUE;
  },
);

const ctest = tool(
  {
    flags:
      '-V|--verbose -VV|--extra-verbose -Q|--quiet -N|--output-on-failure --progress --rerun-failed --stop-on-failure -F --schedule-random --print-labels --no-label-summary --no-compress-output --show-only --version --help -h --debug',
    text: '-R|--tests-regex -E|--exclude-regex -L|--label-regex -LE|--label-exclude -C|--build-config --timeout --repeat -I|--tests-information --preset --no-tests --stop-time --test-output-size-passed --test-output-size-failed --interactive-debug-mode --max-width',
    glued: '-j|--parallel --repeat-until-fail',
    inside: '--test-dir',
    writes: '-O|--output-log --output-junit',
    asksWith:
      '-S|--script -SP|--script-new-process -D|--dashboard -M|--test-model -T|--test-action -A|--add-notes --overwrite --build-and-test --submit-index',
  },
  'text',
);

const MESON_OPTION =
  /^(?:buildtype|debug|optimization|warning_level|werror|default_library|strip|unity|layout|b_\w+|cpp_std|c_std|tests?|docs?|examples|benchmarks?)$/;
const mesonRule = (call: Call, words: { values(name: string): readonly Arg[] }) => {
  judgeProperties(call, words.values('-D'), MESON_OPTION);
  return OPAQUE;
};
const meson = byVerb(
  { flags: `${HELP} -v` },
  {
    ...each(
      'setup, configure',
      verb(
        {
          flags: '--reconfigure --wipe --werror --strip --clearcache --fatal-meson-warnings',
          text: '--buildtype --default-library --warnlevel --optimization --wrap-mode --backend --unity --layout --errorlogs -D --auto-features',
          inside: '--cross-file --native-file --vsenv',
          asksWith: '--prefix --pkgconfig.relocatable',
        },
        'loads',
        mesonRule,
      ),
    ),
    compile: verb(
      {
        flags: '-v|--verbose --clean',
        text: '-j|--jobs -l|--load-average',
        inside: '-C',
        asksWith: '--ninja-args --vs-args --xcode-args',
      },
      'text',
    ),
    test: verb(
      {
        flags: '-v|--verbose -q|--quiet --list --print-errorlogs --no-rebuild --benchmark --no-suite',
        text: '--suite --no-suite-named -t|--timeout-multiplier --repeat --num-processes|-j --maxfail --setup --logbase',
        inside: '-C',
        runs: '--wrapper|--wrap --gdb-path --test-args',
        asks: '--gdb --interactive -i',
      },
      'text',
    ),
    introspect: reads({
      flags:
        '-a|--all --targets --tests --buildoptions --dependencies --projectinfo --installed -i|--indent -f --ast',
      operands: ['text'],
    }),
  },
);

const DOTNET_PROPERTY =
  /^(?:Configuration|Platform|Version|VersionPrefix|VersionSuffix|AssemblyVersion|FileVersion|InformationalVersion|PackageVersion|TreatWarningsAsErrors|WarningLevel|WarnAsError|NoWarn|Deterministic|ContinuousIntegrationBuild|CollectCoverage|CoverletOutputFormat|DebugType|DebugSymbols|Optimize|PublishTrimmed|PublishSingleFile|SelfContained|RestoreLockedMode|GenerateDocumentationFile|TargetFramework|RuntimeIdentifier|EnableNETAnalyzers|AnalysisLevel|UseAppHost)$/;
const DOTNET: Grammar = {
  flags:
    '--no-restore --no-build --nologo --no-logo --no-incremental --no-dependencies --force --no-self-contained --self-contained --blame --blame-crash --blame-hang --list-tests|-t --no-cache --use-lock-file --locked-mode --disable-build-servers --no-launch-profile --include-symbols --include-source --verify-no-changes --include-generated --outdated --deprecated --vulnerable --include-transitive --include-prerelease --prerelease --highest-minor --highest-patch --help -h|-?',
  text: '-c|--configuration -f|--framework -r|--runtime -v|--verbosity --filter --collect --arch|-a --os --version-suffix -l|--logger --launch-profile -p|--property --severity --diagnostics --include --exclude --format --tl --version -n --blame-hang-timeout -m|--maxcpucount',
  inside: '--project -s|--settings --solution',
  writes: '-o|--output --results-directory --artifacts-path -d|--diag --binarylog',
  runs: '--test-adapter-path',
  asksWith:
    '--source --configfile --packages -e|--environment --property:CustomAfterMicrosoftCommonTargets -bl',
};
const dotnetVerb = (operands: 'loads' | 'text' = 'loads') =>
  verb(DOTNET, operands, (call, words) => {
    for (const value of words.values('-p'))
      judgeProperties(call, [{ ...value, text: value.text.replace(/^:/, '') }], DOTNET_PROPERTY);
    wordsForScript(call, words.operands);
    return OPAQUE;
  });
const dotnet = byVerb(
  { flags: `${HELP} --info --list-sdks --list-runtimes` },
  {
    ...each(
      'build, test, restore, clean, format, format style, format analyzers, format whitespace, pack',
      dotnetVerb(),
    ),
    run: dotnetVerb('text'),
    ...each(
      'list, list package, list reference, sln list, tool list, workload list, nuget locals',
      reads(DOTNET),
    ),
    ...each(
      'add package, remove package, add reference, remove reference, sln add, sln remove',
      dotnetVerb(),
    ),
    ...each('publish, nuget push, nuget delete', needsAgreement(tell('publishes', '会对外发布'))),
  },
);

const xcodebuild = tool(
  {
    flags:
      '-list -showsdks -version -quiet -verbose -showBuildSettings -json -hideShellScriptEnvironment -dry-run -n -usage -help -showdestinations',
    text: '-scheme -configuration -destination -sdk -arch -jobs -only-testing -skip-testing -target -testPlan -enableCodeCoverage -parallel-testing-enabled',
    inside: '-project -workspace',
    writes: '-derivedDataPath -resultBundlePath',
    style: 'word',
  },
  'text',
  (call, words) => {
    for (const { text } of words.operands)
      if (!/^(?:build|test|clean|analyze|build-for-testing|test-without-building)$/.test(text))
        call.ask(
          tell(
            `does \`${text.slice(0, 40)}\`, which is not known to be harmless`,
            `会执行 \`${text.slice(0, 40)}\`,是否无害尚不可知`,
          ),
        );
    return OPAQUE;
  },
);

const msbuild: Program = asks(tell('runs targets of its own', '会运行自己的目标'), 2);

export const buildTools: ProgramTable = {
  ...forEach('make gmake bmake', make),
  ninja,
  rake,
  ...forEach('mvn mvnw', mvn),
  ...forEach('gradle gradlew', gradle),
  ant,
  sbt,
  ...forEach('bazel bazelisk buck2', bazel),
  cmake,
  ctest,
  meson,
  dotnet,
  msbuild,
  xcodebuild,
};
