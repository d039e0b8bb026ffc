import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs } from '../verbs.ts';
import { loads, verb, wordsForScript } from './project-tools.ts';
import { type Cut, readsInput, runsCode, script, waits } from './running.ts';

const NODE: Grammar = {
  flags:
    '-v|--version -h|--help -c|--check --test --test-only --watch --experimental-strip-types --experimental-transform-types --no-experimental-strip-types --strip-types --experimental-vm-modules --experimental-test-coverage --experimental-test-module-mocks --experimental-test-isolation --experimental-sqlite --experimental-wasm-modules --experimental-json-modules --experimental-websocket --experimental-webstorage --experimental-permission --permission --enable-source-maps --no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --trace-exit --trace-sync-io --trace-gc --throw-deprecation --pending-deprecation --preserve-symlinks --preserve-symlinks-main --expose-gc --harmony --use-strict --abort-on-uncaught-exception --insecure-http-parser --test-force-exit --test-update-snapshots --prof-process --v8-options --interpreted-frames-native-stack --no-opt --allow-natives-syntax --verify-base-objects --frozen-intrinsics --track-heap-objects --zero-fill-buffers --report-on-signal --report-uncaught-exception --completion-bash --node-memory-debug --openssl-legacy-provider --no-addons --no-global-search-paths --experimental-require-module --no-experimental-require-module --files --esm --swc --transpile-only|-T --type-check --pretty --cache|!--no-cache --include --clear-screen|!--no-clear-screen --log-error --prefer-ts-exts',
  text: '--max-old-space-size --max-semi-space-size --max-http-header-size --stack-size --stack-trace-limit --unhandled-rejections --dns-result-order --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-shard --test-isolation --test-coverage-include --test-coverage-exclude --test-coverage-lines --test-coverage-branches --test-coverage-functions --title --disable-warning --conditions|-C --input-type --experimental-default-type --secure-heap --v8-pool-size --network-family-autoselection-attempt-timeout --heapsnapshot-near-heap-limit --heapsnapshot-signal --report-signal --ignore-diagnostics --ignore',
  glued: '--inspect --inspect-brk --inspect-wait --inspect-port',
  inside:
    '--watch-path --test-reporter --test-global-setup --env-file --env-file-if-exists --tsconfig --project|-P --cwd --dir',
  writes:
    '--test-reporter-destination --diagnostic-dir --report-dir --report-directory --cpu-prof-dir --heap-prof-dir --redirect-warnings --trace-event-file-pattern',
  asks: '-i|--interactive',
  asksWith:
    '--openssl-config --build-snapshot --build-sea --experimental-sea-config --snapshot-blob --experimental-policy --policy-integrity --compiler --compilerOptions|-O --experimental-config-file --localstorage-file --experimental-loader --loader',
};
const PRELOADS = '-r|--require --import';
const NODE_CODE = /^(?:-e|-p|-pe|-ep|--eval|--print)$/;

