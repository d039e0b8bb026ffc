import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import type { Call, ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, joinGrammars, type Rule } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { loads, verb, wordsForScript } from './project-tools.ts';

/** Which packages, and how they are built. */
const SELECTION: Grammar = {
  flags:
    '-v|--verbose -vv -q|--quiet --workspace --all --all-features --no-default-features --locked --offline --frozen -h|--help',
  text: '-p|--package --exclude -F|--features --color --message-format --profile',
  inside: '--manifest-path --lockfile-path -C --target',
  asksWith: '--config -Z --git --registry --index --branch --tag --rev --path --token',
};
const CARGO = joinGrammars(SELECTION, {
  flags:
    '-r|--release --lib --bins --examples --tests --benches --all-targets --keep-going --no-run --no-fail-fast --doc --ignore-rust-version --future-incompat-report --unit-graph --no-deps --document-private-items',
  text: '--bin --example --test --bench -j|--jobs',
  glued: '--timings',
  writes: '--target-dir --artifact-dir --out-dir',
  asks: '--open',
});
/** Around the tests. */
const CARGO_TEST = joinGrammars(CARGO, {
  flags: '--html --lcov --json --no-report --ignored --no-capture',
  text: '--retries --test-threads --partition --run-ignored -E|--filter-expr --ignore-filename-regex --out --skip',
  writes: '--output-path --output-dir',
});
const CARGO_FIX = joinGrammars(CARGO, {
  flags: '--fix --edition --broken-code --allow-dirty --allow-staged --allow-no-vcs --check --no-deps',
});
const CARGO_KEEP = joinGrammars(SELECTION, {
  flags:
    '-r|--release --doc --dry-run|-n --aggressive --recursive --breaking --root-deps-only --list --no-verify --allow-dirty --no-metadata --ignore-yanked --dev --build --optional|!--no-optional --lib --bin --fix',
  text: '--precise --rename --name --edition --vcs --ignore --format --depth -j|--jobs',
  writes: '--target-dir',
});
const CARGO_LOOK = joinGrammars(SELECTION, {
  flags: '-d|--duplicates --no-dedupe --no-deps -i',
  text: '--format-version --filter-platform --depth --prefix --charset --format -f --invert -e|--edges --limit',
  operands: ['text'],
});
/** Words behind `--` go to the program or the tests of the project. */
const forProgram: Rule = (call, words) => {
  wordsForScript(call, words.operands);
  return OPAQUE;
};
/** Lints, as they follow `--` for clippy. */
const lints: Rule = (call, { operands }) => {
  for (const { text } of operands)
    if (!/^(?:-[ADFW](?:\s*[\w:-]+)?|--(?:allow|deny|warn|forbid)(?:=[\w:-]+)?|[a-z][\w:-]*)$/.test(text))
      call.ask(
        tell(`hands \`${text.slice(0, 40)}\` to the compiler`, `会把 \`${text.slice(0, 40)}\` 交给编译器`),
      );
  return OPAQUE;
};
const registryCrates: Rule = (call, { operands }) => {
  call.outward();
  for (const { text, literal } of operands)
    if (!literal || !/^[A-Za-z][\w-]*(?:@[\w.^~=<>*,-]+)?$/.test(text))
      call.ask(
        tell(
          `takes \`${text.slice(0, 60)}\` from another place than the registry`,
          `会从注册表以外的地方取 \`${text.slice(0, 60)}\``,
        ),
      );
  return OPAQUE;
};

const cargo = byVerb(
  {
    flags:
      '+nightly +stable +beta -v|--verbose -vv -q|--quiet --locked --offline --frozen --list -V|--version -h|--help',
    text: '--color --explain',
    inside: '-C',
    asksWith: '--config -Z',
  },
  {
    ...each('build, b, check, c, test, t, bench, run, r, doc, d', verb(CARGO, 'text', forProgram)),
    ...each('nextest run, nextest list, llvm-cov, tarpaulin, expand', verb(CARGO_TEST, 'text', forProgram)),
    ...each('clippy, fix', verb(CARGO_FIX, 'text', lints)),
    fmt: verb(joinGrammars(SELECTION, { flags: '--check' }), 'text', (call, { operands }) =>
      operands.length > 0 ? call.as('rustfmt', operands) : OPAQUE,
    ),
    ...each(
      'clean, update, fetch, generate-lockfile, audit, deny check, outdated, machete, udeps, package',
      verb(CARGO_KEEP, 'text', forProgram),
    ),
    ...each('new, init', verb(CARGO_KEEP)),
    vendor: verb(CARGO_KEEP, 'changes'),
    ...each('add, remove, rm', verb(CARGO_KEEP, 'text', registryCrates)),
    ...each(
      'tree, metadata, search, version, pkgid, locate-project, verify-project, read-manifest, info, report, help',
      reads(CARGO_LOOK),
    ),
    publish: verb(CARGO_KEEP, 'text', (call, words) => {
      if (!words.has('--dry-run')) call.ask(tell('publishes', '会对外发布'));
      return OPAQUE;
    }),
    ...each(
      'login, logout, owner, yank',
      needsAgreement(tell('changes what is published', '会改动已发布的内容')),
    ),
  },
);

