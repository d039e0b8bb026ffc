import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, type Rule, type Words } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs } from '../verbs.ts';
import { loads } from './project-tools.ts';
import { asks } from './rules.ts';

const INDEXES =
  '-i|--index-url --extra-index-url -f|--find-links --trusted-host --proxy --cert --client-cert --keyring-provider --index --default-index --source --pypi-mirror --allow-insecure-host';

/** The name of a package in the index, with extras and versions. */
const INDEXED =
  /^[A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?\s*(?:(?:===?|>=|<=|~=|!=|<|>|@|\^)\s*\^?~?\d[\w.*+!-]*\s*,?\s*)*(?:;[\w\s.<>='"]+)?$|^[A-Za-z0-9][\w.-]*@latest$/;

/** Packages may come from the index or lie in the project. */
function judgeRequirements(call: Call, packages: readonly Arg[]): void {
  for (const name of packages) {
    const place = name.text.replace(/\[[\w,-]+\]$/, '');
    if (name.literal && /^\.{1,2}(?:\/|$)/.test(place)) loads(call, { ...name, text: place });
    else if (!name.literal || !INDEXED.test(name.text))
      call.ask(
        tell(
          `installs \`${name.text.slice(0, 60)}\` from another place than the index`,
          `会从索引以外的地方安装 \`${name.text.slice(0, 60)}\``,
        ),
      );
  }
}
function judgeLists(call: Call, files: readonly Arg[]): void {
  for (const file of files) {
    call.reads(file);
    if (/^[a-z+]+:/i.test(file.text))
      call.ask(tell('takes its list from another machine', '其清单来自另一台机器'));
    else loads(call, file);
  }
}

const PIP: Grammar = {
  flags:
    '-q|--quiet -v|--verbose --isolated --no-input --no-color --disable-pip-version-check --no-python-version-warning --require-virtualenv --no-cache-dir --debug -V|--version -h|--help',
  text: '--timeout --retries --progress-bar --exists-action --use-feature --use-deprecated',
  writes: '--log',
  inside: '--cache-dir',
  asksWith: '--proxy --trusted-host --cert --client-cert --keyring-provider --python',
};
const PIP_INSTALL: Grammar = {
  flags:
    '-U|--upgrade --pre --user --no-deps --force-reinstall --ignore-installed|-I --no-build-isolation --dry-run --require-hashes --prefer-binary --compile|!--no-compile --no-clean --no-index --no-warn-script-location --no-warn-conflicts --use-pep517 --ignore-requires-python --reinstall --strict --exact --all-extras --system --generate-hashes --no-header --no-annotate --universal --emit-index-url --strip-extras',
  text: '--upgrade-strategy --only-binary --no-binary --platform --python-version --implementation --abi --group --root-user-action --resolution --prerelease --exclude-newer --extra --upgrade-package|-P --python-platform --annotation-style --refresh-package --link-mode -r|--requirement -c|--constraint|--constraints -e|--editable',
  reads: '--build-constraint',
  writes: '--report -d|--dest -w|--wheel-dir -o|--output-file',
  asks: '--break-system-packages',
  asksWith: `${INDEXES} -t|--target --prefix --root -C|--config-settings|--config-setting --global-option --build-option --src --python`,
};
const pipInstall: Rule = (call, words) => {
  call.outward();
  judgeLists(call, words.values('-r', '-c'));
  judgeRequirements(call, [...words.operands, ...words.values('-e')]);
  return OPAQUE;
};
const PIP_SHOW: Grammar = {
  flags:
    '-o|--outdated -u|--uptodate -e|--editable -l|--local --user --not-required --pre --include-editable --exclude-editable -f|--files --all --json --strict --outdated-only --invert --show-version-specifiers --no-dedupe',
  text: '--format --exclude -a|--algorithm --python-version --platform --depth --package --prune',
  inside: '--path',
  asksWith: '-i|--index-url --extra-index-url --find-links',
  operands: ['text'],
};
const pip = byVerb(PIP, {
  ...each('install, download, wheel', runs(PIP_INSTALL, pipInstall)),
  ...each(
    'list, show, freeze, check, search, index versions, help, debug, inspect, cache info, cache list, cache dir',
    reads(PIP_SHOW),
  ),
  hash: reads({ ...PIP_SHOW, operands: ['reads'] }),
  ...each(
    'uninstall, config, cache',
    needsAgreement(tell('removes packages, or changes settings', '会移除软件包或改动设置')),
  ),
});

/** A file of the project runs as Python would run it; anything else is a program of its own. */
const runsWithin =
  (moduleFlag?: string): Rule =>
  (call, words) => {
    const [first, ...rest] = words.operands;
    if (!first) return OPAQUE;
    if (moduleFlag && words.has(moduleFlag)) return call.as('python', [literal('-m'), first, ...rest]);
    return /\.pyw?$/.test(first.text) ? call.as('python', words.operands) : call.runs(words.operands);
  };
const addsRequirements: Rule = (call, words) => {
  call.outward();
  judgeRequirements(call, words.operands);
  return OPAQUE;
};

const UV: Grammar = {
  flags:
    '-q|--quiet -v|--verbose --offline -n|--no-cache --no-progress --no-config --no-python-downloads --native-tls -V|--version -h|--help --managed-python --no-managed-python',
  text: '--color -p|--python',
  inside: '--directory --project',
  asksWith: `${INDEXES} --config-file --cache-dir`,
};
const UV_PROJECT: Grammar = {
  flags:
    '--frozen --locked --no-sync --isolated --all-extras --no-dev --dev --only-dev --all-groups --no-project --active --exact --inexact --no-editable --no-install-project --all-packages --upgrade|-U --check --dry-run --seed --clear --allow-existing --system-site-packages --wheel --sdist --no-build-isolation --no-binary --reinstall --refresh --raw --no-default-groups --compile-bytecode --lib --app --bare --package-app --no-readme --outdated --invert --no-dedupe --short --no-hashes --no-header --no-annotate --all-versions --only-installed --diff --universal',
  text: '--extra --group --no-group --only-group --package --optional --upgrade-package|-P --resolution --prerelease --exclude-newer --format --depth --prune --name --bump --bounds --link-mode --output-format --prompt --python-version --python-platform',
  writes: '-o|--output-file --out-dir',
  inside: '--script',
  asksWith:
    '--with --with-editable --with-requirements --env-file --git --branch --tag --rev --editable --index-strategy -r|--requirements -c|--constraints --build-constraints --config-setting|-C',
};
const judgesPython =
  (rule?: Rule): Rule =>
  (call, words) => {
    for (const { text } of words.values('-p'))
      if (!/^(?:python|cpython|pypy)?@?[\d.]*\w?$/.test(text))
        call.ask(tell('runs with another interpreter', '会用另一个解释器运行'));
    return rule ? rule(call, words) : OPAQUE;
  };
const uvVerbs = byVerb(UV, {
  run: runs(
    { ...UV_PROJECT, flags: `${UV_PROJECT.flags} -m|--module`, stopsEarly: true },
    judgesPython(runsWithin('-m')),
  ),
  ...each(
    'sync, lock, version, export, build, init, format',
    runs({ ...UV_PROJECT }, judgesPython(placesInside)),
  ),
  ...each(
    'add, remove',
    runs({ ...UV_PROJECT, flags: `${UV_PROJECT.flags} --raw-sources` }, judgesPython(addsRequirements)),
  ),
  venv: runs(UV_PROJECT, judgesPython(emptiesFolder)),
  tree: reads(UV_PROJECT, judgesPython()),
  ...each('python list, python find, python dir, cache dir, help, tool list, tool dir', reads(UV_PROJECT)),
  ...each('python pin, python install, cache clean, cache prune', runs(UV_PROJECT)),
  'pip compile': runs(PIP_INSTALL, judgesPython(compilesLists)),
  'pip sync': runs(PIP_INSTALL, judgesPython(compilesLists)),
  'pip tree': reads(PIP_SHOW, judgesPython()),
});
function placesInside(call: Call, words: Words) {
  for (const place of words.operands) loads(call, place);
  return OPAQUE;
}
/** An environment replaces what lies in its folder. */
export function emptiesFolder(call: Call, words: Words) {
  for (const folder of words.operands)
    call.writes(folder, words.has('--clear') ? 'delete all below' : 'change all below');
  return OPAQUE;
}
function compilesLists(call: Call, words: Words) {
  call.outward();
  judgeLists(call, [...words.operands, ...words.values('-r', '-c')]);
  return OPAQUE;
}
const uv: Program = (call) => {
  const [first, second, ...rest] = call.args;
  if (first?.text === 'pip' && !/^(?:compile|sync|tree)$/.test(second?.text ?? ''))
    return call.as('pip', second ? [second, ...rest] : []);
  return uvVerbs(call);
};

const PROJECT: Grammar = {
  flags:
    '--no-root --no-dev --sync --all-extras --all-groups --only-root --dry-run --compile --no-update --lock --tree --outdated|-o --latest|-l --top-level|-T -D|-d|--dev --optional --allow-prereleases --check --short|-s --regenerate --deploy --ignore-pipfile --system --skip-lock --clear --strict --no-directory --clean --why --all -a --full-path --json --json-tree --reverse --bare --pre --keep-outdated --no-lock --frozen-lockfile --no-self --prod --no-isolation --update-reuse --path -t -h|--help',
  text: '--with --without --only -E|--extras -G|--group --format -f --python --categories',
  writes: '--output',
  asksWith: `${INDEXES} -e|--editable -r|--requirements --python-path --config-settings`,
};
const poetry = byVerb(
  {
    flags:
      '-q|--quiet -v|-vv|-vvv|--verbose -n|--no-interaction --ansi|!--no-ansi --no-plugins --no-cache -V|--version -h|--help --no-color',
    inside: '-C|--directory -P|--project -p',
  },
  {
    run: runs({ stopsEarly: true }, runsWithin()),
    ...each('install, add, sync, update, remove', runs(PROJECT, addsRequirements)),
    ...each('lock, check, build, version, test, fmt, lint, clean', runs(PROJECT)),
    ...each(
      'show, list, graph, info, env list, env info, env show, env find, outdated, tree, search, dep show, verify',
      reads({ ...PROJECT, operands: ['text'] }),
    ),
  },
);

export const pythonPackages: ProgramTable = {
  pip,
  uv,
  ...forEach('poetry pdm hatch pipenv rye', poetry),
  ...forEach('uvx pipx', asks(tell('fetches and runs a program', '会取来并运行程序'), 2)),
};
