import { type Arg, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { asks, bySubcommand, careful } from './rules.ts';
import { isRelative } from './text.ts';

/** Tools of a project that `npx` may start when they are already there. */
const PROJECT_TOOLS = new Set(
  'tsc tsx ts-node eslint prettier vitest jest mocha ava tap nyc c8 playwright cypress webpack vite rollup esbuild swc biome oxlint knip depcheck madge turbo nx lerna changeset lint-staged husky commitlint stylelint markdownlint cspell next nuxt astro svelte-check vue-tsc ng tailwindcss postcss storybook typedoc jsdoc prisma drizzle-kit sequelize knex typeorm http-server serve concurrently cross-env rimraf nodemon npm-check-updates ncu dependency-cruiser depcruise publint attw size-limit wrangler tsup rolldown unbuild react-scripts'.split(
    ' ',
  ),
);

const REMOTE_SPEC =
  /^(?:https?:|git[+:@]|git\+|ssh:|github:|gitlab:|bitbucket:|gist:|file:\/|link:\/|[\w-]+\/[\w.-]+#)|\.tgz$|\.tar\.gz$|@(?:https?:|git|github:|file:)|^[\w.-]+\/[\w.-]+$|^npm:/;
const NPM =
  'CwcpP --prefix --dir --cwd --filter --workspace --registry --userconfig --globalconfig --script-shell --package --call --tag --otp --loglevel --cache --node-options --omit --include --reporter --config';

const npm: Program = (call) => {
  careful(call);
  const options = readOptions(call.args, NPM);
  const [sub, ...rest] = options.operands;
  for (const folder of options.values('-C', '--prefix', '--dir', '--cwd'))
    if (!isRelative(folder)) call.ask('works outside of the working folder');
  if (
    options.has(
      '--registry',
      '--userconfig',
      '--globalconfig',
      '--script-shell',
      '--node-options',
      '--config',
    )
  )
    call.ask('takes packages or settings from another place than usual');
  if (!sub) {
    // Alone it installs, and runs the scripts of what it installs.
    if (call.name === 'yarn' && !options.has('-v', '--version', '-h', '--help')) call.level(2);
    return OPAQUE;
  }
  call.level(2);
  const word = sub.text;
  if (/^(?:exec|x|dlx)$/.test(word))
    return npx(call, readOptions(call.args.slice(call.args.indexOf(sub) + 1), NPM, true));
  if (/^(?:create|init)$/.test(word) && rest.length > 0) call.ask('fetches and runs a program');
  if (/^(?:install|i|add|in|isntall|update|up|upgrade)$/.test(word)) return installs(call, options, rest);
  if (/^(?:config|c|set)$/.test(word)) {
    if (!/^(?:get|list|ls)$/.test(rest[0]?.text ?? '')) call.ask('changes settings');
    else if (/token|auth|password/i.test(rest[1]?.text ?? '')) call.showsPrivate('shows a credential');
    return OPAQUE;
  }
  const listed =
    'ci clean-install run run-script rum test t tst start stop restart build lint ls list la ll view info show v outdated audit why explain pack version init fund doctor ping root prefix bin help prune dedupe rebuild query search diff docs workspaces workspace remove rm uninstall un r licenses store env patch fetch import check format dev typecheck cache completion whoami get pkg';
  const known = listed.split(' ').includes(word);
  // Yarn, pnpm and Bun run scripts of the project by their bare names.
  const isScript =
    /^(?:pnpm|yarn|bun)$/.test(call.name) &&
    /^[a-z][\w:-]*$/.test(word) &&
    !/^(?:publish|unpublish|login|logout|adduser|token|owner|access|deprecate|dist-tag|tag|hook|org|team|profile|link|global|deploy|self-update|setup|npm|plugin|set|policies)$/.test(
      word,
    );
  const tries = options.flags.has('--dry-run') && /^(?:publish|pack)$/.test(word);
  if (!sub.literal || (!known && !isScript && !tries))
    call.ask(`does \`${word.slice(0, 40)}\`, which needs agreement`);
  if (word === 'audit' && rest[0]?.text === 'fix' && options.has('--force'))
    call.ask('changes versions by force');
  return OPAQUE;
};

function installs(call: Call, options: ReturnType<typeof readOptions>, packages: readonly Arg[]): Feed {
  call.outward();
  if (options.has('-g', '--global', '--location')) call.ask('installs for the whole machine');
  if (options.has('--force', '-f') && packages.length === 0) call.level(2);
  for (const name of packages)
    if (!name.literal || REMOTE_SPEC.test(name.text) || /^[/~]/.test(name.text))
      call.ask(`installs \`${name.text.slice(0, 60)}\` from another place than the registry`);
  return OPAQUE;
}

/** Starts a program of the project, or fetches one. Only what the project surely has goes unasked. */
function npx(call: Call, options: ReturnType<typeof readOptions>): Feed {
  call.level(2);
  for (const script of options.values('-c', '--call')) call.runsScript(script);
  const [program, ...rest] =
    options.operands[0]?.text === '--' ? options.operands.slice(1) : options.operands;
  const local = program?.literal && PROJECT_TOOLS.has(program.text.replace(/^@biomejs\//, ''));
  const fetches = options.has('-y', '--yes', '-p', '--package', '-c', '--call');
  if (!local || (fetches && !options.has('--no-install', '--no'))) call.ask('may fetch and run a program');
  if (program && /^(?:tsx|ts-node)$/.test(program.text)) call.as('node', rest);
  if (program?.text === 'rimraf') for (const path of rest) call.writes(path, 'delete all below');
  return OPAQUE;
}

const pip: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'rcifte --requirement --constraint --index-url --extra-index-url --find-links --target --prefix --root --editable --trusted-host --proxy --cert --python --log --report --cache-dir --config-settings --src --platform --only-binary --no-binary --format',
  );
  const [sub, ...packages] = options.operands;
  if (
    options.has(
      '--index-url',
      '-i',
      '--extra-index-url',
      '--find-links',
      '-f',
      '--trusted-host',
      '--proxy',
      '--target',
      '-t',
      '--prefix',
      '--root',
      '--python',
    )
  )
    call.ask('takes packages from another place than usual, or puts them elsewhere');
  for (const file of options.values('-r', '--requirement', '-c', '--constraint')) {
    if (/^[a-z+]+:/i.test(file.text)) call.ask('takes its list from another machine');
    else call.reads(file);
  }
  for (const file of options.values('--log', '--report')) call.writes(file, 'change');
  if (!sub) return OPAQUE;
  const kind = bySubcommand(call, options.operands, {
    reads: 'list show freeze check search index help debug inspect hash',
    runs: 'install download wheel',
    asks: 'uninstall config cache',
  });
  if (kind === 'runs') {
    call.outward();
    for (const name of [...packages, ...options.values('-e', '--editable')]) {
      const local = /^\.{1,2}(?:\/[\w./-]*)?(?:\[[\w,-]+\])?$/.test(name.text) && !name.text.startsWith('..');
      if (!name.literal || (!local && /[:/@]|^-/.test(name.text.replace(/@\s*[\d.]+$/, ''))))
        call.ask(`installs \`${name.text.slice(0, 60)}\` from another place than the index`);
    }
  }
  return OPAQUE;
};

const uv: Program = (call) => {
  careful(call);
  const [sub, ...rest] = call.args;
  call.level(2);
  if (sub?.text === 'pip') return call.as('pip', rest);
  if (sub?.text === 'run') {
    const options = readOptions(
      rest,
      'pe --python --with --with-requirements --env-file --package --extra --group --directory --project --index',
      true,
    );
    if (options.has('--with', '--with-requirements', '--index', '--env-file', '--directory', '--project'))
      call.ask('fetches packages or works elsewhere');
    return options.operands.length > 0 ? call.runs(options.operands) : OPAQUE;
  }
  if (
    /^(?:sync|lock|tree|venv|version|export|add|remove|build|cache|python|--version)$/.test(sub?.text ?? '')
  ) {
    if (
      rest.some(({ text }) =>
        /^--(?:index|extra-index|default-index|find-links)|^(?:git\+|https?:)/.test(text),
      )
    )
      call.ask('takes packages from another place than usual');
    return OPAQUE;
  }
  call.ask('is not among the uses that are listed');
  return OPAQUE;
};

const poetry: Program = (call) => {
  const [sub, ...rest] = call.args;
  call.level(2);
  if (sub?.text === 'run') return call.runs(rest);
  if (
    !/^(?:install|lock|show|check|build|version|env|add|update|sync|--version|graph|check|list)$/.test(
      sub?.text ?? '',
    )
  )
    call.ask('is not among the uses that are listed');
  if (rest.some(({ text }) => /^git\+|^https?:|^--source/.test(text)))
    call.ask('takes packages from another place than usual');
  return OPAQUE;
};

const cargo: Program = (call) => {
  careful(call);
  const words = call.args.filter(({ text }) => !text.startsWith('+'));
  const options = readOptions(
    words,
    'pjFZ --package --manifest-path --target --config --features --bin --example --profile --git --path --registry --index',
    false,
  );
  const [sub] = options.operands;
  if (options.has('--config', '-Z', '--git', '--registry', '--index'))
    call.ask('takes settings or packages from another place than usual');
  for (const path of options.values('--manifest-path'))
    if (!isRelative(path)) call.ask('builds code from outside of the working folder');
  if (!sub || (sub.text === 'publish' && options.flags.has('--dry-run'))) return OPAQUE;
  bySubcommand(call, [sub], {
    reads: 'tree metadata search version pkgid locate-project verify-project read-manifest info report',
    runs: 'build b check c test t run r bench doc d clippy fmt clean update fetch add remove vendor generate-lockfile nextest fix new init audit deny outdated expand llvm-cov tarpaulin package',
  });
  return OPAQUE;
};

const go: Program = (call) => {
  careful(call);
  const words = call.args;
  const [sub, ...rest] = words;
  const runsOther = words.some(({ text }) =>
    /^-{1,2}(?:exec|toolexec|vettool|modfile|overlay|C)\b/.test(text),
  );
  if (runsOther) call.ask('runs another program');
  if (!sub) return OPAQUE;
  const word = sub.text;
  if (word === 'env') {
    if (rest.some(({ text }) => /^-[wu]$/.test(text))) call.ask('changes settings');
    return OPAQUE;
  }
  const kind = bySubcommand(call, [sub], {
    reads: 'version list doc help env',
    runs: 'build test vet fmt run mod generate work get install tool clean',
  });
  const operands = readOptions(
    rest,
    'o --o -o -run -bench -tags -ldflags -gcflags -mod -timeout -count -coverprofile -p',
  ).operands;
  for (const file of readOptions(rest, '-o').values('-o')) call.writes(file, 'change');
  if (kind === 'runs' && /^(?:run|install|get|tool)$/.test(word)) {
    if (operands.some(({ text }) => /@|^[\w-]+\.[\w.-]+\//.test(text)) && word !== 'get')
      call.ask('fetches and runs a program');
    if (word === 'run' && operands[0] && /\.go$|^\./.test(operands[0].text))
      call.runsFile({ ...operands[0], text: operands[0].text.replace(/\/\.\.\.$/, '') });
  }
  if (word === 'generate') call.ask('runs commands that the code names');
  return OPAQUE;
};

const make: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'fCIjlo --file --makefile --directory --include-dir --eval --jobs --old-file --what-if --assume-new',
  );
  call.level(options.has('-n', '--dry-run', '--just-print', '-q') ? 0 : 2);
  for (const script of options.values('--eval')) call.runsScript({ ...script, literal: false });
  if (options.has('--eval', '-E')) call.ask('runs rules from the command line');
  for (const file of options.values('-f', '--file', '--makefile')) {
    if (file.text === '-' || /^\/dev\/|^\/proc\//.test(file.text)) {
      call.runsInput('make');
      call.ask('runs rules that it is given as input');
    } else call.runsFile(file);
  }
  for (const folder of options.values('-C', '--directory', '-I', '--include-dir'))
    if (!isRelative(folder)) call.ask('runs rules from outside of the working folder');
  for (const operand of options.operands) {
    const [, name, value] = /^([\w.-]+)[:+?!]*=([\s\S]*)$/.exec(operand.text) ?? [];
    if (
      name !== undefined &&
      (/^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE|CC|CXX|LD|AR|RM|INSTALL|.*_?CMD|.*_?COMMAND)$/.test(name) ||
        /[$`;|&<>\n]/.test(value ?? ''))
    )
      call.ask('gives the rules commands of its own');
    if (!operand.literal && !operand.plain && name === undefined)
      call.ask('names its target in a way that cannot be told beforehand');
  }
  return OPAQUE;
};

/** Build tools with goals that only build and test. */
const builds =
  (asked: RegExp): Program =>
  (call) => {
    careful(call);
    call.level(2);
    if (call.args.some(({ text }) => asked.test(text))) call.ask('publishes, or runs code of its own');
    return OPAQUE;
  };

/** System packages: looking is fine. */
const systemPackages: Program = (call) => {
  const options = readOptions(call.args, 'oct --option --config-file', false);
  if (options.has('-o', '--option', '-c', '--config-file'))
    call.ask('changes settings of the package manager');
  const [sub] = options.operands;
  const lists = /^(?:dpkg|rpm|pacman)$/.test(call.name)
    ? call.args.some(({ text }) =>
        /^-(?:l|L|s|S|qa?|q[ailcR]+|Q\w*|Ss|Si)$|^--(?:list|listfiles|status|search|query)$/.test(text),
      )
    : /^(?:list|search|show|info|policy|depends|rdepends|madison|showsrc|check|history|repolist|outdated|doctor|deps|leaves|--version|-v)$/.test(
        sub?.text ?? '',
      );
  if (call.name === 'dpkg' && call.args.length === 1 && !call.piped)
    call.ask('waits for somebody at a terminal');
  const tries = options.flags.has('--dry-run') || options.flags.has('--simulate') || options.flags.has('-s');
  if (!lists && !(tries && call.name.startsWith('apt'))) {
    call.level(3);
    call.ask('changes what is installed on the machine');
  }
  return OPAQUE;
};

export const packages: ProgramTable = {
  ...forEach('npm pnpm yarn', npm),
  ...forEach('npx bunx pnpx', (call) => npx(call, readOptions(call.args, NPM, true))),
  ...forEach('uvx pipx', asks('fetches and runs a program', 2)),
  pip,
  uv,
  ...forEach('poetry pdm hatch pipenv rye', poetry),
  cargo,
  go,
  ...forEach('make gmake bmake ninja', make),
  ...forEach(
    'mvn mvnw gradle gradlew ant sbt bazel bazelisk buck2 cmake ctest meson dotnet msbuild xcodebuild',
    builds(
      /^(?:exec|deploy|release|antrun|groovy|install:)|exec:|^(?:publish|upload|deploy)|^-(?:I|-init-script|D.*(?:exec|agentlib|javaagent).*|P|E)$|^--(?:init-script|eval|build-event)|^(?:nuget|tool|run|push)$|^-P$|^-e$/,
    ),
  ),
  ...forEach(
    'gem bundle bundler composer mix rebar3 stack cabal luarocks cpan cpanm opam vcpkg conan nuget conda mamba micromamba asdf mise nvm rbenv pyenv rustup sdk volta',
    (call) => {
      const word = call.args.find(({ text }) => !text.startsWith('-'))?.text ?? '';
      call.level(2);
      if (call.name === 'bundle' && word === 'exec') return call.runs(call.args.slice(1));
      const fine =
        /^(?:list|info|show|search|outdated|check|env|environment|version|test|compile|format|validate|tree|current|which|where|doctor|audit|deps\.tree|diagnose|licenses)$/;
      if (
        !fine.test(word) &&
        !(
          /^(?:bundle|composer|mix|stack|cabal)$/.test(call.name) &&
          /^(?:install|build|test|compile|deps\.get)$/.test(word)
        ) &&
        !call.args.some(({ text }) => text === '--version')
      )
        call.ask('fetches or changes packages');
      return OPAQUE;
    },
  ),
  ...forEach(
    'apt apt-get aptitude apt-cache dpkg yum dnf rpm pacman zypper apk brew port snap flatpak emerge nix nix-env nix-shell pkg',
    systemPackages,
  ),
  ...forEach('gcc g++ cc c++ clang clang++ rustc javac tsc kotlinc as ld swiftc', (call) => {
    careful(call);
    const words = call.args.map(({ text }) => text);
    if (
      words.some(
        (word) =>
          /^(?:-wrapper|-fplugin|-specs|-B|@|--plugin|-C$|-Clinker|-J)/.test(word) || /linker=/.test(word),
      )
    )
      call.ask('runs another program');
    const options = readOptions(call.args, 'oIDLld --outDir --outFile --out-dir');
    for (const file of options.values('-o', '--outDir', '--outFile', '--out-dir'))
      call.writes(file, 'change');
    for (const file of options.operands) call.reads(file);
    if (options.operands.some(({ text }) => text === '-') && call.stdin.network)
      call.ask('compiles what comes from another machine');
    call.level(2);
    return EMPTY;
  }),
  ...forEach(
    'eslint prettier vitest jest mocha playwright pytest mypy ruff black isort flake8 pylint pyright tox nox biome oxlint knip vite webpack rollup esbuild turbo nx golangci-lint gofmt goimports staticcheck shellcheck shfmt hadolint yamllint actionlint markdownlint stylelint clang-format clang-tidy rustfmt clippy-driver rubocop rspec phpunit phpcs phpstan tflint tfsec checkov trivy semgrep pre-commit coverage next ng astro nyc c8 ava tap depcruise lerna changeset cspell typedoc swc tsup promtool amtool',
    (call) => {
      careful(call);
      call.level(2);
      const words = call.args.map(({ text }) => text);
      if (
        words.some((word) =>
          /^(?:--rulesdir|--resolve-plugins-relative-to|--require|-r|--import|--loader|--plugin|-p)$/.test(
            word,
          ),
        ) &&
        call.args.some((arg) => /^[/~]|\.\./.test(arg.text))
      )
        call.ask('loads code from outside of the working folder');
      if (
        call.name === 'amtool' &&
        /^(?:silence|alert)$/.test(words[0] ?? '') &&
        /^(?:add|expire|import)$/.test(words[1] ?? '')
      )
        call.ask('changes alerts');
      if (
        /^(?:deploy|publish|release|version)$/.test(words[0] ?? '') &&
        /^(?:lerna|changeset|nx|ng|next)$/.test(call.name)
      )
        call.ask('publishes');
      return OPAQUE;
    },
  ),
};
