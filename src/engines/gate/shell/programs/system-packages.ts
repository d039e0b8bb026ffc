import { tell } from '#kit/text';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, joinGrammars, known } from '../grammar.ts';
import { byVerb, each, reads, runs, type Verbs } from '../verbs.ts';
import { asks } from './rules.ts';
import { loads, wordsForScript } from './project-tools.ts';

const HELP = '-h|--help --version';

/** What only looks at packages is told how much to show, and nothing else. */
const LOOKS: Grammar = {
  flags: `-q|--quiet -v|--verbose -a|--all --json --installed --outdated --versions -n|--names-only --full ${HELP}`,
  text: '--format',
  operands: ['text'],
};
const looks = (names: string, more: Grammar = {}): Verbs => each(names, reads(joinGrammars(LOOKS, more)));

/** `--simulate=no` and its like take back that it is only tried. */
const apt = byVerb(
  {
    flags: `-q|--quiet -qq -y|--yes|--assume-yes -s|--dry-run|--simulate|--just-print|--no-act|--recon|!--no-dry-run|!--no-simulate|!--no-just-print|!--no-recon|!--no-no-act --no-install-recommends --install-suggests --no-upgrade --only-upgrade -V|--verbose-versions --print-uris --purge --auto-remove --fix-missing -m -f|--fix-broken ${HELP} -v`,
    text: '-t|--target-release|--default-release',
    asksWith: '-o|--option -c|--config-file',
    booleans: true,
  },
  {
    ...looks(
      'list, search, show, policy, depends, rdepends, madison, showsrc, showpkg, pkgnames, stats, unmet, why, why-not, versions',
      {
        flags:
          '--all-versions --upgradable --upgradeable --manual-installed --recurse --important --no-recommends -f --no-all-versions',
      },
    ),
    ...each(
      'install, remove, purge, upgrade, dist-upgrade, full-upgrade, autoremove, autopurge, build-dep, check',
      reads({ operands: ['text'] }, (call, words) => {
        if (!words.has('-s')) changesMachine(call);
        return OPAQUE;
      }),
    ),
  },
);

function changesMachine(call: Call): void {
  call.level(3);
  call.ask(tell('changes what is installed on the machine', '会改动机器上安装的软件'));
}

const dpkg = known(
  {
    flags: `-l|--list -L|--listfiles -s|--status -S|--search -W|--show -p|--print-avail -C|--audit -V|--verify --get-selections --print-architecture --print-foreign-architectures --compare-versions --no-pager -c|--contents -I|--info -f|--field ${HELP}`,
    text: '--showformat',
    operands: ['reads'],
  },
  (call, words) => {
    if (
      call.name === 'dpkg' &&
      call.args.length === 1 &&
      words.has('-l', '-L', '-s') &&
      !call.piped &&
      !words.has('--no-pager')
    )
      call.ask(tell('waits for somebody at a terminal', '会在终端等人操作'));
    if (call.args.length === 0) changesMachine(call);
    return OPAQUE;
  },
);