const node: Program = (call) => {
  const own: Arg[] = [];
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg;
    const { text } = arg;
    const equals = text.indexOf('=');
    const name = equals > 0 ? text.slice(0, equals) : text;
    const value = equals > 0 ? { ...arg, text: text.slice(equals + 1) } : call.args[at + 1];
    const rest = call.args.slice(at + 1);
    if (text === '-') return finish({ own, kind: 'input', rest });
    if (text === '--') {
      const [file] = rest;
      return finish(
        file ? { own, kind: 'file', what: file, rest: rest.slice(1) } : { own, kind: 'none', rest },
      );
    }
    if (!text.startsWith('-')) return finish({ own, kind: 'file', what: arg, rest });
    if (NODE_CODE.test(name)) {
      // Options that load code may follow.
      const behind = equals > 0 ? rest : rest.slice(1);
      own.push(...takeOptions(behind));
      return finish(value ? { own, kind: 'code', what: value, rest: [] } : { own, kind: 'none', rest: [] });
    }
    if (name === '--run') {
      applyGrammar(call, own, NODE_OWN);
      call.level(2);
      wordsForScript(call, equals > 0 ? rest : rest.slice(1));
      if (rest.some((word) => word.text.startsWith('-')) && !rest.some((word) => word.text === '--'))
        call.ask(tell('is given options behind its script', '在脚本之后带有选项'));
      return OPAQUE;
    }
    own.push(arg);
    if (equals < 0 && takesNext(name) && rest[0]) own.push(call.args[++at] as Arg);
  }
  return finish({ own, kind: 'none', rest: [] });

  function finish(cut: Cut): Feed {
    const words = applyGrammar(call, cut.own, NODE_OWN);
    for (const code of words.values('-r', '--import')) {
      if (!/^(?:\.\/[\w./-]+|[\w@][\w@/.-]*)$/.test(code.text) || call.wroteHere(code))
        call.ask(tell('loads code before its script', '会在脚本之前加载代码'));
      loads(call, code);
    }
    for (const port of words.values('--inspect', '--inspect-brk', '--inspect-wait', '--inspect-port'))
      if (!/^(?:127\.0\.0\.1|localhost)?:?\d*$/.test(port.text))
        call.ask(tell('opens a debugger to other machines', '会向其他机器开放调试器'));
    for (const file of words.values('--env-file', '--env-file-if-exists'))
      if (call.wroteHere(file)) call.ask(tell('loads what was just written', '会加载刚写入的内容'));
    if (words.has('--test')) {
      call.level(2);
      for (const file of [...(cut.what ? [cut.what] : []), ...cut.rest]) {
        if (file.text.startsWith('-'))
          call.ask(
            tell(
              `uses \`${file.text.slice(0, 40)}\`, which is not known`,
              `会使用未知的 \`${file.text.slice(0, 40)}\``,
            ),
          );
        else loads(call, file);
      }
      return OPAQUE;
    }
    if (cut.kind === 'code') return runsCode(call, 'javascript', cut.what);
    if (cut.kind === 'file') {
      // `watch` runs what follows again and again; `inspect` waits for somebody.
      if (call.name === 'tsx' && cut.what?.text === 'watch') return call.as('tsx', cut.rest) ?? OPAQUE;
      if (cut.what?.text === 'inspect') return waits(call);
      return script(call, cut.what as Arg, 'javascript');
    }
    if (cut.kind === 'input') return call.runsInput('javascript');
    return words.has('-v', '-h', '--v8-options', '--completion-bash')
      ? OPAQUE
      : readsInput(call, 'javascript');
  }
};
const NODE_OWN: Grammar = { ...NODE, text: `${NODE.text} ${PRELOADS}` };
const NEXT = new Set(
  [NODE_OWN.text, NODE_OWN.inside, NODE_OWN.writes, NODE_OWN.asksWith].flatMap((list) =>
    (list ?? '').split(/[\s|]+/),
  ),
);
const takesNext = (name: string): boolean => NEXT.has(name);
/** The options at the beginning of these words. */
function takeOptions(words: readonly Arg[]): Arg[] {
  const taken: Arg[] = [];
  for (let at = 0; at < words.length && words[at]?.text.startsWith('-') && words[at]?.text !== '--'; at++) {
    taken.push(words[at] as Arg);
    if (takesNext(words[at]?.text ?? '') && words[at + 1]) taken.push(words[++at] as Arg);
  }
  return taken;
}

