import { tell } from '#kit/text';
import { forEach, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { loads, tool, verb } from './project-tools.ts';

const HELP = '-h|--help --version';

/** Files are written again only when the option says so. */
const writesWith =
  (...names: string[]): Rule =>
  (call, words) => {
    for (const file of words.operands) {
      if (file.text === '-') continue;
      call.reads(file);
      if (!words.has(...names)) continue;
      call.level(2);
      if (file.glob || file.below) loads(call, file);
      else call.writes(file, 'change');
    }
    return OPAQUE;
  };

const golangci = byVerb(
  { flags: `${HELP} -v|--verbose`, text: '--color' },
  {
    run: verb(
      {
        flags:
          '--fix --fast --fast-only --new --allow-parallel-runners --allow-serial-runners --no-config --tests --enable-all --disable-all --show-stats --print-issued-lines --print-linter-name --uniq-by-line --whole-files',
        text: '-E|--enable -D|--disable --enable-only --default --timeout --out-format --new-from-rev --new-from-merge-base --build-tags -j|--concurrency --max-issues-per-linter --max-same-issues --go --modules-download-mode --skip-dirs --skip-files -p|--presets -e|--exclude --issues-exit-code --path-mode --path-prefix',
        inside: '-c|--config --new-from-patch',
        writes:
          '--output.text.path --output.json.path --output.sarif.path --output.junit-xml.path --output.html.path --output.checkstyle.path --cpu-profile-path --mem-profile-path --trace-path',
        booleans: true,
      },
      'loads',
    ),
    fmt: verb({ flags: '-d|--diff --diff-colored --stdin', text: '-E|--enable', inside: '-c|--config' }),
    ...each(
      'linters, formatters, help, version, config path, config verify, cache status, cache clean, help linters',
      reads({ flags: '--json --debug --short', inside: '-c|--config', operands: ['text'] }),
    ),
  },
);

const shellcheck = tool(
  {
    flags: `-a|--check-sourced -x|--external-sources --norc --list-optional -V ${HELP}`,
    text: '-e|--exclude -i|--include -o|--enable -f|--format -s|--shell -S|--severity -W|--wiki-link-count --extended-analysis',
    glued: '-C|--color',
    inside: '-P|--source-path --rcfile',
  },
  'reads',
);

const shfmt = known(
  {
    flags:
      '-l|--list -w|--write -d|--diff -s|--simplify -mn|--minify -p|--posix -bn|--binary-next-line -ci|--case-indent -sr|--space-redirects -kp|--keep-padding -fn|--func-next-line -f|--find --to-json --from-json --apply-ignore --version --help -h',
    text: '-i|--indent -ln|--language-dialect -filename|--filename',
    style: 'word',
  },
  writesWith('-w'),
);
const gofmt = known(
  {
    flags: '-l -d -w -s -e -v -format-only -h|-help',
    text: '-r -local -srcdir -lang -modpath',
    writes: '-cpuprofile -memprofile',
    style: 'word',
    booleans: true,
  },
  writesWith('-w'),
);

const clangFormat = known(
  {
    flags:
      '-i -n|--dry-run --Werror --verbose --sort-includes --dump-config --Wno-error --fail-on-incomplete-format --help --version -h',
    text: '--fallback-style --lines --offset --length --cursor --assume-filename|--assume_filename --ferror-limit --qualifier-alignment',
    inside: '--style|-style',
    reads: '--files',
  },
  (call, words) => writesWith('-i')(call, words),
);

const clangTidy = tool(
  {
    flags:
      '-fix|--fix -fix-errors|--fix-errors -fix-notes -quiet|--quiet -list-checks|--list-checks -dump-config|--dump-config -verify-config|--verify-config -use-color|--use-color -explain-config -allow-no-checks -help --help -version --version -h',
    text: '-checks|--checks -header-filter|--header-filter -exclude-header-filter -line-filter -warnings-as-errors|--warnings-as-errors -format-style|--format-style',
    inside: '-p -config-file|--config-file',
    writes: '-export-fixes|--export-fixes -store-check-profile',
    runs: '-load|--load -extra-arg|--extra-arg -extra-arg-before|--extra-arg-before -plugin',
    asksWith: '-config|--config -vfsoverlay',
    style: 'word',
  },
  'text',
  (call, words) => {
    for (const operand of words.operands)
      if (!/^-(?:I[\w.]|D\w|std=|W\w|x$)/.test(operand.text)) loads(call, operand);
      else if (/\.\./.test(operand.text))
        call.ask(tell('takes code from outside of the working folder', '会使用工作目录之外的代码'));
    return OPAQUE;
  },
);

const rustfmt = tool(
  {
    flags:
      '--check -l|--files-with-diff -v|--verbose -q|--quiet --backup --skip-children --unstable-features -V|--version -h|--help',
    text: '--edition --style-edition --emit --color --config --error-on-unformatted',
    inside: '--config-path',
  },
  'changes',
);

const rubocop = tool({
  flags: `-a|--autocorrect -A|--autocorrect-all -x|--fix-layout -l|--lint -F|--fail-fast --parallel|!--no-parallel -D|--display-cop-names -E|--extra-details -S|--display-style-guide -L|--list-target-files --auto-gen-config --regenerate-todo --force-exclusion --ignore-parent-exclusion --force-default-config --disable-pending-cops --enable-pending-cops --safe --display-time --debug|-d --color|!--no-color --show-cops --only-recognized-file-types --no-server ${HELP} -v -V`,
  text: '--only --except --fail-level --exclude-limit --cache --display-only-fail-level-offenses',
  inside: '-c|--config -r|--require --plugin -f|--format --stdin|-s',
  writes: '-o|--out --cache-root',
  asks: '--server --restart-server --start-server --lsp --init',
});

const rspec = tool({
  flags: `-c|--color|--colour --no-color -b|--backtrace --only-failures -n|--next-failure --dry-run -w|--warnings --force-color --no-fail-fast ${HELP} -v`,
  text: '-e|--example -E|--example-matches -t|--tag -P|--pattern --exclude-pattern --seed --order --failure-exit-code --error-exit-code',
  glued: '--fail-fast -p|--profile',
  inside: '-I -r|--require -f|--format -O|--options --default-path',
  writes: '-o|--out --deprecation-out',
  asks: '--init --bisect -X --drb',
});

const PHP: Grammar = {
  flags: `--testdox --verbose -v|-vv|-vvv --debug --stop-on-failure --stop-on-error --stop-on-defect --no-coverage --no-progress --no-interaction -n --ansi|!--no-ansi --fail-on-warning --fail-on-risky --fail-on-deprecation --display-deprecations --display-warnings --display-errors --display-notices --strict-coverage --disallow-test-output --random-order --reverse-order --list-tests --list-suites --list-groups --no-output --no-results --teamcity --cache-result --do-not-cache-result -p -s -q|--quiet -l --pro --no-cache --no-colors ${HELP} -V`,
  text: '--filter --testsuite --group --exclude-group --exclude-testsuite --order-by --colors --repeat --columns --level --memory-limit --error-format --extensions --severity --warning-severity --error-severity --sniffs --exclude --ignore --tab-width --encoding --parallel --random-order-seed',
  inside:
    '-c|--configuration --bootstrap -a|--autoload-file --standard --report --coverage-filter --basepath --cache-directory',
  writes:
    '--log-junit --coverage-html --coverage-clover --coverage-xml --coverage-php --coverage-cobertura --report-file --report-json --report-junit --testdox-html --testdox-text',
  glued: '--coverage-text --cache',
  asksWith:
    '-d --extension --loader --printer --generate-baseline --runtime-set --config-set --installed_paths --include-path --test-suffix --stderr',
};
const phpstan = byVerb(
  { flags: `${HELP} -V` },
  {
    ...each('analyse, analyze', verb(PHP)),
    ...each('clear-result-cache, diagnose', reads({ inside: '-c|--configuration' })),
  },
);

const SCAN: Grammar = {
  flags:
    '-q|--quiet -d|--debug --no-progress --ignore-unfixed --offline-scan --skip-db-update --skip-java-db-update --skip-check-update --list-all-pkgs --dependency-tree --include-non-failures --no-color --soft-fail -s --force-all-dirs --concise-output --include-ignored --include-passed --recursive -h|--help -v|--version --force --no-module-downloads',
  text: '--severity -f|--format --scanners --security-checks --vuln-type --pkg-types --exit-code --timeout --skip-dirs --skip-files --ignore-status --platform --file-patterns --parallel -e|--exclude --exclude-path -m|--minimum-severity --minimum-failure-severity --filter --only --enable-rule --disable-rule --call-module-type --loglevel --detection-priority --compliance --report',
  inside:
    '-c|--config --ignorefile --secret-config --chdir --var-file --tf-vars --tfvars-file --custom-check-dir',
  writes: '-o|--output -O|--out --cache-dir',
  asksWith:
    '--server --token --custom-headers --config-policy --config-check --ignore-policy -t|--template --username --password --registry-token --db-repository --java-db-repository --var --enable-plugin',
};
const outward: Rule = (call) => {
  call.outward();
  return OPAQUE;
};

const promtool = byVerb(
  { flags: `${HELP} -h --experimental`, text: '--enable-feature' },
  {
    ...each(
      'check config, check rules, check metrics, check web-config, check service-discovery, test rules',
      reads({
        flags: '--syntax-only --agent --lint-fatal --diff --extended --debug',
        text: '--lint --run --timeout',
        writes: '--junit',
        operands: ['reads'],
      }),
    ),
    ...each(
      'check healthy, check ready, query instant, query range, query series, query labels, query analyze',
      reads(
        {
          text: '-o|--format --url --start --end --step --time --match --server --duration --type',
          inside: '--http.config.file',
          operands: ['text'],
        },
        outward,
      ),
    ),
    ...each(
      'tsdb list, tsdb analyze, promql format',
      reads({ flags: '-r|--human-readable --extended', text: '--limit --match', operands: ['reads'] }),
    ),
  },
);

const amtool = byVerb(
  {
    flags: `${HELP} -v|--verbose -h --version-check|!--no-version-check`,
    text: '--alertmanager.url -o|--output --timeout --date.format',
    inside: '--config.file --http.config.file',
  },
  {
    ...each(
      'alert, alert query, silence, silence query, cluster show, config, config show, config routes, config routes show, config routes test',
      reads(
        {
          flags: '-a|--active -s|--silenced -i|--inhibited -u|--unprocessed --expired -q|--quiet --tree',
          text: '-r|--receiver --within --created-by --id --verify.receivers',
        },
        outward,
      ),
    ),
    ...each(
      'check-config, template render',
      reads({
        text: '--template.type',
        reads: '--template.glob --template.text-file --template.data',
        operands: ['reads'],
      }),
    ),
    ...each(
      'silence add, silence expire, silence import, silence update, alert add',
      needsAgreement(tell('changes alerts', '会改动告警')),
    ),
  },
);

export const linters: ProgramTable = {
  'golangci-lint': golangci,
  shellcheck,
  shfmt,
  ...forEach('gofmt goimports gofumpt', gofmt),
  staticcheck: tool({
    flags: '-tests -show-ignored -list-checks -matrix -merge -version -debug.version -h|-help',
    text: '-checks -go -f -tags -fail -explain',
    style: 'word',
    booleans: true,
  }),
  'clang-format': clangFormat,
  'clang-tidy': clangTidy,
  rustfmt,
  hadolint: tool(
    {
      flags: `--no-fail --no-color -V|--verbose --disable-ignore-pragma --strict-labels ${HELP} -v`,
      text: '-f|--format --ignore -t|--failure-threshold --trusted-registry --error --warning --info --style --require-label --file-path-in-report',
      inside: '-c|--config',
    },
    'reads',
  ),
  actionlint: tool(
    {
      flags: '-verbose -color -no-color -oneline -debug -version -h|-help',
      text: '-format -ignore -stdin-filename',
      inside: '-config-file',
      runs: '-shellcheck -pyflakes',
      asks: '-init-config',
      style: 'word',
    },
    'reads',
  ),
  rubocop,
  rspec,
  phpunit: tool(PHP),
  phpcs: tool(PHP),
  phpstan,
  ...forEach('tflint tfsec', tool(SCAN)),
  trivy: byVerb(
    {
      flags: `${HELP} -q|--quiet -d|--debug -v`,
      inside: '-c|--config',
      writes: '--cache-dir',
      text: '--timeout',
    },
    {
      ...each('fs, filesystem, config, conf, rootfs', verb(SCAN, 'loads')),
      ...each('image, i, repo, repository, sbom', verb(SCAN, 'text', outward)),
      version: reads({ text: '-f|--format' }),
    },
  ),
  promtool,
  amtool,
};
