import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import {
  applyGrammar,
  type Grammar,
  joinGrammars,
  known,
  readWords,
  type Rule,
  type Words,
} from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs, type Verb, type Verbs } from '../verbs.ts';
import { isNodeTool } from './node-tools.ts';
import { loads, wordsForScript } from './project-tools.ts';

/** Another place to take packages or settings from, or another program to run scripts with. */
const ELSEWHERE =
  '--registry --userconfig --globalconfig --script-shell --shell --shell-emulator --node-options --git --editor --browser --proxy --https-proxy --noproxy --cafile --ca --cert --key --config --use-yarnrc --modules-folder --store-dir --global-dir --init-module --location --otp --auth-type';

const NPM: Grammar = {
  flags:
    '-s|--silent -q|--quiet -d -dd -ddd --verbose --json|!--no-json -l|--long -y|--yes --offline --prefer-offline --prefer-online --workspaces|-ws --include-workspace-root|-iwr --audit|!--no-audit --fund|!--no-fund --progress|!--no-progress --if-present --ignore-scripts --foreground-scripts --legacy-peer-deps --strict-peer-deps --save|-S|!--no-save -D|--save-dev -P|--save-prod -O|--save-optional -B|--save-bundle -E|--save-exact --package-lock|!--no-package-lock --package-lock-only --production --force|-f -p|--parseable -a|--all --optional|!--no-optional --no-update-notifier --update-notifier --git-tag-version|!--no-git-tag-version --commit-hooks|!--no-commit-hooks --allow-same-version --prefer-dedupe --bin-links|!--no-bin-links --engine-strict --unicode --description --dev --only-dev --diff-name-only --diff-ignore-all-space --timing --color|!--no-color -h|--help|-? -v|--version --workspaces-update|!--no-workspaces-update --install-links --link',
  text: '-w|--workspace --omit --include --only --loglevel --depth --tag --access --audit-level --before --save-prefix --maxsockets --fetch-timeout --fetch-retries --install-strategy --preid -m|--message --searchlimit --cpu --os --libc --diff --diff-unified --expect-results --expect-result-count --sbom-format --sbom-type --tag-version-prefix',
  inside: '-C|--prefix',
  writes: '--pack-destination --cache --logs-dir',
  asks: '-g|--global',
  asksWith: ELSEWHERE,
  booleans: true,
};

const PNPM: Grammar = {
  flags:
    '-r|--recursive -w|--workspace-root -s|--silent --parallel --stream --aggregate-output --reporter-hide-prefix --if-present --bail|!--no-bail --sort|!--no-sort --reverse --frozen-lockfile|!--no-frozen-lockfile --immutable --immutable-cache --check-cache --mode-skip-build --prefer-offline --prefer-frozen-lockfile --offline --lockfile-only --no-lockfile --fix-lockfile --ignore-scripts --ignore-engines --ignore-optional --ignore-platform --force|-f --production|--prod|-P --dev|-D --save-dev --save-prod --save-optional -O --optional|!--no-optional --save-peer --peer -E|--save-exact|--exact -T|--tilde --caret --workspace --json|!--no-json --long|-l --latest|-L --no-save --no-progress --non-interactive --pure-lockfile --check-files --flat --verbose --no-color --color -i|--interactive --shamefully-hoist --strict-peer-dependencies|!--no-strict-peer-dependencies --resolution-only --compatible --include-workspace-root --fail-if-no-match --all|-A --inline-builds --no-git-tag-version --no-bin-links --link-duplicates --prefer-dedupe --parseable --check -v|--version -h|--help --pattern-all -W|--ignore-workspace-root-check -p --topological -t --topological-dev --no-private --since-all --why --package-lock-only',
  text: '-F|--filter --filter-prod --workspace-concurrency --network-concurrency --child-concurrency --network-timeout --loglevel --reporter --depth --resume-from --audit-level --level --mode --changed-files-ignore-pattern --test-pattern --tag --access --cpu --os --libc --groups --pattern --new-version --preid --include --exclude --from -j|--jobs --severity --environment --omit',
  inside: '-C|--dir --cwd',
  writes: '--pack-destination -o|--out --cache-folder --report-summary-file',
  asks: '-g|--global',
  asksWith: ELSEWHERE,
  booleans: true,
};

/** Options that scripts of projects take when they are given without `--`. */
const SCRIPT: Grammar = {
  flags:
    '--watch|!--no-watch --fix --coverage|!--no-coverage --run --silent --verbose --quiet --check --write --debug --ci -u --update --updateSnapshot --runInBand -i --bail --no-cache --cache --force --prod --production --dev --no-open --headed --ui -w -v -h --help --version --json --minify --sourcemap --strict --watchAll --list --all --clean --passWithNoTests --noEmit --color --no-color --parallel --turbo --turbopack --inspect --findRelatedTests --detectOpenHandles --forceExit --staged --stats --report --if-present --fail-fast -x',
  text: '-t --testNamePattern --testPathPattern --testPathPatterns --grep -g --filter --project --mode --env --port -p --reporter --shard --maxWorkers --workers --timeout --testTimeout --max-warnings --target --scope --name --base --log-level --ext --retries --count --limit',
  inside: '-c --config --dir --root --cwd',
  writes: '--outDir --out-dir --outputFile',
  booleans: true,
};