/** Programs for JavaScript with sub-commands of their own. */
const DENO: Grammar = {
  flags:
    '-q|--quiet --cached-only --frozen --no-lock --no-remote --no-npm --watch --fail-fast --parallel --doc --no-run --trace-leaks --shuffle --permit-no-files --coverage-default --clean --json --rules --fix --unstable --no-prompt --compact --hide-stacktraces --no-config --bundle --minify --sourcemap --splitting --production -u --update-snapshots --todo --only --bail --pass-with-no-tests --concurrent --silent -h|--help -V|-v|--version --no-clear-screen --single-quote --no-semicolons --use-tabs --prod --smol --hot --no-install --bun|-b --if-present',
  text: '--filter --reporter --ext --line-width --indent-width --prose-wrap --ignore --permit-of --log-level|-L --format --target --seed --timeout --rerun-each -t|--test-name-pattern --rules-include --rules-exclude --rules-tags --env-of --max-concurrency --external --loader --define --drop --port',
  inside: '-c|--config --lock --import-map --cwd --tsconfig-override -r|--preload|--require --entry-point',
  writes: '--outdir --outfile --junit-path --coverage-dir',
  glued: '--coverage',
  asks: '--allow-scripts --inspect --inspect-brk --inspect-wait -i',
  asksWith: '--env-file --v8-flags --node-modules-dir-of --cert --location --bytenode --shell',
};
/** What a program may reach is granted by these; without a value it is everything. */
const GRANTS: Grammar = {
  ...DENO,
  flags: `${DENO.flags} --no-check -A|--allow-all`,
  glued:
    '--coverage --allow-read|-R --allow-write|-W --allow-net|-N --allow-env|-E --allow-sys|-S --allow-import|-I --allow-run --allow-ffi --deny-net --deny-read --deny-write --deny-run --deny-env',
};
const runsTarget = (call: Call, target: Arg | undefined, rest: readonly Arg[]): Feed => {
  if (!target || /^[a-z+]+:/i.test(target.text) || target.text === '-')
    call.ask(
      tell('runs a program from another machine, or from its input', '会运行来自另一台机器或其输入的程序'),
    );
  else if (/[./]/.test(target.text)) call.runsFile(target);
  wordsForScript(call, rest);
  return OPAQUE;
};
const deno = byVerb(
  { flags: '-q|--quiet -h|--help -V|--version --unstable', text: '-L|--log-level' },
  {
    ...each('test, check, bench, doc, coverage', verb(GRANTS)),
    ...each('lint, fmt', verb({ ...DENO, flags: `${DENO.flags} --check` })),
    ...each('info, types', reads({ ...GRANTS, operands: ['text'] })),
    task: runs({ ...DENO, stopsEarly: true }, (call, { operands }) => {
      wordsForScript(call, operands.slice(1));
      return OPAQUE;
    }),
    run: runs({ ...GRANTS, stopsEarly: true }, (call, { operands: [first, ...rest] }) =>
      runsTarget(call, first, rest),
    ),
    eval: runs({ ...GRANTS, flags: `${GRANTS.flags} -p|--print` }, (call, { operands }) =>
      runsCode(call, 'javascript', operands[0]),
    ),
    ...each(
      'install, compile, upgrade, publish, add, remove, jupyter, serve, cache, vendor',
      needsAgreement(tell('fetches, publishes, or waits for connections', '会取来、发布或等待连接'), {
        operands: ['text'],
      }),
    ),
  },
  { alone: 'asks' },
);

const BUN_MANAGES =
  /^(?:install|i|add|a|remove|rm|pm|update|outdated|publish|link|unlink|audit|info|why|patch)$/;
const bun: Program = (call) => {
  const [sub, ...rest] = call.args;
  const word = sub?.text ?? '';
  call.level(2);
  if (BUN_MANAGES.test(word)) {
    const name = word === 'a' ? 'add' : word === 'pm' ? 'list' : word;
    return call.as('pnpm', [literal(name), ...(word === 'pm' ? rest.slice(1) : rest)]) ?? OPAQUE;
  }
  if (word === 'x') return call.as('bunx', rest) ?? OPAQUE;
  if (/^(?:create|c|init|upgrade|repl|eval)$/.test(word)) {
    if (word === 'eval') call.ask(tell('runs a script for a shell of its own', '会为自己的 shell 运行脚本'));
    else call.ask(tell('fetches and runs a program, or waits', '会取来并运行程序,或一直等待'));
    return OPAQUE;
  }
  if (/^(?:test|build)$/.test(word)) {
    const words = applyGrammar(call, rest, DENO);
    for (const place of words.operands) loads(call, place);
    return OPAQUE;
  }
  if (word === 'run') {
    const words = applyGrammar(call, rest, { ...DENO, stopsEarly: true });
    const [first, ...others] = words.operands;
    return first && !/[./]/.test(first.text)
      ? (call.as('pnpm', [literal('run'), first, ...others]) ?? OPAQUE)
      : runsTarget(call, first, others);
  }
  if (/^[a-z][\w:-]*$/.test(word)) return call.as('pnpm', call.args) ?? OPAQUE;
  return node(call) ?? OPAQUE;
};

export const javascript: ProgramTable = {
  ...forEach('node nodejs tsx ts-node', node),
  deno,
  bun,
};
