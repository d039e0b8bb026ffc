import { tell } from '#kit/text';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY } from '../feed.ts';
import { applyGrammar, type Grammar, known, type Words } from '../grammar.ts';
import { loads } from './project-tools.ts';

const GNU: Grammar = {
  flags:
    '-c -S -E -v -V -w -s -p -pg -P -C -CC -H -Q -### -pipe -pthread -shared -static -static-libgcc -static-libstdc++ -static-pie -pie -no-pie -ansi -pedantic -pedantic-errors -nostdlib -nostdinc -nostdinc++ -nostartfiles -nodefaultlibs -rdynamic -M -MM -MD -MMD -MP -MG -undef -dM -dD -coverage -dumpversion -dumpmachine -dumpfullversion -print-search-dirs -print-multi-arch -print-sysroot -print-libgcc-file-name -trigraphs -emit-llvm -help -version -Weverything -fsyntax-only -bundle -dynamiclib',
  text: '-D -U -l -x -W -f -m -std -stdlib -target -arch -MT -MQ -framework -print-file-name -print-prog-name -L -param -rtlib -unwindlib',
  glued: '-O -g -save-temps -help',
  reads: '-I -isystem -iquote -idirafter -include -imacros',
  writes: '-o -MF',
  inside: '-T -isysroot',
  runs: '-wrapper -specs -B -fplugin -Xclang -Xlinker -Xassembler -Xpreprocessor -z -u',
  asksWith: '-sysroot -gcc-toolchain -config -iprefix -dumpdir -aux-info',
  style: 'word',
};
/** Letters whose values are glued, so that `-Wall` reads as `-W=all`. */
const GLUED = /^-([DULIWflmOgx])(?!=)(.+)$/s;
/** What a compiler may be told about warnings, code and the machine: neither a program nor a plug-in among it. */
const W_KNOWN =
  /^(?!l,|a,|p,)[\w+#=.-]*$|^l,(?:-rpath,(?:\$ORIGIN[\w./-]*|[\w.][\w./-]*)|--as-needed|--no-as-needed|-z,[\w=-]+|--gc-sections|-O\d|--no-undefined|--(?:start|end)-group|-s|--strip-(?:all|debug)|--(?:no-)?whole-archive|-B(?:static|dynamic|symbolic)|-soname,[\w.+-]+|--build-id(?:=\w+)?|-dead_strip)$/;
const F_KNOWN =
  /^(?:no-[\w-]+|PIC|pic|PIE|pie|sanitize(?:-recover)?=[\w,-]+|stack-(?:protector[\w-]*|check|clash-protection)|lto(?:=(?:\w+))?|visibility(?:-inlines-hidden|=\w+)|exceptions|rtti|omit-frame-pointer|diagnostics-[\w-]+(?:=\w+)?|color-diagnostics|coverage|profile-arcs|test-coverage|profile-instr-generate|coverage-mapping|openmp|common|strict-aliasing|strict-overflow|wrapv|trapv|(?:data|function)-sections|syntax-only|permissive|inline[\w-]*|fast-math|finite-math-only|unroll-loops|tree-[\w-]+|max-errors=\d+|message-length=\d+|signed-char|unsigned-char|short-enums|freestanding|hosted|builtin|gnu89-inline|char8_t|coroutines|concepts|modules-ts|analyzer|cf-protection(?:=\w+)?|ident|asynchronous-unwind-tables|unwind-tables|merge-constants|ipa-[\w-]+|align-[\w-]+(?:=\d+)?|debug-info-for-profiling|standalone-debug|use-ld=(?:bfd|gold|lld|mold))$/;
const M_KNOWN =
  /^(?:32|64|x32|(?:arch|tune|cpu|fpu|float-abi|abi|cmodel|macosx-version-min|branch-protection)=[\w.+-]+|avx[\w.]*|sse[\w.]*|ssse3|fma|bmi2?|popcnt|aes|lzcnt|f16c|thumb|arm|no-[\w.-]+|stackrealign|general-regs-only)$/;

const gnu: Program = (call) => {
  const args = call.args.map((arg) => {
    const glued = arg.text.startsWith('--') || GNU_WORDS.has(arg.text) ? undefined : GLUED.exec(arg.text);
    return glued ? { ...arg, text: `-${glued[1]}=${glued[2]}` } : arg;
  });
  const words = applyGrammar(call, args, GNU);
  judgeValues(call, words, '-W', W_KNOWN);
  judgeValues(call, words, '-f', F_KNOWN);
  judgeValues(call, words, '-m', M_KNOWN);
  return compiles(call, words);
};
const GNU_WORDS = new Set(['-fsyntax-only', '-framework', '-fplugin', '-Weverything']);

function judgeValues(call: Call, words: Words, name: string, harmless: RegExp): void {
  for (const { text, literal } of words.values(name))
    if (!literal || !harmless.test(text))
      call.ask(
        tell(
          `uses \`${name}${text.slice(0, 40)}\`, which is not known to be harmless`,
          `会使用 \`${name}${text.slice(0, 40)}\`,是否无害尚不可知`,
        ),
      );
}

/** Reads what it is given and writes what it makes of it. */
function compiles(call: Call, words: Words) {
  call.level(2);
  for (const file of words.operands) {
    if (file.text.startsWith('@')) call.ask(tell('takes its options from a file', '其选项来自文件'));
    if (file.text === '-') {
      if (call.stdin.network)
        call.ask(tell('compiles what comes from another machine', '会编译来自另一台机器的内容'));
    } else call.reads(file);
  }
  return EMPTY;
}

const CODEGEN =
  /^(?:opt-level|debuginfo|debug-assertions|lto|panic|target-cpu|target-feature|codegen-units|overflow-checks|incremental|instrument-coverage|strip|split-debuginfo|relocation-model|code-model|embed-bitcode|prefer-dynamic|rpath|no-prepopulate-passes|inline-threshold|force-frame-pointers|metadata|extra-filename)(?:=[\w.+,-]*)?$/;
const rustc = known(
  {
    flags: '-O -g -v|--verbose -V|--version --test -h|--help',
    text: '--edition --crate-name --crate-type --emit --cfg --check-cfg -A|--allow -W|--warn -D|--deny -F|--forbid --cap-lints --error-format --color --print --explain -l -C|--codegen --diagnostic-width --json',
    inside: '-L --extern --target --remap-path-prefix',
    writes: '-o --out-dir',
    runs: '-Z --sysroot',
  },
  (call, words) => {
    judgeValues(call, words, '-C', CODEGEN);
    for (const place of words.values('-L', '--extern')) loads(call, place);
    return compiles(call, words);
  },
);

/** Processors of annotations run while Java compiles; they are found on the class path, too. */
const javac = known(
  {
    flags:
      '-g -g:none -g:lines -g:source -g:vars -nowarn -verbose -deprecation -parameters -Werror -implicit:none -implicit:class -proc:none -Xlint -Xlint:all -Xlint:none -Xlint:deprecation -Xlint:unchecked -Xdoclint -Xdoclint:none -version -help --help --version --enable-preview -include-runtime -no-stdlib -no-reflect -nowarn -progressive -Xpkginfo:always',
    text: '-source -target --release -encoding -Xmaxerrs -Xmaxwarns -jvm-target -language-version -api-version -module-name --add-exports --add-modules --add-reads',
    inside: '-cp|-classpath|--class-path -sourcepath|--source-path --module-path|-p --module-source-path',
    writes: '-d -s -h',
    runs: '-processorpath|--processor-path -processor -Xplugin -script -kotlin-home --system -bootclasspath -extdirs -endorseddirs --upgrade-module-path --processor-module-path',
    style: 'word',
  },
  (call, words) => {
    for (const place of words.values('-cp', '-sourcepath', '--module-path', '--module-source-path'))
      loads(call, place);
    return compiles(call, words);
  },
);

const swiftc = known(
  {
    flags:
      '-O -Onone -Osize -g -v -emit-executable -emit-library -emit-module -emit-object -parse -typecheck -c -static -version -help -parse-as-library -whole-module-optimization -enable-testing -suppress-warnings -warnings-as-errors',
    text: '-module-name -target -swift-version -D -l -framework -j',
    reads: '-I -F -L',
    writes: '-o -emit-module-path',
    runs: '-load-plugin-library -load-plugin-executable -plugin-path -Xlinker -Xcc -Xfrontend -Xclang -sdk -tools-directory',
    style: 'word',
  },
  compiles,
);

const assembler = known(
  {
    flags:
      '-g --32 --64 -W --warn --fatal-warnings -v -V -s -S -r -x -X -n -N -E --gc-sections --as-needed --version --help',
    text: '--defsym -e -m -l -u -z',
    reads: '-I -L',
    writes: '-o',
    inside: '-T',
    runs: '-plugin -I-dynamic-linker',
  },
  compiles,
);

export const compilers: ProgramTable = {
  ...forEach('gcc g++ cc c++ clang clang++', gnu),
  ...forEach('rustc clippy-driver', rustc),
  ...forEach('javac kotlinc', javac),
  swiftc,
  ...forEach('as ld', assembler),
};