/** The name of a package in the registry, with a version or without. */
const REGISTERED = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?:@[\w.^~<>=|*+ -]+)?$/;

/** Packages may come from the registry or lie in the project. */
function judgePackages(call: Call, packages: readonly Arg[]): void {
  for (const name of packages) {
    if (name.literal && /^\.{0,2}\/|^\.{1,2}$/.test(name.text) && !/\.t(?:ar\.)?gz$/.test(name.text))
      loads(call, name);
    else if (!name.literal || !REGISTERED.test(name.text) || /\.t(?:ar\.)?gz$/.test(name.text))
      call.ask(
        tell(
          `installs \`${name.text.slice(0, 60)}\` from another place than the registry`,
          `会从注册表以外的地方安装 \`${name.text.slice(0, 60)}\``,
        ),
      );
  }
}

const installs: Rule = (call, { operands }) => {
  call.outward();
  judgePackages(call, operands);
  return OPAQUE;
};

/** The script is the project's; the words behind it are the script's. */
const runsScript: Rule = (call, { operands: [script, ...rest] }) => {
  if (script && !script.literal)
    call.ask(tell('runs a script whose name cannot be told beforehand', '会运行名称无法事先得知的脚本'));
  // Without a script of that name, the manager prints its environment.
  if (script?.text === 'env') call.showsPrivate(tell('prints the environment', '会打印环境变量'));
  wordsForScript(call, rest);
  return OPAQUE;
};
const runsNamed: Rule = (call, { operands }) => {
  wordsForScript(call, operands);
  return OPAQUE;
};

const showsSetting: Rule = (call, { operands }) => {
  if (operands.some(({ text }) => /token|auth|password|secret|:_|otp|cert|key/i.test(text)))
    call.showsPrivate(tell('shows a credential', '会显示凭据'));
  return OPAQUE;
};

const publishes: Rule = (call, words) => {
  // `--dry-run false` takes it back, too.
  if (!words.has('--dry-run') || words.operands.some(({ text }) => text === 'false'))
    call.ask(tell('publishes', '会对外发布'));
  for (const place of words.operands) loads(call, place);
  return OPAQUE;
};

/** It may only be tried; a word that takes that back is not known. */
const tried = (grammar: Grammar, rule?: Rule): Verb =>
  runs(joinGrammars(grammar, { glued: '--dry-run' }), (call, words) => {
    if (words.values('--dry-run').some(({ text }) => text !== 'true'))
      call.ask(tell('takes back that it is only tried', '会撤销「只是试运行」'));
    return rule ? rule(call, words) : OPAQUE;
  });

const READING =
  'ls, list, la, ll, view, info, show, v, outdated, why, explain, fund, doctor, ping, root, prefix, bin, help, help-search, query, search, find, diff, completion, whoami, pkg get, audit signatures, cache ls, cache list, cache verify, cache dir, licenses, licenses list, sbom, owner ls, dist-tag ls, store path, store status, versions';
const CHANGING =
  'uninstall, remove, rm, r, un, prune, dedupe, ddp, rebuild, rb, version, audit, cache clean, pkg set, pkg delete, pkg fix, shrinkwrap, check, import, fetch, patch, patch-commit, store prune, autoclean';
const managerVerbs = (grammar: Grammar): Verbs => ({
  ...each(READING, reads(grammar)),
  ...each(CHANGING, tried(grammar)),
  'audit fix': tried(grammar, (call, words) => {
    if (words.has('--force')) call.ask(tell('changes versions by force', '会强行变更版本'));
    return OPAQUE;
  }),
  ...each(
    'install, i, add, in, isntall, update, up, upgrade, udpate, install-test, it',
    tried(grammar, installs),
  ),
  ...each('ci, clean-install, ic, install-clean, install-ci-test, cit', runs(grammar)),
  ...each('run, run-script, rum, urn', runs(grammar, runsScript)),
  ...each('test, t, tst, start, stop, restart', runs(grammar, runsNamed)),
  pack: tried(grammar, (call, { operands }) => {
    judgePackages(call, operands);
    return OPAQUE;
  }),
  init: runs(grammar, (call, { operands }) => {
    if (operands.length > 0) call.ask(tell('fetches and runs a program', '会取来并运行程序'));
    return OPAQUE;
  }),
  ...each('config get, config list, config ls, c get, c list, c ls, get', reads(grammar, showsSetting)),
  publish: tried(grammar, publishes),
  create: needsAgreement(tell('fetches and runs a program', '会取来并运行程序'), grammar),
});