const GO: Grammar = {
  flags:
    '-v -x -n -a -race -msan -asan -cover -trimpath -work -linkshared -modcacherw -json -i -buildvcs -h|-help',
  text: '-p -tags -mod -covermode -coverpkg -gcflags -ldflags -asmflags -buildmode -installsuffix',
  inside: '-C -modfile -overlay -pkgdir -pgo',
  writes: '-o',
  runs: '-exec -toolexec -vettool',
  asksWith: '-compiler -gccgoflags',
  style: 'word',
  booleans: true,
};
const GO_TEST = joinGrammars(GO, {
  flags: '-short -failfast -benchmem -c -fullpath -artifacts',
  text: '-run -bench -benchtime -count -cpu -list -parallel -timeout -skip -fuzz -fuzztime -fuzzminimizetime -shuffle -vet',
  writes: '-coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir',
});
const GO_MOD: Grammar = {
  flags: '-v -x -e -json -print -fmt -vendor -r -m -h|-help',
  text: '-go -compat -require -droprequire -module -toolchain -godebug -use -dropuse -exclude -dropexclude',
  inside: '-C -modfile -reuse',
  writes: '-o',
  asksWith: '-replace -dropreplace',
  style: 'word',
  booleans: true,
};
const GO_LOOK: Grammar = {
  flags:
    '-m -u -json -deps -test -e -versions -retracted -find -export -compiled -all -src -cmd -short -c -v -vendor -h|-help',
  text: '-f -tags -mod',
  inside: '-C -modfile',
  style: 'word',
  booleans: true,
};
/** What the compiler and the linker are told may name neither a program nor a file. */
function judgeGoFlags(call: Call, values: readonly Arg[]): void {
  for (const { text, literal } of values)
    if (
      (!literal && /-ext|-toolexec|-linkmode|-r\b/.test(text)) ||
      !/^(?:[\w./-]+=)?(?:\s*(?:-[swNlmBSv+]|-[smwlNd]=\d+|-X[ =]\S+|'-X [^']*'|"-X [^"]*"|-compressdwarf=\w+|-dwarf=\w+|-buildid=\S*|-trimpath=\S*|-race|-e|-c=\d+))*\s*$/.test(
        text,
      )
    )
      call.ask(
        tell(
          `hands \`${text.slice(0, 60)}\` to the compiler or the linker`,
          `会把 \`${text.slice(0, 60)}\` 交给编译器或链接器`,
        ),
      );
}
const goRule: Rule = (call, words) => {
  judgeGoFlags(call, words.values('-gcflags', '-ldflags', '-asmflags'));
  return OPAQUE;
};
const fetchesProgram = ({ text }: Arg): boolean => /@|^[\w-]+\.[\w.-]+\//.test(text) && !text.endsWith('.go');
/** The program's own words follow its packages. */
const goRun: Rule = (call, words) => {
  goRule(call, words);
  const [first] = words.operands;
  if (!first) return OPAQUE;
  if (fetchesProgram(first)) call.ask(tell('fetches and runs a program', '会取来并运行程序'));
  call.runsFile({ ...first, text: first.text.replace(/\/\.\.\.$/, '') });
  wordsForScript(call, words.operands.slice(1));
  return OPAQUE;
};

const go = byVerb(
  { flags: '-h|-help|--help', inside: '-C', style: 'word' },
  {
    ...each('build, vet, fix, fmt', verb(GO, 'loads', goRule)),
    test: verb(GO_TEST, 'loads', goRule),
    clean: verb(joinGrammars(GO, { flags: '-cache -testcache -fuzzcache -modcache -r' }), 'loads'),
    run: verb({ ...GO, stopsEarly: true }, 'text', goRun),
    install: verb(GO, 'loads', (call, words) => {
      goRule(call, words);
      if (words.operands.some(fetchesProgram))
        call.ask(tell('fetches and installs a program', '会取来并安装程序'));
      return OPAQUE;
    }),
    get: verb(joinGrammars(GO, { flags: '-u -t -d' }), 'text', (call, { operands }) => {
      call.outward();
      for (const place of operands) loads(call, place);
      return OPAQUE;
    }),
    ...each(
      'mod tidy, mod download, mod verify, mod vendor, mod init, mod edit, work init, work use, work sync, work edit, work vendor',
      verb(GO_MOD, 'loads'),
    ),
    ...each('mod graph, mod why, list, doc, version, help', reads(GO_LOOK)),
    env: reads({ flags: '-json -changed', asks: '-w -u', operands: ['text'], style: 'word' }),
    'tool cover': reads({
      text: '-mode -var',
      reads: '-func -html',
      writes: '-o',
      operands: ['reads'],
      style: 'word',
    }),
    'tool dist list': reads({ flags: '-json -broken', style: 'word' }),
    generate: needsAgreement(tell('runs commands that the code names', '会运行代码中写明的命令'), GO),
  },
);

export const toolchains: ProgramTable = { cargo, go };