const rpm = known(
  {
    flags: `-q|--query -a|--all -i|--info -l|--list -c|--configfiles -d|--docfiles -R|--requires -p|--package -f|--file -v -s|--state --provides --conflicts --obsoletes --changelog --scripts --whatprovides --whatrequires --last --triggers -V|--verify --nosignature --nodigest ${HELP}`,
    text: '--qf|--queryformat --group',
    operands: ['reads'],
  },
  (call, words) => {
    // Without a query `-i` installs.
    if (!words.has('-q', '-V')) changesMachine(call);
    if (words.operands.some(({ text }) => /^[a-z]+:\/\//.test(text)))
      call.ask(tell('fetches a package', '会取来软件包'));
    return OPAQUE;
  },
);

const pacman = known(
  {
    flags: `Q S F s i l q e d m n t o k g p ${HELP} -V --query --info --list --search --quiet --explicit --deps --upgrades --groups --owns`,
    text: '--color',
    operands: ['text'],
  },
  (call, words) => {
    const only =
      words.has('-Q', '--query', '-F') || (words.has('-S') && words.has('-s', '-i', '-l', '-g', '-p'));
    if (!only) changesMachine(call);
    return OPAQUE;
  },
);

/** Looks at what is installed; everything else changes the machine. */
const looksOnly = (verbs: string, more: Grammar = {}): Program =>
  byVerb({ flags: `${HELP} -v -V -q|--quiet` }, looks(verbs, more), { alone: 'asks' });

const brew = byVerb(
  { flags: `${HELP} -v|--verbose -q|--quiet -d|--debug --prefix --cellar --cache --repository --config` },
  looks(
    'list, ls, search, info, outdated, doctor, deps, leaves, config, uses, desc, log, services list, bundle check, bundle list, missing, options',
    {
      flags: '--cask --casks --formula --formulae -1 -l -r --tree --greedy --installed-on-request',
      text: '--json',
    },
  ),
);

/** Managers of packages for one language: they build and test the project. */
const BUILDS: Grammar = {
  flags: `-q|--quiet -v|-vv|-vvv|--verbose -n|--no-interaction --no-progress --no-color --color --force --all --no-dev --no-scripts --prefer-dist --prefer-source -o|--optimize-autoloader -a|--classmap-authoritative --ignore-platform-reqs --dry-run --check-formatted --warnings-as-errors --stale --failed --cover --strict --local --frozen --coverage --fast --test --pedantic --no-cache --deployment ${HELP}`,
  text: '-j|--jobs --retry --only --exclude --include --seed --max-failures --timeout --partitions --slowest --without --with --ta --test-show-details',
};
const builds = (names: string): Verbs =>
  each(
    names,
    runs(BUILDS, (call, { operands }) => {
      wordsForScript(call, operands);
      for (const place of operands) if (/[/.]/.test(place.text)) loads(call, place);
      return OPAQUE;
    }),
  );
const manager = (build: string, look: string): Program =>
  byVerb(
    { flags: `${HELP} -V`, inside: '--working-dir' },
    {
      ...builds(build),
      ...looks(look, { flags: '--direct --tree --latest --no-dev --locked --minor-only' }),
    },
  );

const bundle = byVerb(
  { flags: `${HELP} -v -V --no-color`, text: '--retry' },
  {
    ...builds('install, check, clean, lock, update'),
    ...looks('list, info, show, search, outdated, version, doctor, licenses, platform, config list, help', {
      flags: '--paths --parseable --strict --local --pre --name-only',
      text: '--group --only-group',
    }),
    exec: {
      does: 'runs',
      grammar: { stopsEarly: true, flags: '--keep-file-descriptors' },
      rule: (call, { operands }) => call.runs(operands),
    },
  },
);

export const systemPackages: ProgramTable = {
  ...forEach('apt apt-get aptitude apt-cache', apt),
  dpkg,
  'dpkg-query': dpkg,
  rpm,
  pacman,
  brew,
  ...forEach(
    'yum dnf',
    looksOnly(
      'list, search, info, repolist, check-update, provides, whatprovides, deplist, repoquery, history list, history info, updateinfo list, group list, grouplist',
      {
        flags:
          '--available --updates --upgrades --extras --showduplicates --requires --whatrequires -l --list',
        text: '--repo --enablerepo --disablerepo --arch --qf --queryformat',
      },
    ),
  ),
  zypper: looksOnly(
    'search, se, info, if, lr, repos, lu, list-updates, lp, packages, pa, what-provides, locks, ps',
    {
      flags: '-s -i -u -d -t --details --installed-only',
    },
  ),
  apk: looksOnly('info, list, search, policy, version, stats, dot', {
    flags: '-e -d -s -L -w -r -R -P -vv -I --upgradable --depends --contents --size --description --exact',
  }),
  port: looksOnly('search, list, info, installed, deps, contents, provides, dependents, outdated, variants'),
  snap: looksOnly('list, info, find, services, connections, version, changes, tasks, interfaces', {
    flags: '--color --unicode',
  }),
  flatpak: looksOnly('list, info, search, remotes, remote-ls, history, ps', {
    flags: '--app --runtime --user --system -d --show-details -m -r -s',
    text: '--columns --arch',
  }),
  pkg: looksOnly('info, search, stats, which, version, audit', { flags: '-l -d -r -o -s -x -f' }),
  ...forEach(
    'emerge nix nix-env nix-shell',
    asks(
      tell(
        'changes what is installed on the machine, or runs what it fetches',
        '会改动机器上安装的软件,或运行取来的内容',
      ),
    ),
  ),
  ...forEach('bundle bundler', bundle),
  composer: manager(
    'install, validate, test, dump-autoload, dumpautoload, check-platform-reqs',
    'show, info, search, outdated, audit, diagnose, depends, why, why-not, prohibits, suggests, fund, status, licenses, about',
  ),
  mix: manager(
    'test, compile, format, deps.get, deps.compile, credo, dialyzer, docs, phx.routes, xref, phx.digest, assets.build',
    'deps, deps.tree, hex.info, hex.outdated, hex.audit, app.tree, help',
  ),
  rebar3: manager('compile, eunit, ct, dialyzer, xref, fmt, get-deps', 'deps, tree, version, help'),
  stack: manager('build, test, haddock', 'path, ls dependencies, query, list'),
  cabal: manager('build, test, check, haddock', 'list, info, path, outdated'),
  ...forEach(
    'conda mamba micromamba',
    looksOnly('list, info, search, env list, config --show-sources, repoquery, package', {
      flags: '-e --export --explicit --revisions --envs --no-pip',
      text: '-n|--name --prefix',
    }),
  ),
  gem: looksOnly(
    'list, info, search, outdated, which, env, environment, contents, dependency, specification, stale, help',
    {
      flags: '-l --local -r --remote -d --details -e --exact --no-versions -i',
    },
  ),
  luarocks: looksOnly('list, show, search, which, help, path', { flags: '--porcelain' }),
  opam: looksOnly('list, show, info, search, switch list, repository list', { flags: '-i --all-versions' }),
  ...forEach('vcpkg conan nuget', looksOnly('list, search, version, help')),
  ...forEach('cpan cpanm', asks(tell('fetches and runs packages', '会取来并运行软件包'), 2)),
  asdf: looksOnly('list, current, which, where, latest, info, help, plugin list, version'),
  mise: looksOnly(
    'ls, list, current, which, where, latest, doctor, outdated, version, plugins ls, tasks ls',
    {
      flags: '-c --current -i -m --missing',
    },
  ),
  nvm: looksOnly('ls, list, current, which, version, ls-remote', { flags: '--no-colors --lts' }),
  ...forEach(
    'rbenv pyenv',
    looksOnly('versions, version, which, whence, root, prefix, shims, help, commands', { flags: '--bare' }),
  ),
  rustup: looksOnly(
    'show, show active-toolchain, which, check, component list, target list, toolchain list, override list',
  ),
  sdk: looksOnly('list, current, version, home, help'),
  volta: looksOnly('list, ls, which', { flags: '--current -c -d --default' }),
};