const NPX: Grammar = {
  flags:
    '--no-install|--no -q|--quiet --silent -s --prefer-offline --offline --workspaces|-ws -h|--help -v|--version --bun',
  text: '-w|--workspace --loglevel',
  asks: '-y|--yes --ignore-existing',
  asksWith: `-p|--package -c|--call -n|--node-arg ${ELSEWHERE}`,
  booleans: true,
  stopsEarly: true,
};
/** Packages that are called otherwise than their programs. */
const NAMES: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'biome',
  '@playwright/test': 'playwright',
  typescript: 'tsc',
  '@commitlint/cli': 'commitlint',
  '@changesets/cli': 'changeset',
  '@angular/cli': 'ng',
  '@swc/cli': 'swc',
  'stylelint-cli': 'stylelint',
};
/** Starts a program of the project, or fetches one. Only what the project surely has, and what is known, goes unasked. */
const startsTool: Rule = (call, words) => {
  call.level(2);
  for (const script of words.values('-c')) call.runsScript(script);
  const [program, ...rest] = words.operands;
  if (!program) return OPAQUE;
  const name = NAMES[program.text] ?? program.text;
  if (!program.literal || !(isNodeTool(name) || /^(?:tsx|ts-node)$/.test(name))) {
    call.ask(tell('may fetch and run a program', '可能取来并运行程序'));
    return OPAQUE;
  }
  return call.as(name, rest) ?? OPAQUE;
};

const npm = byVerb(NPM, {
  ...managerVerbs({}),
  ...each('exec, x', runs(NPX, startsTool)),
});

const PNPM_VERBS: Verbs = {
  ...managerVerbs({}),
  ...each('exec, x', { does: 'runs', grammar: NPX, rule: startsTool }),
  dlx: needsAgreement(tell('fetches and runs a program', '会取来并运行程序'), { stopsEarly: true }),
  ...each('workspaces list, workspaces info, workspace list', reads()),
  'workspaces run': runs({}, runsScript),
  'workspaces focus': runs(),
  constraints: runs(),
  'config set': needsAgreement(tell('changes settings', '会改动设置')),
  ...each(
    'unpublish, login, logout, adduser, token, owner, access, deprecate, dist-tag, tag, hook, org, team, profile, link, unlink, global, deploy, self-update, setup, npm, plugin, set, policies, config, env, server, approve-builds, store, cache, patch-remove, generate-lock-entry, create-config',
    needsAgreement(tell('reaches further than the project', '影响超出本项目'), { operands: ['text'] }),
  ),
};
const pnpmVerbs = byVerb(PNPM, PNPM_VERBS);
/** Words that are the manager's own. Scripts with a verb of their own, such as `test`, take words like any other script. */
const VERB_NAMES = new Set(
  Object.keys(PNPM_VERBS)
    .map((name) => name.split(' ')[0] ?? '')
    .filter((name) => !/^(?:t|tst|test|start|stop|restart)$/.test(name)),
);

/** Scripts and tools of the project are called by their bare names. */
const pnpmOrYarn: Program = (call) => {
  const before: Words = readWords(call.args, { ...PNPM, stopsEarly: true }, () => undefined);
  const [first, ...rest] = before.operands;
  const own = first ? call.args.slice(0, call.args.indexOf(first)) : call.args;
  const bare = first?.literal && /^[a-z][\w:.-]*$/i.test(first.text) && !VERB_NAMES.has(first.text);
  if (call.name === 'yarn' && !first && !before.has('-v', '-h')) {
    // Alone it installs, and runs the scripts of what it installs.
    call.level(2);
    call.outward();
  }
  if (first && (bare || (first.text === 'run' && rest[0]?.literal && !rest[0].text.startsWith('-')))) {
    call.level(2);
    applyGrammar(call, own, PNPM);
    const [name, ...words] = bare ? [first, ...rest] : rest;
    return runsByName(call, name as Arg, words);
  }
  if (call.name === 'yarn' && first?.text === 'workspace' && rest[1]) {
    applyGrammar(call, own, PNPM);
    return call.as('yarn', rest.slice(1)) ?? OPAQUE;
  }
  return pnpmVerbs(call);
};

function runsByName(call: Call, name: Arg, words: readonly Arg[]): Feed {
  if (name.text === 'env') call.showsPrivate(tell('prints the environment', '会打印环境变量'));
  if (name.text === 'node') return call.as('node', words) ?? OPAQUE;
  if (isNodeTool(name.text) || /^(?:tsx|ts-node)$/.test(name.text))
    return call.as(name.text, words) ?? OPAQUE;
  const { operands } = applyGrammar(call, words, SCRIPT);
  wordsForScript(call, operands);
  return OPAQUE;
}

export const packages: ProgramTable = {
  npm,
  ...forEach('pnpm yarn', pnpmOrYarn),
  ...forEach('npx bunx pnpx', known(NPX, startsTool)),
};
